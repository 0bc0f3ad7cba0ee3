"""Runs the command that was typed: asks, lists, packs, examines, or serves until interrupted."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from citations.text import printable

from ..config.credentials import take_agents_names
from ..config.env import (
    SettingsError,
    explain_unknown,
    known_variables,
    load_env_file,
    read_environment,
)
from ..config.language_model import explain_unused
from ..config.teams_app import TeamsApp
from ..direct_line.bundle import find_bundle
from ..document_view.pdf_library import PdfLibrary
from ..http.connections import Connections, connection_limit
from ..state import StateError
from ..telemetry.log import configure_logging
from .answer_source import choose, choose_folder
from .application import build_app
from .server import BACKLOG, GRACE, freeze_objects, open_server
from .settings import Settings
from .terminal.arguments import DOCTOR, PACKAGE, SERVING_OPTIONS, TEAMS_OPTIONS
from .terminal.finding import fault, note
from .terminal.teams_package import COLOR, OUTLINE, PackageOptions, find_fault, write_package

LONGEST_END: Final = 20.0
"""Seconds from the signal to the end of the process. Orchestrators kill it after 30."""
UNUSABLE: Final = 2
"""The exit code for invalid settings."""
ENV_FILE: Final = Path(".env")
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141
"""The exit codes that a shell reports after SIGINT and SIGPIPE: 128 and the signal's number."""


def run(options: argparse.Namespace) -> int:
    """Run a command to its end, and return its exit code; the faults of the settings are printed."""
    try:
        code = _run(options)
        if sys.stdout:  # it is None where it was closed before the start
            sys.stdout.flush()
    except SettingsError as error:
        for one in error.faults:
            print(printable(_as_typed(one, options)), file=sys.stderr)
        return UNUSABLE
    except BrokenPipeError:
        # Python flushes stdout again at exit, which would fail once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _run(options: argparse.Namespace) -> int:
    given = {variable: getattr(options, name) for variable, name in SERVING_OPTIONS.values()}
    faults = load_env_file(ENV_FILE)
    # An engine or a policy of the operator's reads the same variables.
    os.environ.update({name: value for name, value in given.items() if value})
    unknown = list(explain_unknown(ENV_FILE, os.environ, known_variables()))
    if options.command == DOCTOR:
        return _examine(options.url, faults, unknown)
    for one in unknown:
        print(printable(one), file=sys.stderr)
    if options.command == PACKAGE:
        return _write_package(options, faults)
    settings = Settings.from_env(os.environ, faults)
    if options.command:
        return _run_command(settings, options)
    with _listen(settings) as listener, contextlib.suppress(KeyboardInterrupt):
        configure_logging()
        if settings.uses_model and (unused := explain_unused(os.environ)):
            print(unused, file=sys.stderr)
        if settings.local:
            _bypass_proxies()
        asyncio.run(serve(settings, listener, open_page=options.open))
    return 0


def _as_typed(fault: str, options: argparse.Namespace) -> str:
    """``fault`` with the option that a person typed in the place of its variable."""
    typed = {
        option: (variable, variable) for option, (variable, _) in TEAMS_OPTIONS.items()
    } | SERVING_OPTIONS
    for option, (variable, name) in typed.items():
        rest = fault[len(variable) :]
        is_its = fault.upper().startswith(variable) and not rest[:1].isalnum() and rest[:1] != "_"
        if is_its and getattr(options, name, None):
            return option + (f" {rest[1:]}" if rest.startswith("=") else rest)
    return fault


def _run_command(settings: Settings, options: argparse.Namespace) -> int:
    configure_logging(level=logging.WARNING, people=True)
    with _settings_errors(settings):
        if options.command == "index":
            from .terminal.index import index  # noqa: PLC0415 - each command loads its own

            # Each file that is not read stands in the list, with its reason.
            logging.getLogger("bot.retrieval.index.update").setLevel(logging.ERROR)
            return asyncio.run(index(settings.model_copy(update={"source": "folder"})))
        from .terminal.ask import ask  # noqa: PLC0415 - each command loads its own

        return asyncio.run(ask(settings, options.question, as_json=options.json))


def _examine(url: str, faults: list[str], unknown: Sequence[str]) -> int:
    from .terminal.doctor import examine, report  # noqa: PLC0415 - each command loads its own

    report(note(f"{one}.") for one in unknown)
    configure_logging(level=logging.CRITICAL, people=True)
    try:
        settings = Settings.from_env(os.environ, faults)
    except SettingsError as error:
        return report(fault(f"{one}.", "docs/settings.md says what it may be.") for one in error.faults)
    return asyncio.run(examine(settings, url))


