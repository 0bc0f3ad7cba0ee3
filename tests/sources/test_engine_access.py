"""Who may see what a user's own engine of LlamaIndex finds: filters of its store, and what is dropped after it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.response.schema import RESPONSE_TYPE, Response
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.schema import QueryBundle, TextNode
from llama_index.core.vector_stores.types import BasePydanticVectorStore, MetadataFilters
from workflows import Workflow, step
from workflows.events import StartEvent, StopEvent

from bot.access import Asker, Permission
from bot.languages import Sentence, say
from bot.sources.errors import AnswerEmpty
from bot.sources.permission import NotForAsker
from citations import LabelRanking, Reference
from examples import llamaindex_vector
from examples.citation_workflow import CitationWorkflow

from ..bot.running import Connector, connecting, message, running, send
from ..model_server import ModelServer, model_server, saying, streaming
from .asking import ask
from .llamaindex_engines import asking, completion, model, query_engine, retriever
from .vector_stores import WordEmbedding, new_table, open_qdrant

QUESTION = "What is the salary of plovers?"
ANSWER = "Plovers nest on the ground, among other birds."
BOARD = [
    TextNode(
        text=f"The salary of plovers is {number} pebbles.",
        metadata={"group": "board", "file_name": f"pay-{number}.md"},
    )
    for number in range(12)
]
STAFF = TextNode(text=ANSWER, metadata={"group": "staff", "file_name": "nests.md"})
SAID = "They nest on the ground [1]."
WHOLE = completion(SAID)
PERMITTED = Permission(metadata={"group": ["staff", "guests"]})


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with model_server() as serving:
        serving.behave = streaming(SAID)
        yield serving


# The store itself filters


@pytest.fixture
def index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Callable[[str], VectorStoreIndex]:
    """Opens a store of a kind, as a user's own program would, with the passages of two groups."""

    def open_index(kind: str) -> VectorStoreIndex:
        new_table(monkeypatch)
        store = open_store(kind)
        context = StorageContext.from_defaults(vector_store=store)
        return VectorStoreIndex([*BOARD, STAFF], storage_context=context, embed_model=WordEmbedding())

    def open_store(kind: str) -> BasePydanticVectorStore:
        match kind:
            case "qdrant":
                return open_qdrant(tmp_path / "qdrant")(256)
            case "milvus":
                return llamaindex_vector.milvus(str(tmp_path / "milvus.db"), 256)
            case "postgres":
                return llamaindex_vector.postgres(request.getfixturevalue("postgres"), 256)
        address = request.getfixturevalue("chroma").removeprefix("chroma://").split(":")
        return llamaindex_vector.chroma(address[0], int(address[1]))

    return open_index


@pytest.mark.parametrize("kind", ["milvus", "qdrant", "postgres", "chroma"])
async def test_a_store_finds_what_a_person_may_see_behind_better_passages(
    kind: str, index: Callable[[str], VectorStoreIndex]
) -> None:
    passages = index(kind)

    def engine(filters: MetadataFilters | None = None) -> BaseRetriever:
        return passages.as_retriever(similarity_top_k=3, filters=filters)

    source = asking(engine)
    await source.open()
    assert "pebbles" in (await ask(source, QUESTION)).text
    for _ in range(2):
        answer = await ask(source, QUESTION, permission=PERMITTED)
        assert re.findall(r'"(.+)"$', answer.text, re.MULTILINE) == ["nests.md"]
        assert ANSWER in str(answer.entities)
        assert "pebbles" not in str(answer)
    assert "pebbles" in (await ask(source, QUESTION)).text, "an engine of one person is not another's"
    others: list[dict[str, list[str]]] = [
        {"group": ["guests"]}, {"group": []}, {"group": ["staff"], "of_nobody": ["x"]},
    ]  # fmt: skip
    for metadata in others:
        nothing = await ask(source, QUESTION, permission=Permission(metadata=metadata))
        assert (nothing.text, nothing.channel_data["answerKind"]) == (say(Sentence.NOTHING_FOUND), "nothing")
    await source.close()


