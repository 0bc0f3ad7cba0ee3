"""A secret word in a labelled document, looked for in every byte that leaves the bot or stays behind."""

from __future__ import annotations

import contextlib
import io
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode

from bot.config.telemetry import TelemetryOptions
from bot.sources import AnswerSource
from bot.sources.folder import FolderSource
from citations import LabelRanking
from citations.channels import channel_ids
from citations.labels import LabelRule
from citations.model.channel_id import EVERY_CHANNEL
from tests.ports import free_port

from ..model_server import DONE, END, Handler, ModelServer, chunk, model_server, saying, sending, streaming
from ..retrieval.labelled_documents import ONE, custom, label, word
from ..sources.llamaindex_engines import asking, query_engine
from ..sources.open_webui_server import open_webui_server
from ..sources.writer_server import chunk as completion_chunk
from ..sources.writer_server import event, question, writer_server
from .collector import collecting
from .running import Connector, connecting, logged, message, running

SECRET = "xylocanary"
"""Confidential, in a Word document that says so itself: it may leave on Direct Line and not as SMS."""
SEALED = "ptilocanary"
"""Encrypted: it may leave nowhere, and no model is given it."""

RANKING = LabelRanking.from_toml(
    f"""
    default = "general"
    [[label]]
    id = "general"
    name = "General"
    priority = 0
    [[label]]
    id = "{ONE}"
    name = "Confidential"
    priority = 1
    [[label]]
    id = "sealed"
    name = "Sealed"
    priority = 2
    encrypted = true
    [ceiling]
    sms = "general"
    [[rule]]
    file = "sealed/*"
    label = "sealed"
    """
)
QUESTIONS = [
    "What is the password of the harbour gate?", "1", "source 1", "2", "more", "more",
    "What is the code of the harbour vault?", "1", "more", "harbour", "What about the harbour gate?",
]  # fmt: skip


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "sealed").mkdir(parents=True)
    said = f"The password of the harbour gate is {SECRET}. Tell nobody the password {SECRET}."
    (folder / "gate.docx").write_bytes(
        word(said, docProps_custom=custom(label(ONE, Enabled="true", Name="Public")))
    )
    (folder / "sealed" / "vault.md").write_text(
        f"# Harbour {SEALED}\n\nThe code of the harbour vault is {SEALED}.\n", encoding="utf-8"
    )
    (folder / "opening.md").write_text("# Harbour gate\n\nThe harbour gate opens at six.\n", encoding="utf-8")
    return folder


@contextlib.contextmanager
def everything_logged() -> Iterator[io.StringIO]:
    """All that our code and the libraries log, at the lowest level there is."""
    with logged() as log:
        levels = {name: logging.getLogger(name).level for name in logging.root.manager.loggerDict}
        for name in levels:
            logging.getLogger(name).setLevel(logging.DEBUG)
        logging.root.setLevel(1)
        try:
            yield log
        finally:
            for name, level in levels.items():
                logging.getLogger(name).setLevel(level)


class Heard:
    """Every byte that somebody could read, by where it was read."""

    def __init__(self) -> None:
        places = ("connector", "responses", "log", "state", "traces", "metrics")
        self.bytes: dict[str, bytes] = dict.fromkeys(places, b"")

    def has(self, secret: str) -> list[str]:
        """Where it is, written in any way that JSON has."""
        return [where for where, heard in self.bytes.items() if secret.encode() in heard.lower()]

    def our_log(self) -> list[bytes]:
        """The lines of our log: a supplier's own client may log, when it is told to, what it is sent."""
        return [line for line in self.bytes["log"].splitlines() if b'"logger": "bot' in line]


