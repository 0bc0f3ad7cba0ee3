"""A folder in a vector store: it answers as the folder itself, on each store, and is kept up to date."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession
from llama_index.core.vector_stores.types import BasePydanticVectorStore, VectorStoreQuery

from bot.config.answer_sources import LlamaIndexOptions
from bot.retrieval.meaning import Likeness
from bot.retrieval.passages import PASSAGE, Passage, read_record
from bot.retrieval.reading.folder_scan import Scan, Skipped, scan
from bot.sources import AnswerSource, SourceUnavailable
from bot.sources.errors import KeyRefused
from bot.sources.folder import FolderSource
from bot.sources.folder.labels import FolderLabels
from bot.sources.llamaindex.source import LlamaIndexSource
from bot.sources.llamaindex.store import DocumentStore, StoreError, StoreReport, StoreUpdate
from bot.sources.llamaindex.store.document_store import CANDIDATES
from bot.sources.llamaindex.stored_source import StoredSource
from bot.sources.permission import EVERYTHING, Permission, place_of
from citations import (
    LabelRanking,
    Reference,
    ReferencesFound,
    Rendering,
    TextDelta,
)
from citations.labels import LabelRule, SensitivityLabel
from examples import llamaindex_vector

from ..bot.running import logged, running
from ..ports import free_port
from ..retrieval.labelled_documents import ONE, custom, label, word
from .asking import ask
from .vector_stores import (
    WordEmbedding,
    document_store,
    new_table,
    open_qdrant,
)

SAMPLES = Path(__file__).parents[2] / "bot" / "samples"
BASE = "http://127.0.0.1:3978/documents/"
STORES = ["milvus", "qdrant", "postgres", "chroma"]

RANKING = LabelRanking(
    labels=(
        SensitivityLabel(id="general", name="General", priority=0),
        SensitivityLabel(id="sealed", name="Sealed", priority=1, encrypted=True),
    ),
    default="general",
    rules=(LabelRule(label="sealed", file="*-sealed.md"),),
)


@pytest.fixture
def embedding() -> WordEmbedding:
    return WordEmbedding()


@pytest.fixture
def opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedding: WordEmbedding, request: pytest.FixtureRequest
) -> Callable[[str], DocumentStore]:
    """Opens an empty store of a kind."""

    def open_store(kind: str) -> DocumentStore:
        new_table(monkeypatch)
        if kind == "qdrant":
            return DocumentStore(open_qdrant(tmp_path / "qdrant"), embedding, place="Qdrant")
        uri = str(tmp_path / "milvus.db") if kind == "milvus" else request.getfixturevalue(kind)
        return document_store(uri, embedding, monkeypatch)

    return open_store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    directory = tmp_path / "handbook"
    directory.mkdir()
    return directory


def write(folder: Path, **documents: str) -> None:
    for name, text in documents.items():
        (folder / f"{name.replace('_', '-')}.md").write_text(text, encoding="utf-8")


def answering(store: DocumentStore, **more: Any) -> LlamaIndexSource:
    options = LlamaIndexOptions.model_construct(engine="m:store")
    return LlamaIndexSource(store, options, document_base=BASE, ranking=RANKING, **more)


async def collect_answer(
    source: AnswerSource, question: str, permission: Permission = EVERYTHING
) -> tuple[str, list[Reference]]:
    events = [event async for event in source.answer_for(question, permission)]
    text = "".join(event.text for event in events if isinstance(event, TextDelta))
    return text, [one for event in events if isinstance(event, ReferencesFound) for one in event.references]


def find(store: DocumentStore, question: str) -> list[tuple[Passage, Likeness | None]]:
    """The passages that the store finds among all, each with its likeness where that was compared."""
    found = store.find(question, store.listing)
    records = map(read_record, found.words.iter_records(PASSAGE))
    return [(one.passage, found.likenesses.get(one.digest)) for one in records]


# It answers as the folder does

QUESTIONS = [
    "What may a hotel in Berlin cost?",
    "Do I report the loss of a laptop to the security desk within two hours?",
    "How many days of paid holiday do full-time employees have a year?",
    "May I book first class on a train?",
    "Wie viele Tage darf ich im Homeoffice arbeiten?",
    "What do I do on my first day?",
]


@pytest.fixture(scope="session")
async def by_the_folder(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Rendering]:
    """What the folder source itself answers."""
    cache = tmp_path_factory.mktemp("cache")
    source = FolderSource(SAMPLES, document_base=BASE, cache=cache, ranking=RANKING)
    await source.open()
    await source.wait_until_read()
    answers = {question: await ask(source, question) for question in QUESTIONS}
    await source.close()
    return answers


@pytest.mark.parametrize("kind", STORES)
async def test_a_stored_folder_answers_as_the_folder_itself(
    kind: str, opened: Callable[[str], DocumentStore], by_the_folder: dict[str, Rendering]
) -> None:
    """Where both answer, the first sentence is the same, and its claim: name, page, address, label, text."""
    store = opened(kind)
    assert StoreUpdate(store, SAMPLES).run().stored == len(scan(SAMPLES).files)
    source = answering(store)
    await source.open()
    alike = 0
    for question, expected in by_the_folder.items():
        answer = await ask(source, question)
        if answer.channel_data == expected.channel_data == {"answerKind": "answered"}:
            assert sentence_of(answer) == sentence_of(expected)
            assert claims_of(answer)[0] == claims_of(expected)[0]
            alike += 1
    # The folder of this test has no vectors, so it is sure of other answers.
    assert alike >= 2
    assert (await source.facts())["documents"] == len(scan(SAMPLES).files)
    assert len(await source.suggestions()) == 4
    await source.close()


def sentence_of(answer: Rendering) -> str:
    return answer.text.partition(" [1]")[0]


def claims_of(answer: Rendering) -> Any:
    return answer.entities[0]["citation"]


# The store restricts the search to what a person may see


@pytest.mark.parametrize("kind", STORES)
async def test_what_a_person_may_see_is_found_behind_any_number_of_better_passages(
    kind: str, opened: Callable[[str], DocumentStore], folder: Path
) -> None:
    hidden = {
        f"secret_{number}": f"The salary of plovers is {number} pebbles." for number in range(CANDIDATES + 5)
    }
    write(folder, **hidden, o_brien="No salary is paid to plovers, among other birds of the shore.")
    # A name that would open any filter in which it stood.
    (folder / "o-brien.md").rename(folder / "o'brien') or (1=1.md")
    store = opened(kind)
    StoreUpdate(store, folder).run()
    source = answering(store)
    await source.open()
    _, found = await collect_answer(source, "What is the salary of plovers?")
    assert all("secret" in str(one.name) for one in found)
    limited = Permission(sees=lambda one: "brien" in place_of(one))
    text, found = await collect_answer(source, "What is the salary of plovers?", limited)
    urls = [str(one.document_url).partition("?")[0] for one in found]
    assert urls == [BASE + "o%27brien%27%29%20or%20%281%3D1.md"]
    assert "pebbles" not in text
    assert (await source.facts_for(limited))["documents"] == 1
    nothing = Permission(sees=lambda _: False)
    text, found = await collect_answer(source, "What is the salary of plovers?", nothing)
    assert (found, "pebbles" in text) == ([], False)
    await source.close()


async def test_a_label_that_has_risen_since_the_listing_counts(
    opened: Callable[[str], DocumentStore], folder: Path
) -> None:
    store = opened("qdrant")
    file = folder / "plovers.docx"
    file.write_bytes(word("Plovers nest on the ground."))
    StoreUpdate(store, folder).run()
    source = answering(store)
    await source.open()
    limited = Permission(sees=lambda one: one.label == "general")
    assert "on the ground" in (await collect_answer(source, "Where do plovers nest?", limited))[0]
    file.write_bytes(word("Plovers nest on the ground.", docProps_custom=custom(label(ONE, Enabled="true"))))
    StoreUpdate(store, folder).run()
    for _ in range(2):
        text, found = await collect_answer(source, "Where do plovers nest?", limited)
        assert (found, "on the ground" in text) == ([], False)
    assert (await source.facts_for(limited))["documents"] == 0
    await source.close()


async def test_where_the_documents_can_not_be_listed_again_no_old_label_counts(
    opened: Callable[[str], DocumentStore], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, plovers="Plovers nest on the ground.")
    store = opened("qdrant")
    StoreUpdate(store, folder).run()
    source = answering(store)
    await source.open()
    assert await source.describe_document("plovers.md")
    store._due = 0.0  # as long as the last listing counts

    def fail(*_: Any, **__: Any) -> None:
        raise ConnectionRefusedError

    with monkeypatch.context() as broken:
        broken.setattr(type(store.vectors), "get_nodes", fail)
        for _ in range(2):
            with pytest.raises(SourceUnavailable, match="Qdrant: it can't be reached"):
                await source.describe_document("plovers.md")
    assert await source.describe_document("plovers.md")
    await source.close()


async def test_a_store_that_ignores_the_filter_gives_no_answer(
    opened: Callable[[str], DocumentStore], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, hidden="The salary of plovers is nine.", open="Plovers nest on the ground.")
    store = opened("qdrant")
    StoreUpdate(store, folder).run()
    kind: Any = type(store.vectors)
    query = kind.query

    def without_filter(self: BasePydanticVectorStore, given: VectorStoreQuery, **more: Any) -> Any:
        given.filters = None
        return query(self, given, **more)

    monkeypatch.setattr(kind, "query", without_filter)
    source = answering(store)
    limited = Permission(sees=lambda one: "open" in place_of(one))
    with pytest.raises(SourceUnavailable, match="Qdrant: it ignores the filter"):
        await collect_answer(source, "What is the salary of plovers?", limited)
    await source.close()


async def test_what_a_label_encrypts_is_named_and_not_quoted(
    opened: Callable[[str], DocumentStore], folder: Path
) -> None:
    write(
        folder,
        pay_sealed="# Bands\n\nThe salary band of plovers is nine.\n",
        pay="# Days\n\nThe salary is paid on the last day.\n",
    )
    store = opened("qdrant")
    StoreUpdate(store, folder).run()
    source = answering(store)
    await source.open()
    text, (reference,) = await collect_answer(source, "What is the salary band of plovers?")
    assert "nine" not in text
    assert (reference.label, reference.text, reference.only_named) == ("sealed", None, True)
    assert all("Bands" not in one for one in await source.suggestions())
    proven = Permission(extracts=lambda one: place_of(one) == "pay-sealed.md")
    text, references = await collect_answer(source, "What is the salary band of plovers?", proven)
    assert text.startswith("*Bands (pay-sealed.md)* [1]\n\n> **The salary band of plovers is nine.**")
    assert (references[0].label, references[0].extract) == ("sealed", True)
    await source.close()


async def test_passages_that_come_near_are_shown_and_claim_nothing(
    opened: Callable[[str], DocumentStore], folder: Path
) -> None:
    write(folder, birds="Waders live near the shore.", other="# Pay\n\nThe salary is paid on the last day.")
    store = opened("qdrant")
    StoreUpdate(store, folder).run()
    source = answering(store)
    await source.open()
    answer = await ask(source, "Which waders sing near the house?")
    assert answer.channel_data["answerKind"] == "unsure"
    assert "live near the shore." in answer.text
    await source.close()


async def test_where_nothing_comes_near_the_person_reads_what_was_searched(
    opened: Callable[[str], DocumentStore], folder: Path
) -> None:
    write(folder, birds="# Waders\n\nShores.", other="# Which day is pay day?\n\nIt is paid on the last day.")
    store = opened("qdrant")
    StoreUpdate(store, folder).run()
    source = answering(store)
    await source.open()
    limited = Permission(sees=lambda one: "birds" in place_of(one))
    for permission, shows in ((EVERYTHING, True), (limited, False)):
        answer = await ask(source, "Who invented the telephone?", permission=permission)
        assert answer.channel_data["answerKind"] == "nothing"
        assert answer.text.startswith("Your documents seem not to say this.")
        assert ("Which day is pay day?" in str(answer)) == shows
    await source.close()


@pytest.mark.parametrize(("kind", "by_words"), [("postgres", True), ("qdrant", False)])
def test_words_find_what_no_vector_comes_near(
    kind: str, by_words: bool, opened: Callable[[str], DocumentStore], folder: Path
) -> None:
    alike = {f"nest_{number}": f"Where is it that we have box {number}?" for number in range(CANDIDATES + 5)}
    filler = " ".join(f"Sentence {number} is of something else entirely." for number in range(20))
    write(folder, **alike, ring=f"{filler} The ring of such a bird is a kwizniak.")
    store = opened(kind)
    StoreUpdate(store, folder).run()
    found = find(store, "Where is it that we have a kwizniak?")
    ring = [likeness for passage, likeness in found if passage.path == "ring.md"]
    assert ring == ([None] if by_words else []), "only its words were compared"


# The store follows the folder


@pytest.mark.parametrize("kind", STORES)
def test_only_what_changed_is_embedded(
    kind: str, opened: Callable[[str], DocumentStore], folder: Path, embedding: WordEmbedding
) -> None:
    store = opened(kind)
    write(folder, plovers="Plovers nest on the ground.", gulls="Gulls nest on cliffs.", empty=" ")
    update = StoreUpdate(store, folder)
    assert update.run() == StoreReport(stored=2, embedded=2)
    assert update.run() == StoreReport()
    assert StoreUpdate(store, folder).run() == StoreReport(), "another process embeds nothing again"
    write(folder, gulls="Gulls nest on roofs.")
    (folder / "plovers.md").unlink()
    assert update.run() == StoreReport(stored=1, removed=1, embedded=1)
    assert embedding.texts[-1] == "Gulls nest on roofs."
    assert list(store.list_files()) == ["gulls.md"]
    ((passage, _),) = find(store, "Where do plovers nest?")
    assert passage.text == "Gulls nest on roofs."


@pytest.mark.parametrize("kind", ["milvus", "qdrant", "postgres"])  # Chroma returns no vectors
def test_a_passage_that_stayed_keeps_its_vector(
    kind: str, opened: Callable[[str], DocumentStore], folder: Path, embedding: WordEmbedding
) -> None:
    store = opened(kind)
    write(folder, birds="# Plovers\n\nPlovers nest on the ground.\n\n# Gulls\n\nGulls nest on cliffs.")
    update = StoreUpdate(store, folder)
    update.run()
    write(folder, birds="# Plovers\n\nPlovers nest on the ground.\n\n# Gulls\n\nGulls nest on roofs.")
    assert update.run() == StoreReport(stored=1, embedded=1)
    assert "roofs" in embedding.texts[-1]
    assert {passage.text for passage, _ in find(store, "Who nests where?")} == {
        "Plovers nest on the ground.",
        "Gulls nest on roofs.",
    }


def test_qdrant_lists_as_many_documents_as_it_is_told(
    opened: Callable[[str], DocumentStore], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its client would list 9,999 by itself."""
    store = opened("qdrant")
    write(folder, plovers="Plovers nest on the ground.", gulls="Gulls nest on cliffs.")
    StoreUpdate(store, folder).run()
    assert len(store.list_files()) == 2
    monkeypatch.setattr("bot.sources.llamaindex.store.document_store._MOST_NODES", 1)
    assert len(store.list_files()) == 1