async def test_without_filters_of_the_store_the_others_passages_are_dropped(
    index: Callable[[str], VectorStoreIndex],
) -> None:
    passages = index("qdrant")
    source = asking(passages.as_retriever(similarity_top_k=20))
    await source.open()
    answer = await ask(source, QUESTION, permission=PERMITTED)
    assert ANSWER in str(answer.entities)
    assert "pebbles" not in str(answer)
    await source.close()


# The model of a query engine reads no passage that the person may not see


class Blocking(RetrieverQueryEngine):
    """As an engine over a store that has no asynchronous client."""

    async def aretrieve(self, query_bundle: QueryBundle) -> Any:
        raise ValueError("Async client is not initialized")


QUERY_ENGINES: dict[str, tuple[Callable[[str], BaseQueryEngine], bool]] = {
    "that cites": (lambda url: query_engine(url, *BOARD[:2], STAFF), True),
    "that does not stream": (lambda url: query_engine(url, *BOARD[:2], STAFF, streaming=False), False),
    "that blocks": (
        lambda url: Blocking(
            retriever(*BOARD[:2], STAFF), get_response_synthesizer(llm=model(url), streaming=True)
        ),
        True,
    ),
}


@pytest.mark.parametrize(("engine", "streams"), QUERY_ENGINES.values(), ids=QUERY_ENGINES)
@pytest.mark.parametrize(
    "permission",
    [PERMITTED, Permission(sees=lambda one: one.name == "nests.md")],
    ids=["by metadata", "by name"],
)
async def test_a_model_gets_only_what_the_person_may_see(
    engine: Callable[[str], BaseQueryEngine], streams: bool, permission: Permission, server: ModelServer
) -> None:
    if not streams:
        server.behave = saying(WHOLE)
    source = asking(engine(server.url))
    await source.open()
    answer = await ask(source, QUESTION, permission=permission)
    assert answer.text.startswith(SAID)
    assert '"nests.md"' in answer.text
    (body,) = server.bodies
    assert ANSWER in str(body)
    assert "pebbles" not in str(body)
    nothing = await ask(source, QUESTION, permission=Permission(sees=lambda _: False))
    assert nothing.text == say(Sentence.NOTHING_FOUND)
    assert len(server.bodies) == 1, "no model is asked about nothing"
    await source.close()


# What can't do without the others' passages is held back


class Wordless(Workflow):
    @step
    async def end(self, _: StartEvent) -> StopEvent:
        return StopEvent(result="")


async def test_an_engine_that_writes_nothing_is_no_question_of_what_may_be_seen() -> None:
    with pytest.raises(AnswerEmpty):
        await ask(asking(Wordless()), QUESTION, permission=Permission(sees=lambda _: True))


class Sourceless(Workflow):
    """Answers from what it does not tell."""

    @step
    async def answer(self, _: StartEvent) -> StopEvent:
        return StopEvent(result="The salary is nine pebbles.")