async def conversation(
    source: AnswerSource,
    channels: Sequence[str],
    state: Path,
    ranking: LabelRanking = RANKING,
    questions: Sequence[str] = QUESTIONS,
) -> Heard:
    """Ask everything on each channel; one message of theirs breaks the turn."""
    heard = Heard()
    observed = TelemetryOptions(metrics_port=free_port(), traces=True)
    async with connecting() as connector, collecting() as collector:
        with everything_logged() as log, pytest.MonkeyPatch.context() as patched:
            patched.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint)
            async with (
                running(source, state=f"sqlite:///{state}", labels=ranking, telemetry=observed) as authority,
                aiohttp.ClientSession() as session,
            ):
                for number, (on, question) in enumerate(product(channels, questions)):
                    body = message(connector.service_url, question, id=f"q{number}", channelId=on)
                    heard.bytes["responses"] += await posted(session, authority, body)
                connector.status = 500
                broken = message(connector.service_url, questions[0], id="broken", channelId=channels[-1])
                heard.bytes["responses"] += await posted(session, authority, broken)
                # Looked at while the bot still runs, and before SQLite tidies up.
                heard.bytes["state"] = b"".join(one.read_bytes() for one in state.parent.glob("state.db*"))
                metrics = f"http://127.0.0.1:{observed.metrics_port}/metrics"
                async with session.get(metrics) as response:
                    heard.bytes["metrics"] = await response.read()
        heard.bytes["log"] = log.getvalue().encode()
        heard.bytes["traces"] = collector.raw
    heard.bytes["connector"] = b"".join(drained(connector))
    return heard


def drained(connector: Connector) -> Iterator[bytes]:
    while not connector.received.empty():
        yield connector.received.get_nowait()[2]


async def posted(session: aiohttp.ClientSession, authority: str, body: dict[str, Any]) -> bytes:
    async with session.post(f"http://{authority}/api/messages", json=body) as response:
        return await response.read()


@contextlib.asynccontextmanager
async def folder_source(
    docs: Path, tmp_path: Path, behave: Handler | None
) -> AsyncIterator[tuple[FolderSource, ModelServer]]:
    async with model_server() as model:
        if behave:
            model.behave = behave
        writer = model.writer() if behave else None
        yield (
            FolderSource(docs, document_base="", cache=tmp_path / "cache", ranking=RANKING, writer=writer),
            model,
        )


MODELS: dict[str, Handler | None] = {
    "none": None,
    "repeats it": streaming(f"The password is {SECRET} [1]."),
    "cites nothing": streaming(f"It is {SECRET}."),
    "breaks off": sending(chunk(f"The password is {SECRET}"), END),
    "fails": saying({"error": {"message": SECRET}}, status=400),
}


@pytest.mark.parametrize("behave", MODELS.values(), ids=MODELS)
async def test_below_its_ceiling_a_channel_gets_no_byte_of_it(
    behave: Handler | None, docs: Path, tmp_path: Path
) -> None:
    async with folder_source(docs, tmp_path, behave) as (source, model):
        heard = await conversation(source, ["sms"], tmp_path / "state.db")
        assert heard.has(SECRET) == []
        assert heard.has(SEALED) == []
        assert b"sensitivity label" in heard.bytes["connector"]
        assert b"answer" in heard.bytes["state"]
        assert b"answered" in heard.bytes["log"]
        assert b"answered" in heard.bytes["traces"]
        assert b"citation_bot_answer_seconds_count" in heard.bytes["metrics"]
        if behave:
            assert SECRET in str(model.bodies)
            assert SEALED not in str(model.bodies)


async def test_where_it_may_be_shown_it_is_and_the_log_has_it_nowhere(docs: Path, tmp_path: Path) -> None:
    """That the canary sings where it may is what makes its silence elsewhere mean something."""
    async with folder_source(docs, tmp_path, None) as (source, _):
        heard = await conversation(source, ["directline"], tmp_path / "state.db")
        assert "connector" in heard.has(SECRET)
        assert {"traces", "metrics"}.isdisjoint(heard.has(SECRET))
        assert heard.has(SEALED) == []
        assert heard.our_log()
        assert not any(SECRET.encode() in line for line in heard.our_log())


# A supplier's passages, labelled by an id that the answer's markers don't have

PASSAGE = f"The password of the harbour gate is {SECRET}."
SAID = f"The password is {SECRET}"


