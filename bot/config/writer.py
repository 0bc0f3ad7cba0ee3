"""The settings of Writer: ``WRITER_API_KEY``, the Knowledge Graphs and the query options.

Governing source: the Writer API's reference, "Question", ``graph_query_config``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from .env import GUID_EXAMPLE, Guid, Listed, Variables, WebUrl, Words, url_words

BASE_URL: Final = "https://api.writer.com"
_QUERY_CONFIG: Final = frozenset(
    """inline_citations max_subquestions search_weight grounding_level max_snippets max_tokens
    keyword_threshold semantic_threshold""".split()
)


class WriterOptions(Variables):
    """How to ask Writer's Knowledge Graphs. A query option without a value has Writer's own default."""

    model_config = SettingsConfigDict(env_prefix="WRITER_")

    api_key: Annotated[str, Words(missing="ANSWER_SOURCE=writer needs {name}")] = Field(repr=False)
    """A key of your account at [Writer](writer.md). Alone, it sends nothing anywhere."""
    graph_ids: Annotated[
        tuple[Guid, ...],
        Listed,
        Field(min_length=1),
        Words(
            f"{{value}} in {{name}} is not an id such as {GUID_EXAMPLE}",
            "ANSWER_SOURCE=writer needs {name}, the ids of one or more Knowledge Graphs",
        ),
    ]
    """The ids of one or more Knowledge Graphs."""
    base_url: Annotated[WebUrl, url_words(BASE_URL)] = BASE_URL
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
