"""The settings of LlamaIndex: ``LLAMAINDEX_ENGINE``, and whether the package is installed."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Final

from pydantic import AfterValidator
from pydantic_settings import SettingsConfigDict

from .env import Variables, Words

INSTALL: Final = "pip install -r requirements-llamaindex.txt"
_FORM: Final = re.compile(r"(\w+(?:\.\w+)*):(\w+(?:\.\w+)*)")
_EXAMPLE: Final = "examples.llamaindex_bm25:engine"


def _check_engine(value: str) -> str:
    """Check the form and the package. The module isn't imported yet, since it may run any code."""
    if not (match := _FORM.fullmatch(value)):
        raise ValueError(f" is not module:callable, such as {_EXAMPLE}")
    if not _is_installed(match[1].partition(".")[0]):
        raise ValueError(f": there is no module {match[1]}")
    return value


class LlamaIndexOptions(Variables):
    """The place of the engine: :attr:`name` in :attr:`module`, or the result of calling that."""

    model_config = SettingsConfigDict(env_prefix="LLAMAINDEX_")

    engine: Annotated[
        str,
        AfterValidator(_check_engine),
        Words("{name}={value}{error}", f"ANSWER_SOURCE=llamaindex needs {{name}}, such as {_EXAMPLE}"),
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
            yield f"ANSWER_SOURCE=llamaindex needs LlamaIndex, which is not installed: {INSTALL}"


def _is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False