def _write_package(options: argparse.Namespace, faults: list[str]) -> int:
    given = {variable: getattr(options, variable) for variable, _ in TEAMS_OPTIONS.values()}
    environ = take_agents_names(read_environment(os.environ), faults)
    app = TeamsApp.read(environ | {name: one for name, one in given.items() if one}, faults)
    icons = {COLOR: options.icon, OUTLINE: options.outline}
    faults += filter(None, (find_fault(Path(file), size) for (_, size), file in icons.items() if file))
    # It needs the bot's id, and no secret.
    registration = ("MICROSOFTAPP", "CONNECTIONS__")
    own = {name: value for name, value in os.environ.items() if not name.upper().startswith(registration)}
    settings = Settings.from_env({**own, "HOST": ""}, faults, serves=False)
    configure_logging(level=logging.WARNING)
    with _settings_errors(settings):
        chosen = {name: Path(file) for (name, _), file in icons.items() if file}
        package = PackageOptions(
            Path(options.out), chosen, options.language, options.copilot, options.manifest
        )
        return asyncio.run(write_package(settings, app, package))


def _listen(settings: Settings) -> socket.socket:
    """Bind the port first, before the documents are read."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=BACKLOG)
    except (OSError, TypeError) as error:  # TypeError is for a name that IDNA does not know
        cause = getattr(error, "strerror", None) or error
        reason = f"{settings.host} port {settings.port} can't be used: {cause}"
        raise SettingsError((f"{reason} (HOST, PORT, --port)",)) from error


def _bypass_proxies() -> None:
    """Exclude this machine from HTTP proxies, which the SDK's ``requests`` would use."""
    for name in ("NO_PROXY", "no_proxy"):
        hosts = [host for host in os.environ.get(name, "").split(",") if host.strip()]
        os.environ[name] = ",".join([*hosts, "localhost", "127.0.0.1", "::1"])


def authority_of(listener: socket.socket) -> str:
    """The host and port by which this machine reaches a socket: ``127.0.0.1:3978``, or ``[::1]:3978``."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - nothing is bound here
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


async def serve(settings: Settings, listener: socket.socket, *, open_page: bool = False) -> None:
    """Serve on ``listener`` until SIGINT or SIGTERM.

    Raises :class:`SettingsError` if the documents or the state can't be opened.
    """
    authority = authority_of(listener)
    bundle = await asyncio.to_thread(find_bundle) if settings.local else None
    folder = choose_folder(settings, authority)
    source = folder or choose(settings, authority)
    pdf = PdfLibrary()
    if settings.serves_documents:
        pdf.load_in_background()
    served = build_app(settings, source, folder, authority=authority, bundle=bundle, pdf=pdf)
    async with contextlib.AsyncExitStack() as stack:
        with _settings_errors(settings):
            grace = 0 if settings.local else GRACE
            connections = Connections(most=connection_limit())
            await stack.enter_async_context(
                open_server(served, listener, grace=grace, connections=connections)
            )
        freeze_objects()
        _announce(settings, source.title, authority)
        if open_page and settings.local:
            await asyncio.to_thread(webbrowser.open, f"http://{authority}/")
        try:
            await _wait_for_signal()
        finally:
            _exit_after(LONGEST_END)


@contextlib.contextmanager
def _settings_errors(settings: Settings) -> Iterator[None]:
    """Raise startup failures that the operator can fix as :class:`SettingsError`."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SettingsError((f"the documents in {settings.docs} can't be opened: {reason}",)) from error
    except StateError as error:
        raise SettingsError((f"the state can't be kept in {error} (STATE_URL)",)) from error


def _announce(settings: Settings, title: str, authority: str) -> None:
    where = f"http://{authority}/" if settings.local else f"the channels at http://{authority}/api/messages"
    print(printable(f"Ready: ask {title} at {where}"), flush=True)


async def _wait_for_signal() -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Windows' event loop has no signal handlers. There Ctrl+C cancels the main task.
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, stop.set)
    await stop.wait()


def _exit_after(seconds: float) -> None:
    """Exit after so many seconds even if a thread still runs, since threads can't be cancelled.

    By then the shutdown has answered all people, or told them that it can't.
    """
    timer = threading.Timer(seconds, os._exit, (0,))
    timer.daemon = True
    timer.start()
