"""The settings of each answer source but a folder, by the value of ``ANSWER_SOURCE``.

Governing source for Writer's query options: the Writer API's reference, "Question", ``graph_query_config``.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from .env import GUID_EXAMPLE, Guid, Listed, Lowered, Variables, WebUrl, Words, split_list, url_words
from .language_model import OpenAIModel

LLAMAINDEX: Final = "pip install -r requirements-llamaindex.txt"
"""What installs LlamaIndex."""
_ENGINE: Final = re.compile(r"(\w+(?:\.\w+)*):(\w+(?:\.\w+)*)")
_ENGINE_EXAMPLE: Final = "examples.llamaindex_bm25:engine"
_SERVICE_EXAMPLE: Final = "https://contoso.search.windows.net"
_WEBUI_EXAMPLE: Final = "http://localhost:8080"
_WRITER: Final = "https://api.writer.com"
_PERPLEXITY: Final = "https://api.perplexity.ai"
_Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,100}$")]
_DataSource = Literal["sharePoint", "oneDriveBusiness", "externalItem"]
_DATA_SOURCES: Final = {name.lower(): name for name in ("sharePoint", "oneDriveBusiness", "externalItem")}
_QUERY_CONFIG: Final = frozenset(
    """inline_citations max_subquestions search_weight grounding_level max_snippets max_tokens
    keyword_threshold semantic_threshold""".split()
)


def _needed(source: str, what: str = "") -> str:
    """What is said of a variable that is missing; ``what`` is what it has."""
    return f"ANSWER_SOURCE={source} needs {{name}}{what}"


class WriterOptions(Variables):
    """How to ask Writer's Knowledge Graphs. A query option without a value has Writer's own default."""

    prefix = "WRITER_"

    api_key: Annotated[str, Words(missing=_needed("writer"))] = Field(repr=False)
    """A key of your account at [Writer](writer.md). Alone, it sends nothing anywhere."""
    graph_ids: Annotated[
        tuple[Guid, ...],
        Listed,
        Field(min_length=1),
        Words(
            f"{{value}} in {{name}} is not an id such as {GUID_EXAMPLE}",
            _needed("writer", ", the ids of one or more Knowledge Graphs"),
        ),
    ]
    """The ids of one or more Knowledge Graphs."""
    base_url: Annotated[WebUrl, url_words(_WRITER)] = _WRITER
    """Where the API is, or your gateway to it."""
    model: str = ""
    """A chat model that uses the graphs as a tool. Without one, the graphs are asked directly: only so
    there are inline citations."""
    stream: bool = True
    """`false`: the answer comes in one piece."""
    subqueries: bool = False
    """`true`: the questions into which Writer broke the question down stand below the answer."""
    inline_citations: bool = True
    """`false`: the documents of an answer are listed below it."""
    max_subquestions: int | None = Field(default=None, ge=1, le=10)
    """Into how many a question may be broken down."""
    search_weight: int | None = Field(default=None, ge=0, le=100)
    """0 looks for the meaning, 100 for the words."""
    grounding_level: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)
    """0 stays closest to the documents, 1 is the most creative."""
    max_snippets: int | None = Field(default=None, ge=1, le=60)
    """How many passages are found."""
    max_tokens: int | None = Field(default=None, ge=100, le=8000)
    """How long an answer may become."""
    keyword_threshold: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)
    """How well words have to match."""
    semantic_threshold: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)
    """How well the meaning has to match."""

    @property
    def query_config(self) -> Mapping[str, bool | int | float]:
        """The query options that have a value, as Writer's API takes them."""
        return self.model_dump(include=set(_QUERY_CONFIG), exclude_none=True)


def _check_engine(value: str) -> str:
    """Check the form and the package. The module isn't imported yet, since it may run any code."""
    if not (match := _ENGINE.fullmatch(value)):
        raise ValueError(f" is not module:callable, such as {_ENGINE_EXAMPLE}")
    if not _is_installed(match[1].partition(".")[0]):
        raise ValueError(f": there is no module {match[1]}")
    return value


class LlamaIndexOptions(Variables):
    """The place of the engine: :attr:`name` in :attr:`module`, or the result of calling that."""

    prefix = "LLAMAINDEX_"

    engine: Annotated[
        str,
        AfterValidator(_check_engine),
        Words("{name}={value}{error}", _needed("llamaindex", f", such as {_ENGINE_EXAMPLE}")),
    ]
    """`module:callable`, [your engine](llamaindex.md), or the function that makes it."""

    @property
    def module(self) -> str:
        """The module that is imported."""
        return self.engine.partition(":")[0]

    @property
    def name(self) -> str:
        """The engine's name in the module."""
        return self.engine.partition(":")[2]

    def __str__(self) -> str:
        """The variable's value."""
        return self.engine

    @classmethod
    def find_contradictions(cls, given: Mapping[str, str]) -> Iterator[str]:  # noqa: ARG003 - it has one variable
        """LlamaIndex that is chosen, and not installed."""
        if not _is_installed("llama_index.core"):
            yield f"ANSWER_SOURCE=llamaindex needs LlamaIndex, which is not installed: {LLAMAINDEX}"


def _is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


