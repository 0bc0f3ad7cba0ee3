"""The log: one event a line, with ids, counts and timings, and never what people wrote."""

from __future__ import annotations

import importlib.util
import logging
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Final, TextIO

import structlog
from aiohttp import web

from citations.text import printable, printable_lines

from . import Responded, Turn, emit, span
from .conversation_key import ConversationKey, short

_CHATTY = ("aiohttp.access", "azure", "botbuilder", "botframework", "httpx", "msal", "msrest", "urllib3")
"""Loggers that write headers, bodies, or URLs with tokens, below WARNING."""


_FOR_MACHINES: Final = ("logger", "activity", "conversation", "asker")
"""What a line on a terminal leaves out: names and ids by which a program joins events."""
_HAS_COLOURS: Final = sys.platform != "win32" or importlib.util.find_spec("colorama") is not None
"""structlog writes colours on Windows by colorama."""


def configure_logging(
    stream: TextIO = sys.stderr, level: int = logging.INFO, *, people: bool | None = None
) -> None:
    """Log events of ``level`` and above to ``stream``: for ``people``, or as JSON lines.

    By default a terminal is for people, and a file is not.

    A terminal gets the local time, the event and its numbers; the level only from a warning on. Colours
    are left out where ``NO_COLOR`` is set (no-color.org), or where the terminal has none.
    """
    people = stream.isatty() if people is None else people
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="%H:%M:%S" if people else "iso", utc=not people),
    ]
    renderer = _terminal_renderer(stream) if people else [_escape, structlog.processors.JSONRenderer()]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                *renderer,
            ],
        )
    )
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)


def _terminal_renderer(stream: TextIO) -> list[structlog.typing.Processor]:
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb" or not stream.isatty()
    console = structlog.dev.ConsoleRenderer(
        pad_event_to=0, pad_level=False, sort_keys=False, colors=_HAS_COLOURS and not plain
    )
    return [_escape, _leave_out, console]


def _leave_out(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    hidden = (*_FOR_MACHINES, *(["level"] if event.get("level") in ("info", "debug") else []))
    return {name: value for name, value in event.items() if name not in hidden}


def logger(name: str) -> structlog.stdlib.BoundLogger:
    """Create the logger of a module: ``log.info("answered", seconds=0.2, citations=3)``."""
    bound: structlog.stdlib.BoundLogger = structlog.get_logger(name)
    return bound


def _escape(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Escape control characters in an event's values. A traceback, which has several lines, loses them."""
    return {
        name: (printable_lines if name == "exception" else printable)(value)
        if isinstance(value, str)
        else value
        for name, value in event.items()
    }


def cause(error: BaseException) -> str:
    """Describe an error by type and place, ``ValueError at reader.py:12``.

    Its message is left out, because it may quote what a person wrote.
    """
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    file = trace.tb_frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
    return f"{type(error).__name__} at {file}:{trace.tb_lineno}"


async def run_turn(body: dict[str, Any], respond: Callable[[], Awaitable[web.Response]]) -> web.Response:
    """Call ``respond`` within the span of a turn, and return or raise its response.

    ``body`` is the turn's activity, which the guard has validated. Log events of the turn and of its
    tasks have a field ``activity``, the end of the activity's id.
    """
    turn = Turn(
        channel=body["channelId"],
        kind=body["type"],
        conversation=short(ConversationKey(body["channelId"], body["conversation"]["id"])),
        activity=suffix_of(body.get("id")),
    )
    with structlog.contextvars.bound_contextvars(activity=turn.activity), span(turn):
        response: web.Response
        try:
            response = await respond()
        except web.HTTPException as error:
            response = error
        emit(Responded(response.status))
    # Raised outside of the span, in which any exception counts as a failure.
    if isinstance(response, web.HTTPException):
        raise response
    return response


def suffix_of(activity_id: object) -> str:
    """The end of an activity's id, by which the log identifies it within its conversation.

    On Direct Line its beginning is the conversation's id, which must not be logged.
    """
    return activity_id[-8:] if isinstance(activity_id, str) else ""