@contextlib.asynccontextmanager
async def writer() -> AsyncIterator[AnswerSource]:
    """A file is cited by one id and named by another, which ``sources`` have, too."""
    async with writer_server() as server:
        files = [{"text": PASSAGE, "fileId": "file-7", "cite": "cite-1", "score": 0.9}]
        found = {"references": {"files": files}, "sources": [{"file_id": "file-7", "snippet": PASSAGE}]}
        said = [event(question(f"{SAID} [gate.docx](cite-1).")), event(question("", **found))]
        server.behave = sending(*said)
        yield server.source()


@contextlib.asynccontextmanager
async def open_webui() -> AsyncIterator[AnswerSource]:
    """A file of a knowledge."""
    metadata = [{"source": "gate.docx", "name": "gate.docx", "file_id": "file-7"}]
    found = {"source": {"id": "k", "name": "Harbour"}, "document": [PASSAGE], "metadata": metadata}
    async with answering_open_webui(found, f"{SAID} [1].") as source:
        yield source


@contextlib.asynccontextmanager
async def tool_of_open_webui() -> AsyncIterator[AnswerSource]:
    """What a tool found, which no marker names; the document that is cited may be read by everybody."""
    result = {"source": {"id": "file-7", "name": "TOOL:gate"}, "document": [PASSAGE], "tool_result": True}
    harmless = {"source": {"name": "opening.md"}, "document": ["The harbour gate opens at six."]}
    async with answering_open_webui(result, f"{SAID} [1].", harmless) as source:
        yield source


@contextlib.asynccontextmanager
async def answering_open_webui(
    found: dict[str, Any], text: str, *others: dict[str, Any]
) -> AsyncIterator[AnswerSource]:
    async with open_webui_server() as server:
        sources = event({"sources": [found, *others]})
        server.behave = sending(sources, event(completion_chunk(text, "stop")), DONE)
        yield server.source()


@contextlib.asynccontextmanager
async def llamaindex() -> AsyncIterator[AnswerSource]:
    """A node of a document."""
    document = RelatedNodeInfo(node_id="file-7")
    node = TextNode(text=PASSAGE, id_="node-1", relationships={NodeRelationship.SOURCE: document})
    async with model_server() as model:
        model.behave = streaming(f"{SAID} [1].")
        yield asking(query_engine(model.url, node))


SUPPLIERS = [writer, open_webui, tool_of_open_webui, llamaindex]


def ranked(label: str, name: str) -> LabelRanking:
    return replace(RANKING, rules=(LabelRule(label=label, id=name),))


@pytest.mark.parametrize("label", [ONE, "sealed"])
@pytest.mark.parametrize("supplier", SUPPLIERS)
async def test_no_byte_of_a_suppliers_passage_leaves_on_any_channel(
    supplier: Callable[[], AbstractAsyncContextManager[AnswerSource]], label: str, tmp_path: Path
) -> None:
    ranking = replace(ranked(label, "file-7"), ceilings={EVERY_CHANNEL: "general"} if label == ONE else {})
    async with supplier() as source:
        questions = (QUESTIONS[0], "1", "more")
        heard = await conversation(source, channel_ids(), tmp_path / "state.db", ranking, questions)
    assert set(heard.has(SECRET)) <= {"log"}
    assert heard.our_log()
    assert not any(SECRET.encode() in line for line in heard.our_log())
    assert heard.bytes["connector"].count(b"sensitivity label") >= len(channel_ids())
    assert b"answer" in heard.bytes["state"]


@pytest.mark.parametrize("supplier", SUPPLIERS)
async def test_a_rule_for_another_file_keeps_nothing(
    supplier: Callable[[], AbstractAsyncContextManager[AnswerSource]], tmp_path: Path
) -> None:
    async with supplier() as source:
        heard = await conversation(source, ["sms"], tmp_path / "state.db", ranked("sealed", "file-8"))
    assert {"connector", "state"} <= set(heard.has(SECRET))