def test_another_embedding_embeds_everything(
    opened: Callable[[str], DocumentStore], folder: Path, embedding: WordEmbedding
) -> None:
    store = opened("qdrant")
    write(folder, plovers="Plovers nest on the ground.")
    StoreUpdate(store, folder).run()
    embedding.model_name = "other words"
    assert StoreUpdate(store, folder).run() == StoreReport(stored=1, embedded=1)


def test_what_another_version_has_stored_is_stored_again(
    opened: Callable[[str], DocumentStore], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened("qdrant")
    write(folder, plovers="Plovers nest on the ground.", gulls="Gulls nest on cliffs.")
    with monkeypatch.context() as before:
        before.setattr("bot.sources.llamaindex.store.nodes._FORMAT", 1)
        before.setattr(
            "bot.sources.llamaindex.store.nodes.write_json", lambda _: {"words": "in another form"}
        )
        before.setattr(store, "_embed_nodes", store_ones)
        StoreUpdate(store, folder).run()
    assert store.list_files() == {}
    assert StoreUpdate(store, folder).run() == StoreReport(stored=2, embedded=2)
    assert {passage.text for passage, _ in find(store, "Who nests where?")} == {
        "Plovers nest on the ground.",
        "Gulls nest on cliffs.",
    }


def store_ones(nodes: Any, _: Any) -> None:
    for node in nodes:
        node.embedding = [1.0] * 256


def test_an_update_that_breaks_off_is_finished_by_the_next(
    opened: Callable[[str], DocumentStore], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened("qdrant")
    write(folder, plovers="Plovers nest on the ground.")
    StoreUpdate(store, folder).run()
    write(folder, plovers="Plovers nest on gravel.")
    with monkeypatch.context() as broken:
        broken.setattr(type(store.vectors), "add", lambda *_, **__: (_ for _ in ()).throw(ConnectionError()))
        with pytest.raises(StoreError):
            StoreUpdate(store, folder).run()
    assert StoreUpdate(store, folder).run() == StoreReport(stored=1, embedded=1)
    ((passage, _),) = find(store, "Where do plovers nest?")
    assert passage.text == "Plovers nest on gravel."


def test_a_document_that_was_stored_in_part_is_stored_again(
    opened: Callable[[str], DocumentStore], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened("qdrant")
    write(folder, birds="# Plovers\n\nPlovers nest on the ground.\n\n# Gulls\n\nGulls nest on cliffs.")
    add = type(store.vectors).add

    def add_one(self: Any, nodes: Any) -> None:
        add(self, nodes[:1])
        raise ConnectionError

    update = StoreUpdate(store, folder)
    with monkeypatch.context() as broken:
        broken.setattr(type(store.vectors), "add", add_one)
        with pytest.raises(StoreError):
            update.run()
    assert update.run().stored == 1
    assert {passage.text for passage, _ in find(store, "Who nests where?")} == {
        "Plovers nest on the ground.",
        "Gulls nest on cliffs.",
    }


async def test_a_document_that_is_not_stored_yet_is_not_served(
    opened: Callable[[str], DocumentStore], folder: Path
) -> None:
    """It may have a label of its own, which nobody has read."""
    ranking, store = replace(RANKING, ceilings={"*": "general"}), opened("qdrant")
    write(folder, plovers="Plovers nest on the ground.")
    StoreUpdate(store, folder).run()
    (folder / "gulls.docx").write_bytes(word("Gulls nest on cliffs."))
    source = answering(store)
    async with running(source, docs=folder, labels=ranking) as bot, ClientSession() as session:

        async def read_status(name: str) -> int:
            async with session.get(f"http://{bot}/documents/{name}") as response:
                return response.status

        assert [await read_status(name) for name in ("plovers.md", "gulls.docx")] == [200, 403]
        StoreUpdate(store, folder).run()
        assert isinstance(source._made, StoredSource)
        source._made._store._due = 0.0  # as long as the last listing counts
        assert await read_status("gulls.docx") == 200


def test_a_store_that_was_emptied_is_filled_again(
    opened: Callable[[str], DocumentStore], folder: Path
) -> None:
    store = opened("qdrant")
    write(folder, plovers="Plovers nest on the ground.")
    update = StoreUpdate(store, folder)
    update.run()
    store.remove(["plovers.md"])
    assert update.run() == StoreReport(stored=1, embedded=1)


def test_a_folder_that_is_gone_empties_no_store(opened: Callable[[str], DocumentStore], folder: Path) -> None:
    store = opened("qdrant")
    write(folder, plovers="Plovers nest on the ground.")
    update = StoreUpdate(store, folder)
    update.run()
    shutil.rmtree(folder)
    with pytest.raises(NotADirectoryError):
        update.run()
    assert list(store.list_files()) == ["plovers.md"]


@pytest.mark.parametrize("kind", STORES)
def test_watching(
    kind: str, opened: Callable[[str], DocumentStore], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command follows the folder, survives a fault, and ends when it is interrupted."""
    store = opened(kind)
    write(folder, plovers="Plovers nest on the ground.")
    happens: Iterator[Callable[[], object]] = iter(
        [
            lambda: write(folder, gulls="Gulls nest on cliffs."),
            lambda: folder.rename(folder.with_name("away")),
            lambda: folder.with_name("away").rename(folder),
            (folder / "plovers.md").unlink,
        ]
    )

    def sleep(_: float) -> None:
        if (event := next(happens, None)) is None:
            raise KeyboardInterrupt
        event()

    monkeypatch.setattr("bot.sources.llamaindex.store.update.time.sleep", sleep)
    monkeypatch.setattr(llamaindex_vector, "document_store", lambda: store)
    monkeypatch.setattr("sys.argv", ["llamaindex_vector", "--docs", str(folder), "--watch"])
    llamaindex_vector.main()
    assert list(store.list_files()) == ["gulls.md"]


def test_a_long_update_delays_no_other(
    opened: Callable[[str], DocumentStore], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the listing of the folder counts, which is repeated, and not what was embedded once."""
    store = opened("qdrant")
    write(folder, plovers="Plovers nest on the ground.")
    now = [0.0]
    put = store.put

    def store_for_an_hour(readings: Any) -> None:
        now[0] += 3600
        put(readings)

    waited: list[float] = []

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        raise KeyboardInterrupt

    monkeypatch.setattr(store, "put", store_for_an_hour)
    monkeypatch.setattr("bot.retrieval.reading.progress.time.monotonic", lambda: now[0])
    monkeypatch.setattr("bot.sources.llamaindex.store.update.time.sleep", sleep)
    with pytest.raises(KeyboardInterrupt):
        StoreUpdate(store, folder).watch()
    assert waited == [5.0]


def test_what_lies_below_a_folder_that_can_not_be_opened_stays(
    opened: Callable[[str], DocumentStore], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened("qdrant")
    (folder / "shore").mkdir()
    write(folder / "shore", plovers="Plovers nest on the ground.")
    write(folder, gulls="Gulls nest on cliffs.")
    update = StoreUpdate(store, folder)
    update.run()
    closed = Scan((), (Skipped("shore/", "it can't be opened"),))
    monkeypatch.setattr("bot.retrieval.index.update.scan", lambda *_: closed)
    assert update.run() == StoreReport(removed=1)
    assert list(store.list_files()) == ["shore/plovers.md"]


def test_no_folder_is_no_default(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("DOCS_DIR", raising=False)
    monkeypatch.setattr("sys.argv", ["llamaindex_vector", "--watch"])
    with pytest.raises(SystemExit):
        llamaindex_vector.main()
    assert "--docs or DOCS_DIR" in capsys.readouterr().err


# What fails says where


@pytest.mark.parametrize("scheme", ["postgresql", "chroma", "http"])
def test_a_server_that_is_down_is_named(
    scheme: str, embedding: WordEmbedding, monkeypatch: pytest.MonkeyPatch
) -> None:
    if scheme == "chroma":
        pytest.importorskip("chromadb")
    port = free_port()
    with pytest.raises(StoreError, match=rf" at 127.0.0.1:{port}, .*: it can't be reached") as caught:
        document_store(f"{scheme}://canary:canary@127.0.0.1:{port}/x", embedding, monkeypatch)
    assert caught.value.transient
    assert "canary" not in str(caught.value)


async def test_a_server_that_is_down_at_the_start_is_named(
    embedding: WordEmbedding, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()

    def engine() -> DocumentStore:
        return document_store(f"postgresql://canary:canary@127.0.0.1:{port}/x", embedding, monkeypatch)

    source = LlamaIndexSource(engine, LlamaIndexOptions.model_construct(engine="m:engine"))
    await source.open()
    answers = str((await source.facts())["answers"])
    assert answers.startswith(f"no: PostgreSQL at 127.0.0.1:{port}, table ")
    assert "it can't be reached" in answers
    assert "canary" not in answers


@pytest.mark.parametrize("kind", STORES)
def test_vectors_of_another_size_are_named(
    kind: str, opened: Callable[[str], DocumentStore], folder: Path
) -> None:
    store = opened(kind)
    write(folder, plovers="Plovers nest on the ground.")
    StoreUpdate(store, folder).run()
    other = WordEmbedding(64)
    with pytest.raises(StoreError, match=r"the embedding's differ in size \((256 and 64|64 and 256)\)"):
        DocumentStore(lambda _: store.vectors, other, place="the store")


async def test_an_embedding_that_refuses_the_key_is_named(
    opened: Callable[[str], DocumentStore], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a server says by its status stays what it is: another sentence for the person, and no retry."""
    write(folder, plovers="Plovers nest on the ground.")
    store = opened("qdrant")
    StoreUpdate(store, folder).run()
    source = answering(store)
    await source.open()

    class RefusedError(Exception):
        status_code = 401

    def refuse(*_: Any) -> None:
        raise RefusedError("canary")

    monkeypatch.setattr(type(store.embedding), "_get_query_embedding", refuse)
    with pytest.raises(KeyRefused, match=r"^the embedding words: ") as caught:
        await collect_answer(source, "Where do plovers nest?")
    assert "canary" not in str(caught.value)
    await source.close()


async def test_what_people_may_see_who_see_everything_is_found_once_for_a_listing(
    opened: Callable[[str], DocumentStore], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With 10,000 documents it took a question 0.15 to 0.45 s of the CPU."""
    write(folder, plovers="Plovers nest on the ground.", **{f"gulls_{n}": "Gulls fly." for n in range(40)})
    store = opened("qdrant")
    StoreUpdate(store, folder).run()
    source = answering(store)
    await source.open()
    labelled: list[str] = []
    find = FolderLabels.find

    def note(self: FolderLabels, reference: Reference, labels: Any) -> Any:
        labelled.append(reference.id)
        return find(self, reference, labels)

    monkeypatch.setattr(FolderLabels, "find", note)
    assert "on the ground" in (await collect_answer(source, "Where do plovers nest?"))[0]
    assert len(set(labelled)) < 10, "only what is shown is described again"
    await source.close()


def test_things_of_another_program_are_no_passages(
    opened: Callable[[str], DocumentStore], folder: Path
) -> None:
    from llama_index.core.schema import TextNode

    store = opened("qdrant")
    store.vectors.add([TextNode(text="canary", embedding=[1.0] * 256)])
    assert not store.listing.known
    with pytest.raises(StoreError, match="something else than the passages of a folder") as caught:
        find(store, "What?")
    assert "canary" not in str(caught.value)


async def test_a_store_that_fails_is_reported_with_its_place(
    opened: Callable[[str], DocumentStore], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, plovers="Plovers nest on the ground.")
    store = opened("qdrant")
    StoreUpdate(store, folder).run()
    source = answering(store)
    await source.open()

    def fail(*_: Any, **__: Any) -> None:
        raise ConnectionRefusedError("canary")

    monkeypatch.setattr(type(store.vectors), "query", fail)
    with logged() as lines, pytest.raises(SourceUnavailable):
        await collect_answer(source, "Where do plovers nest?")
    assert "Qdrant: " in str((await source.facts())["answers"])
    assert "can't be reached" in str(lines.getvalue())
    assert "plovers" not in str(lines.getvalue())
    await source.close()
