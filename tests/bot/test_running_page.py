"""What docs/running.md and deploy/ promise is what the bot has."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import sys
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import yaml  # type: ignore[import-untyped]
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bot.app import command
from bot.app import server as serving
from bot.config.telemetry import TelemetryOptions
from bot.config.timeouts import Timeouts
from bot.conversation import queue as admission
from bot.conversation.activity_log import LEASE, LIFETIME, RENEWALS
from bot.conversation.handler import LONGEST_QUESTION
from bot.conversation.outbox import LIFETIME as UNDELIVERED
from bot.conversation.outcome import BUSY, CLOSING, CRASHED, STOPPED, TOO_SLOW, UNREADABLE, find_outcome
from bot.http import body, connections, shape
from bot.http import health as probes
from bot.languages import Sentence, say
from bot.sources import SourceError
from bot.sources.folder import FolderSource
from bot.state import StateError
from bot.state.store_url import create_store
from bot.telemetry.conversation_key import ConversationKey
from bot.telemetry.traces import FLUSH
from tests.ports import free_port

from ..programs import find_program
from .redis_server import redis_server
from .running import running
from .table_source import TableSource

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
SETTINGS = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
TABLE = "\n".join(re.findall(r"^\| `\w+`.*$", SETTINGS, re.MULTILINE))
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))

DIGEST = "@sha256:[0-9a-f]{64}"

THEIRS = {"WEBSITES_PORT", "WEBSITES_CONTAINER_STOP_TIME_LIMIT", "REDIS_PASSWORD"}
"""App Service's own variables, and the composition's."""
CONVERSATION = ConversationKey("sms", "+4915112345678")


# The page


def test_every_variable_that_it_names_is_one() -> None:
    named = set(re.findall(r"(?:^|[`\s])((?:Microsoft|[A-Z]+_)[A-Za-z_]+)(?==|`)", PAGE, re.MULTILINE))
    assert {"STATE_URL", "METRICS_PORT", "MicrosoftAppId", "DOCS_DIR"} <= named
    unknown = {name for name in named - THEIRS if not name.startswith("OTEL_") and f"`{name}`" not in TABLE}
    assert unknown == set()


async def test_it_names_every_metric_and_no_other(tmp_path: Path) -> None:
    port = free_port()
    (tmp_path / "docs").mkdir()
    source = FolderSource(tmp_path / "docs", document_base="", cache=tmp_path / "cache")
    async with (
        running(source, telemetry=TelemetryOptions(metrics_port=port)),
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{port}/metrics") as response,
    ):
        served = set(re.findall(r"^# TYPE (citation_bot_\w+) ", await response.text(), re.MULTILINE))
    assert served == set(re.findall(r"^\| `(citation_bot_\w+)`", PAGE, re.MULTILINE))


def test_it_names_every_ending() -> None:
    endings = [STOPPED, TOO_SLOW, CRASHED, CLOSING, BUSY, UNREADABLE, find_outcome(SourceError("x"))]
    assert [one.name for one in endings if f"`{one.name.replace(' ', '_')}`" not in PAGE] == []


def test_it_quotes_what_people_read() -> None:
    for sentence in (
        say(BUSY.message),
        say(Sentence.QUESTION_TOO_LONG, limit=LONGEST_QUESTION),
        say(TOO_SLOW.message),
        say(CLOSING.suffix),
        say(Sentence.LATE),
    ):
        assert f"“{sentence}”" in PAGE.replace("\n", " ")


LIMITS = [
    f"{admission.ANSWERS} questions at once (`MAX_ANSWERS`)",
    f"{admission.WAITING} that wait (`MAX_WAITING`), or {admission.IN_ONE} in one conversation",
    f"{LONGEST_QUESTION:,} characters in a question",
    f"{Timeouts().budget:.0f} s in a request",
    f"{Timeouts().patience:.0f} s without a piece of the answer, {Timeouts().longest:.0f} s in all",
    f"{Timeouts().sending:.0f} s for an activity to a channel",
    f"{body.LARGEST // 1024} KB, {shape.DEEPEST} levels, {shape.MOST:,} objects and lists",
    f"or {body.TIMEOUT:.0f} s for a body",
    f"{connections.HEAD_TIMEOUT:.0f} s for a head",
    f"{connections.MOST:,} connections",
    f"closed before {connections.KEEP_ALIVE:.0f} s",
    f"longest delay of the last {probes.WINDOW:.0f} s",
    f"each measure of {probes.WINDOW:.0f} s was more than {probes.STUCK:.0f} s late",
    f"within {command.LONGEST_END:.0f} s",
    f"listens for {serving.GRACE:.0f} s more",
    f"Answers under way have {serving.DRAIN:.0f} s",
    f"for {FLUSH:.0f} s at most",
    f"every {LEASE / RENEWALS:.1f} s",
    f"{Timeouts().following:.0f} s more where a channel doesn't take what follows its request",
    f"kept for {UNDELIVERED / 3600:.0f} hours",
    f"looks for {LEASE:.0f} s whether",
    f"the last {LIFETIME / 60:.0f} minutes' messages",
]


@pytest.mark.parametrize("words", LIMITS)
def test_its_limits_are_the_bots(words: str) -> None:
    assert words in PAGE.replace("\n", " ")


def test_the_end_fits_into_its_time() -> None:
    assert serving.GRACE + serving.DRAIN + 2 * serving.CANCEL_TIMEOUT + FLUSH < command.LONGEST_END


# The container


def instructions() -> list[tuple[str, str]]:
    """Of the Dockerfile: each with its arguments, lines that go on joined."""
    text = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(line.split()[0], line.partition(" ")[2]) for line in joined.splitlines() if line.strip()]


def last_stage() -> list[tuple[str, str]]:
    every = instructions()
    begins = [number for number, (word, _) in enumerate(every) if word == "FROM"]
    return every[begins[-1] :]


def given(name: str) -> str:
    [argument] = [argument for word, argument in last_stage() if word == name]
    return argument


def test_both_stages_have_the_same_python_and_it_is_one_of_ours() -> None:
    images = {argument.split()[0] for word, argument in instructions() if word == "FROM"}
    [version] = [re.fullmatch(rf"python:(3\.\d+)\.\d+-slim-trixie{DIGEST}", image) for image in images]
    assert version
    assert f"Programming Language :: Python :: {version[1]}" in (ROOT / "pyproject.toml").read_text("utf-8")


def test_it_runs_without_root_and_keeps_what_it_writes_in_its_volume() -> None:
    user, group = given("USER").split(":")
    assert int(user) == int(group) > 1000  # a number, which Kubernetes' runAsNonRoot asks for
    volume = given("VOLUME")
    environ = dict(re.findall(r"(\w+)=(\S+)", given("ENV")))
    assert environ["XDG_CACHE_HOME"].startswith(f"{volume}/")
    assert environ["PYTHONDONTWRITEBYTECODE"] == "1"
    assert environ["HOST"] == "0.0.0.0"
    assert f":{user}" not in volume
    assert f"`fsGroup: {group}`" in PAGE


def test_the_bot_is_the_process_that_gets_the_signal() -> None:
    assert given("CMD") == '["python", "app.py"]'
    assert given("STOPSIGNAL") == "SIGTERM"
    assert not [word for word, _ in last_stage() if word in {"ENTRYPOINT", "SHELL"}]


def test_nothing_is_built_in_the_image_that_runs() -> None:
    run = " ".join(argument for word, argument in last_stage() if word == "RUN")
    assert run
    assert not re.search(r"\b(apt-get|pip|gcc|build-essential|curl|wget)\b", run)
    assert "--only-binary=:all:" in " ".join(argument for word, argument in instructions() if word == "RUN")


def test_all_that_is_copied_is_there_and_passes_dockerignore() -> None:
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert ignored[1] == "*"
    let_in = {line[1:] for line in ignored if line.startswith("!")}
    copied = [
        source
        for word, argument in instructions()
        if word == "COPY" and not argument.startswith("--from")
        for source in argument.split()[:-1]
    ]
    assert set(copied) == let_in
    assert [one for one in copied if not list(ROOT.glob(one))] == []


def read_lock(name: str) -> list[tuple[str, str, int]]:
    """Each package and its version, and how many of its files have their hashes there."""
    text = (ROOT / "deploy" / name).read_text("utf-8")
    packages = re.findall(r"^([\w.-]+)==(\S+)(.*(?:\n    --hash=sha256:[0-9a-f]{64}.*)*)", text, re.MULTILINE)
    return [(name, version, hashes.count("--hash=")) for name, version, hashes in packages]


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-llamaindex.lock"])
def test_what_is_installed_is_what_is_required_and_its_hash_is_known(name: str) -> None:
    lock = read_lock(name)
    assert min(hashes for *_, hashes in lock) > 0
    command = (ROOT / "deploy" / name).read_text("utf-8").splitlines()[1]
    files = set(re.findall(r"requirements[\w-]*\.txt", command))
    assert files == {name.replace(".lock", ".txt"), "requirements-telemetry.txt"}
    for file in files | {"requirements.txt"}:
        lines = [line.partition("#")[0].strip() for line in (ROOT / file).read_text("utf-8").splitlines()]
        for one in (Requirement(line) for line in lines if line and not line.startswith("-r")):
            # A newer Python may need another version.
            versions = [version for name, version, _ in lock if name == canonicalize_name(one.name)]
            assert any(map(one.specifier.contains, versions)), f"{one} is not in {versions}; {command}"


def test_the_image_installs_a_lock_by_its_hashes() -> None:
    assert [argument for word, argument in instructions() if word == "ARG"] == ["LOCK=requirements.lock"]
    [install] = [argument for word, argument in instructions() if word == "RUN" and "pip install" in argument]
    assert '--require-hashes -r "/locks/${LOCK}"' in install
    assert "COPY deploy/*.lock /locks/" in (ROOT / "deploy" / "Dockerfile").read_text("utf-8")
    locks = re.findall(r"requirements[\w-]*\.lock", PAGE)
    assert locks
    assert [lock for lock in locks if not (ROOT / "deploy" / lock).exists()] == []


async def healthy(port: int) -> int:
    """What the container's health check ends with."""
    command = re.fullmatch(r'.* CMD \["python", "(.+)"\]', given("HEALTHCHECK"))
    assert command
    environ = {
        **os.environ,
        "PORT": str(port),
        "HTTP_PROXY": "http://127.0.0.1:1",
        "http_proxy": "http://127.0.0.1:1",
    }
    process = await asyncio.create_subprocess_exec(sys.executable, command[1], cwd=ROOT, env=environ)
    return await process.wait()


