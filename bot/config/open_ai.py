"""The settings of an OpenAI-compatible model that searches by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Annotated, Literal

from pydantic import Field

from .env import Listed, Lowered, Words
from .language_model import OpenAIModel


class OpenAIOptions(OpenAIModel):
    """How to ask the model, and what it searches: the vector stores, or without any the web."""

    model: Annotated[
        str, Words(missing="ANSWER_SOURCE=openai needs {name}, the model that searches and answers")
    ]
    protocol: Annotated[Literal["responses", "chat"], Lowered] = Field(
        default="responses", validation_alias="OPENAI_API"
    )
    """`responses`, or `chat` for a server that has chat completions alone."""
    vector_store_ids: Annotated[
        tuple[Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,100}$")], ...],
        Listed,
        Words("{value} in {name} is no id, such as vs_68a1"),
    ] = ()
    """The vector stores that are searched in place of the web."""

    @classmethod
    def find_contradictions(cls, given: Mapping[str, str]) -> Iterator[str]:
        """Those of the model, and vector stores for an API that has none."""
        if "OPENAI_VECTOR_STORE_IDS" in given and given.get("OPENAI_API", "").lower() == "chat":
            return chain(
                super().find_contradictions(given), ["OPENAI_VECTOR_STORE_IDS needs OPENAI_API=responses"]
            )
        return super().find_contradictions(given)
