"""The settings of the models: one that writes answers, and one that makes vectors of passages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, Final, Literal

from pydantic import AfterValidator, Field

from .env import OPENAI, Lowered, Variables, WebUrl, url_words

ANTHROPIC: Final = "https://api.anthropic.com"


class LanguageModel(Variables):
    """A model that writes the answers. Without one, answers are quotes."""

    api: ClassVar[str]
    """The API's name, in capitals the beginning of its variables."""

    model: str
    base_url: str
    api_key: str = Field(default="", repr=False)

    @classmethod
    def find_contradictions(cls, given: Mapping[str, str]) -> Iterator[str]:
        """A model of the provider's own server without a key."""
        model, url, key = (f"{cls.api.upper()}_{name}" for name in ("MODEL", "BASE_URL", "API_KEY"))
        if model in given and given.keys().isdisjoint({url, key}):
            yield f"{model} needs {key}, or {url} for a server without keys"


class OpenAIModel(LanguageModel):
    """A model of OpenAI, or of a server with OpenAI's API."""

    prefix = "OPENAI_"
    api: ClassVar[str] = "openai"

    model: str
    """A model that words the answers of a folder. The start tries it once. The log and the local page say
    whether the key, the name, the address or the server is wrong; until it works, answers are quoted."""
    base_url: Annotated[WebUrl, url_words(OPENAI)] = OPENAI
    """Where its API is. A server without keys needs no key."""
    api_key: str = Field(default="", repr=False)
    """A key of your account. Alone, it sends nothing anywhere."""


def _strip_version(url: str) -> str:
    return url.removesuffix("/v1")  # it is a part of the path


class AnthropicModel(LanguageModel):
    """A model of Anthropic, or of a server with Anthropic's API."""

    prefix = "ANTHROPIC_"
    api: ClassVar[str] = "anthropic"

    model: str
    """The same with [a model of Anthropic](anthropic.md), whose API says what it cites."""
    base_url: Annotated[WebUrl, AfterValidator(_strip_version), url_words(ANTHROPIC)] = ANTHROPIC
    """Where its API is. A server without keys needs no key."""
    api_key: str = Field(default="", repr=False)
    """A key of your account. Alone, it sends nothing anywhere."""


class LocalModelOptions(Variables):
    """Whether models that run on this machine are looked for, where no other one is named."""

    mode: Annotated[Literal["offer", "auto", "off"], Lowered] = Field(
        default="offer", validation_alias="LOCAL_MODEL"
    )
    """Where no model is named, the page offers the [models of Ollama, LM Studio or
    llama.cpp](page.md#a-model-on-this-computer) that run on this machine. `auto` takes the first one without
    asking, `off` never looks. A bot with credentials never does."""

    @classmethod
    def find_contradictions(cls, given: Mapping[str, str]) -> Iterator[str]:
        """A model that is taken without asking, by a bot that others can reach."""
        if given.get("LOCAL_MODEL", "").lower() == "auto" and "MICROSOFTAPPID" in given:
            yield "LOCAL_MODEL=auto is for a bot without credentials: name the model, as OPENAI_MODEL"


MODELS: Final[tuple[type[LanguageModel], ...]] = (OpenAIModel, AnthropicModel)
"""The kinds of models. The first that is named is used: `ANTHROPIC_MODEL` is often set for other tools."""


def read_language_model(given: Mapping[str, str], faults: list[str]) -> LanguageModel | None:
    """Read the variables of the model that writes answers; None if they name no model.

    A key is often set for other tools. Alone, it must not send questions to its provider.
    """
    if "OPENAI_BASE_URL" in given and given.keys().isdisjoint(
        {"OPENAI_MODEL", "OPENAI_EMBEDDING_MODEL", "DOUBTS_MODEL"}
    ):
        faults.append("OPENAI_BASE_URL is set, but OPENAI_MODEL is not: name the model that answers")
    named = (kind for kind in MODELS if kind.variable_of("model") in given)
    return kind.read(given, faults) if (kind := next(named, None)) else None


def describe_variables(api: str, model: str) -> dict[str, str]:
    """The fields of the sentences that say what is wrong with a model, and which variable to look at."""
    example = {kind.api: str(kind.model_fields["base_url"].default) for kind in MODELS}[api]
    return {"model": model, "api": api, "prefix": api.upper(), "example": example}


def explain_unused(given: Mapping[str, str]) -> str | None:
    """Why a variable of a model has no effect, in one sentence; None where each has its effect."""
    named = {name for name, value in given.items() if value.strip()}
    if "OPENAI_MODEL" in named:
        unused = "ANTHROPIC_MODEL" in named
        return "ANTHROPIC_MODEL is not used, because OPENAI_MODEL is set, too" if unused else None
    if "ANTHROPIC_MODEL" in named:
        return None
    for prefix in ("OPENAI", "ANTHROPIC"):
        if f"{prefix}_API_KEY" in named:
            missing = f"{prefix}_MODEL"
            return f"{prefix}_API_KEY is set, but {missing} is not: answers are quotes until it names a model"
    return None


class EmbeddingOptions(Variables):
    """An OpenAI-compatible embedding model; without a ``model``, the one that is installed with the bot."""

    enabled: bool = Field(default=True, validation_alias="EMBEDDINGS")
    """`false`: a [folder](folder.md#words-and-meaning) is searched by its words only."""
    model: str = Field(default="", validation_alias="OPENAI_EMBEDDING_MODEL")
    """An OpenAI-compatible model in place of the one that is installed with the bot."""
    base_url: Annotated[WebUrl, url_words(OPENAI)] = Field(default=OPENAI, validation_alias="OPENAI_BASE_URL")
    """Where its server is."""
    api_key: str = Field(default="", validation_alias="OPENAI_API_KEY", repr=False)
    """The key for it; a server without keys needs none."""

    @classmethod
    def find_contradictions(cls, given: Mapping[str, str]) -> Iterator[str]:
        """A model of OpenAI's own server without a key."""
        if "OPENAI_EMBEDDING_MODEL" in given and given.keys().isdisjoint(
            {"OPENAI_BASE_URL", "OPENAI_API_KEY"}
        ):
            yield (
                "OPENAI_EMBEDDING_MODEL needs OPENAI_API_KEY, or OPENAI_BASE_URL for a server without keys"
            )


def read_embedding_options(given: Mapping[str, str], faults: list[str]) -> EmbeddingOptions | None:
    """Read the variables of the embeddings; None where a folder is searched by words only."""
    options = EmbeddingOptions.read(given, faults)
    return options if options.enabled else None