class OfItsOwn(BaseQueryEngine):
    """Retrieves and writes in one step."""

    def __init__(self) -> None:
        super().__init__(callback_manager=None)

    def _query(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        raise NotImplementedError

    async def _aquery(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        nodes = await retriever(*BOARD[:2], STAFF).aretrieve(query_bundle)
        return Response("It is nine pebbles [1].", source_nodes=nodes)

    def _get_prompt_modules(self) -> Any:
        return {}


@pytest.mark.parametrize("kind", ["a workflow", "one without sources", "a query engine of its own"])
async def test_an_answer_from_what_may_not_be_seen_is_not_shown(kind: str, server: ModelServer) -> None:
    kinds: dict[str, Callable[[], object]] = {
        "a workflow": lambda: CitationWorkflow(retriever(*BOARD[:2], STAFF), model(server.url)),
        "one without sources": Sourceless,
        "a query engine of its own": OfItsOwn,
    }
    source = asking(kinds[kind]())
    await source.open()
    with pytest.raises(NotForAsker):
        await ask(source, QUESTION, permission=PERMITTED)
    assert (await ask(source, QUESTION)).text
    await source.close()


async def test_an_answer_from_what_may_be_seen_is_shown_once_it_is_whole(server: ModelServer) -> None:
    source = asking(CitationWorkflow(retriever(STAFF, top=1), model(server.url)))
    await source.open()
    answer = await ask(source, QUESTION, permission=PERMITTED)
    assert answer.text.startswith(SAID)
    await source.close()


# The policy decides by labels, and about extraction

RANKING = LabelRanking.from_toml(
    """
    default = "general"
    [[label]]
    id = "general"
    name = "General"
    priority = 0
    [[label]]
    id = "sealed"
    name = "Sealed"
    priority = 1
    encrypted = true
    [[rule]]
    file = "pay-*.md"
    label = "sealed"
    """
)


async def test_a_policy_gets_labels_and_decides_about_extraction() -> None:
    source = asking(retriever(BOARD[9], STAFF, top=2), ranking=RANKING)
    await source.open()
    question = "What is the salary of plovers, that nest on the ground?"
    named = await ask(source, question)
    assert "There is more that I may not quote" in named.text
    assert "pebbles" not in str(named)
    general = await ask(source, question, permission=Permission(sees=lambda one: one.label == "general"))
    assert "pay-9.md" not in str(general)
    proven = await ask(source, QUESTION, permission=Permission(extracts=lambda one: one.label == "sealed"))
    assert "*pay-9&#46;md* [1]\n\n> **The salary of plovers is 9 pebbles.**" in proven.text
    await source.close()


# Who asks for more has to be allowed it, too


def by_group(asker: Asker) -> Permission:
    return Permission(metadata={"group": [asker.user_id]})


async def say_to(connector: Connector, authority: str, who: str, text: str) -> str:
    body = message(connector.service_url, text) | {"id": f"{who}-{text}", "from": {"id": who, "role": "user"}}
    assert (await send(authority, body))[0] == 201
    answered: str = (await connector.next())["text"]
    return answered


async def test_what_one_person_was_answered_is_not_anothers() -> None:
    source = asking(retriever(*BOARD[:2], STAFF))
    async with connecting() as connector, running(source, policy=by_group) as authority:
        assert "pebbles" in await say_to(connector, authority, "board", QUESTION)
        assert await say_to(connector, authority, "staff", "1") == say(NotForAsker.message)
        assert await say_to(connector, authority, "staff", "more") == say(NotForAsker.message)
        assert "pebbles" in await say_to(connector, authority, "board", "1")
        assert "pebbles" not in await say_to(connector, authority, "staff", QUESTION)


# What a policy says of metadata


@pytest.mark.parametrize(
    ("metadata", "seen"),
    [
        ({"group": "staff"}, True),
        ({"group": ["board", "staff"]}, True),
        ({"group": "board", "title": "metadata:group=staff"}, False),
        ({"file_name": "metadata:group=staff"}, False),
        ({"group": None}, False),
        ({}, False),
    ],
)
async def test_only_metadata_say_what_a_passage_is(metadata: dict[str, Any], seen: bool) -> None:
    source = asking(retriever(TextNode(text=ANSWER, metadata=metadata), top=1))
    await source.open()
    answer = await ask(source, "Where do plovers nest?", permission=PERMITTED)
    assert ("on the ground" in answer.text) == seen
    await source.close()


def test_no_other_source_has_metadata() -> None:
    assert not PERMITTED.may_see(Reference(id="1", document_url="nests.md"))
    assert Permission(metadata={}).may_see(Reference(id="1"))


@pytest.mark.parametrize(
    "metadata",
    [{"group": "staff"}, {"group": ["x') OR (1=1"]}, {"group": [":bound"]}, {"a'b": ["staff"]}, {"": ["a"]}],
)
def test_nothing_gets_into_a_query_that_could_end_it(metadata: Any) -> None:
    with pytest.raises(ValueError, match="metadata: "):
        Permission(metadata=metadata)