async def test_its_health_is_the_bots() -> None:
    async with running(TableSource()) as bot:
        port = int(bot.rpartition(":")[2])
        assert await healthy(port) == 0
    assert await healthy(port) == 1


# The composition


def test_its_variables_are_the_bots_and_secrets_come_from_outside() -> None:
    environ = COMPOSE["services"]["bot"]["environment"]
    assert [name for name in environ if f"`{name}`" not in TABLE] == []
    # What the composition decides by itself goes before the file.
    assert COMPOSE["services"]["bot"]["env_file"] == [{"path": ".env", "required": False}]
    assert (environ["HOST"], environ["PORT"]) == ("0.0.0.0", "3978")
    for name in ("MicrosoftAppId", "MicrosoftAppPassword", "MicrosoftAppTenantId"):
        assert environ[name] == f"${{{name}:?}}"
    assert environ["STATE_URL"] == "redis://:${REDIS_PASSWORD:?}@redis:6379/0"


def test_each_service_has_its_limits_and_an_image_that_cannot_change() -> None:
    for service in COMPOSE["services"].values():
        assert service["deploy"]["resources"]["limits"].keys() == {"cpus", "memory", "pids"}
        assert "build" in service or re.search(f"{DIGEST}$", service["image"])


async def test_its_redis_keeps_state_for_the_bot_and_for_no_other(tmp_path: Path) -> None:
    password = secrets.token_hex(32)
    config = tmp_path / "redis.conf"
    [mounted] = COMPOSE["services"]["redis"]["configs"]
    assert COMPOSE["services"]["redis"]["command"][1] == mounted["target"]
    content: str = COMPOSE["configs"][mounted["source"]]["content"]
    config.write_text(content.replace("${REDIS_PASSWORD:?}", password), "utf-8")
    url: str = COMPOSE["services"]["bot"]["environment"]["STATE_URL"].replace("${REDIS_PASSWORD:?}", password)
    with redis_server(tmp_path, config=config) as server:
        state = create_store(url.replace("redis:6379", f"127.0.0.1:{server.port}"))
        await state.open()
        await state.put(CONVERSATION, "answer", "", b"kept", lifetime=60)
        assert await state.get(CONVERSATION, "answer") == b"kept"
        await state.close()
        stranger = create_store(f"redis://127.0.0.1:{server.port}/0")
        with pytest.raises(StateError, match="authenticate"):
            await stranger.open()
        await stranger.close()
        # What its health check runs, and what it prints where the password is wrong.
        assert await ping(server.port, password) == "PONG\n"
        assert await ping(server.port, "wr0ng") != "PONG\n"


async def ping(port: int, password: str) -> str:
    """What ``redis-cli ping`` prints with this password."""
    program = find_program("redis-cli")
    environ = dict(os.environ, REDISCLI_AUTH=password)
    process = await asyncio.create_subprocess_exec(
        program, "-p", str(port), "ping", env=environ, stdout=asyncio.subprocess.PIPE
    )
    printed, _ = await process.communicate()
    return printed.decode("utf-8")


def test_its_replicas_have_the_time_to_end_and_no_more_rights_than_they_need() -> None:
    bot = COMPOSE["services"]["bot"]
    assert bot["deploy"]["replicas"] == 2
    assert int(bot["stop_grace_period"].removesuffix("s")) > command.LONGEST_END
    assert (bot["read_only"], bot["cap_drop"]) == (True, ["ALL"])
    # Only the proxy is reached from outside, so neither Redis nor the metrics are.
    assert [name for name, service in COMPOSE["services"].items() if "ports" in service] == ["proxy"]
