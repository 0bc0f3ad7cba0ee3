"""What becomes of doubts about an answer, and the model that judges whether its sources support it."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator, Mapping, Sequence
from typing import Annotated, Final, NamedTuple, Protocol, Self

from pydantic import BeforeValidator, Field, SkipValidation

from ..config.env import OPENAI, Variables, WebUrl, Words, load_callable, url_words


class ClaimAndPassage(NamedTuple):
    """A sentence of an answer, without markup, and the text of the sources that it cites."""

    claim: str
    passage: str


class Supports(Protocol):
    """A model that scores how far each passage supports its claim, from 0 to 1; None where it cannot say.

    A claim with less than 0.5 is doubtful. ``True`` is 1, and ``False`` is 0.
    """

    def __call__(self, pairs: Sequence[ClaimAndPassage], /) -> Awaitable[Sequence[float | None]]:
        """Called once for each answer that cites something, when the person has it; may raise."""


def _read_mark(value: object) -> object:
    if not isinstance(value, str):
        return value
    if value.lower() not in ("mark", "off"):
        raise ValueError("is not known: use mark or off, or leave it out")
    return value.lower() == "mark"


def _load_judge(value: object) -> object:
    return load_callable(value, example="grounding:judge") if isinstance(value, str) else value


_WITHOUT_MODEL: Final = ("DOUBTS", "SUPPORT_JUDGE")


class DoubtOptions(Variables):
    """Whether doubts are shown in an answer, and who judges support beside the library's rules."""

    marks: Annotated[bool | None, BeforeValidator(_read_mark), Words()] = Field(
        default=None, validation_alias="DOUBTS"
    )
    """`mark`: what is [doubtful](doubts.md) about an answer stands at its sentence: "Source 1 does not say
    “50 days”". `off`: nothing, not even what a judge doubts. Without it, numbers and quotations are marked
    where a model words the answer over complete sources, and what a judge doubts."""
    judge: Annotated[Supports | None, SkipValidation, BeforeValidator(_load_judge)] = Field(
        default=None, validation_alias="SUPPORT_JUDGE"
    )
    """`module:callable`, [your code](doubts.md#a-model-that-judges) that asks a model whether sources
    support what cites them."""
    model: str = Field(default="", validation_alias="DOUBTS_MODEL")
    """An OpenAI-compatible model that [judges](doubts.md#a-model-that-judges) whether sources support what
    cites them. It gets the answer's sentences and the passages that they cite."""
    base_url: Annotated[WebUrl, url_words(OPENAI)] = Field(default=OPENAI, validation_alias="OPENAI_BASE_URL")
    api_key: str = Field(default="", validation_alias="OPENAI_API_KEY", repr=False)
    # Both are described where the model that writes answers is.

    @classmethod
    def read(cls, given: Mapping[str, str], faults: list[str]) -> Self:
        """Read the variables; those of the server belong to another model where this one is not named."""
        own = given if "DOUBTS_MODEL" in given else {k: v for k, v in given.items() if k in _WITHOUT_MODEL}
        return super().read(own, faults)

    @classmethod
    def find_contradictions(cls, given: Mapping[str, str]) -> Iterator[str]:
        """Two judges, or a model of OpenAI's own server without a key."""
        if "DOUBTS_MODEL" not in given:
            return
        if "SUPPORT_JUDGE" in given:
            yield "DOUBTS_MODEL and SUPPORT_JUDGE both judge: set one of them"
        if given.keys().isdisjoint({"OPENAI_BASE_URL", "OPENAI_API_KEY"}):
            yield "DOUBTS_MODEL needs OPENAI_API_KEY, or OPENAI_BASE_URL for a server without keys"