class OpenWebUIOptions(Variables):
    """How to ask Open WebUI. The bot uses ``url``, and people ``public_url``."""

    prefix = "OPEN_WEBUI_"

    url: Annotated[
        WebUrl, url_words(_WEBUI_EXAMPLE, _needed("open-webui", f", where it is, such as {_WEBUI_EXAMPLE}"))
    ]
    """Where the bot reaches [Open WebUI](open-webui.md)."""
    api_key: Annotated[str, Words(missing=_needed("open-webui", ", a key from its Settings, Account"))] = (
        Field(repr=False)
    )
    """A key from its Settings, Account."""
    model: Annotated[str, Words(missing=_needed("open-webui", ", the id of the model that answers"))]
    """The id of the model that answers."""
    knowledge_ids: Annotated[
        tuple[_Id, ...],
        Listed,
        Words("{value} in {name} is no id, such as the last part of the address of its page"),
    ] = ()
    """Knowledge that is searched beside the model's own."""
    public_url: Annotated[WebUrl, url_words(_WEBUI_EXAMPLE)] = ""
    """Where people reach Open WebUI. With it, passages link to their files."""
    saved_chats: bool = False
    """`true`: each question gets a saved chat, which is deleted afterwards. Only so do pipes and tools
    return citations."""


class PerplexityOptions(Variables):
    """How to ask Perplexity."""

    prefix = "PERPLEXITY_"

    api_key: Annotated[str, Words(missing=_needed("perplexity"))] = Field(repr=False)
    """A key of your account at [Perplexity](perplexity.md)."""
    model: str = "sonar"
    """The model that searches and answers."""
    base_url: Annotated[WebUrl, url_words(_PERPLEXITY)] = _PERPLEXITY
    """Where the API is, or your gateway to it."""


def _read_data_sources(value: object) -> object:
    words = split_list(value)
    return [_DATA_SOURCES.get(str(one).lower(), one) for one in words] if isinstance(words, list) else words


class Microsoft365Options(Variables):
    """What the Copilot Retrieval API searches."""

    prefix = "MICROSOFT365_"

    search: Annotated[
        tuple[_DataSource, ...],
        BeforeValidator(_read_data_sources),
        Field(min_length=1),
        Words(
            "{name}: {value} is not known: use sharePoint, oneDriveBusiness or externalItem",
            "{name} is empty",
        ),
    ] = ("sharePoint",)
    """What is [searched](microsoft365.md): `sharePoint`, `oneDriveBusiness`, and `externalItem` for what
    Copilot connectors index, with commas between them. Each is one request for each question. Without it,
    `sharePoint`."""
    filter: str = ""
    """A filter in Microsoft's Keyword Query Language, such as `path:"https://contoso.sharepoint.com/sites/HR/"`.
    It limits all that is searched. Microsoft ignores a filter with a fault in its syntax."""


def _check_name(name: str) -> str:
    if not name.replace("-", "").replace("_", "").isalnum():
        raise ValueError("no name")
    return name


class AzureSearchOptions(Variables):
    """How to ask a knowledge base of Azure AI Search."""

    prefix = "AZURE_SEARCH_"

    endpoint: Annotated[
        WebUrl,
        Words(
            f"{{name}}: {{value}} is not the URL of a search service, such as {_SERVICE_EXAMPLE}",
            _needed("azure-search"),
        ),
    ]
    """The URL of your search service, such as `https://contoso.search.windows.net`."""
    knowledge_base: Annotated[
        str,
        AfterValidator(_check_name),
        Words("{name}: {value} is not the name of a knowledge base", _needed("azure-search")),
    ]
    """The name of the knowledge base that [answers](azure-search.md)."""
    api_key: Annotated[str, Words(missing=_needed("azure-search"))] = Field(repr=False)
    """A query key of the service, or an admin key."""
    api_version: str = "2026-08-01-preview"
    """The version of the REST API."""


class OpenAIOptions(OpenAIModel):
    """How to ask a model that searches by itself, and what: the vector stores, or without any the web."""

    model: Annotated[str, Words(missing=_needed("openai", ", the model that searches and answers"))]
    protocol: Annotated[Literal["responses", "chat"], Lowered] = Field(
        default="responses", validation_alias="OPENAI_API"
    )
    """`responses`, or `chat` for a server that has chat completions alone."""
    vector_store_ids: Annotated[
        tuple[_Id, ...], Listed, Words("{value} in {name} is no id, such as vs_68a1")
    ] = ()
    """The vector stores that are searched in place of the web."""

    @classmethod
    def find_contradictions(cls, given: Mapping[str, str]) -> Iterator[str]:
        """Those of the model, and vector stores for an API that has none."""
        yield from super().find_contradictions(given)
        if "OPENAI_VECTOR_STORE_IDS" in given and given.get("OPENAI_API", "").lower() == "chat":
            yield "OPENAI_VECTOR_STORE_IDS needs OPENAI_API=responses"


SOURCES: Final[Mapping[str, type[Variables] | None]] = {
    "folder": None,
    "writer": WriterOptions,
    "llamaindex": LlamaIndexOptions,
    "open-webui": OpenWebUIOptions,
    "perplexity": PerplexityOptions,
    "microsoft365": Microsoft365Options,
    "azure-search": AzureSearchOptions,
    "openai": OpenAIOptions,
}
"""The values of ``ANSWER_SOURCE``, each with its variables if it has any of its own."""
