"""The settings of LlamaIndex: ``LLAMAINDEX_ENGINE``, and whether the package is installed."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

INSTALL: Final = "pip install -r requirements-llamaindex.txt"
_FORM: Final = re.compile(r"(\w+(?:\.\w+)*):(\w+(?:\.\w+)*)")
_EXAMPLE: Final = "examples.llamaindex_bm25:engine"


@dataclass(frozen=True, slots=True, kw_only=True)
class LlamaIndexOptions:
    """The place of the engine: ``name`` in the module ``module``, or the result of calling that."""

    module: str
    name: str

    def __str__(self) -> str:
        """The variable's value."""
        return f"{self.module}:{self.name}"


def read_options(given: Mapping[str, str], faults: list[str]) -> LlamaIndexOptions | None:
    """Read ``LLAMAINDEX_ENGINE``. The operator's module is not imported yet, since it may run any code."""
    if not _is_installed("llama_index.core"):
        faults.append(f"ANSWER_SOURCE=llamaindex needs LlamaIndex, which is not installed: {INSTALL}")
    value = given.get("LLAMAINDEX_ENGINE", "")
    if not value:
        faults.append(f"ANSWER_SOURCE=llamaindex needs LLAMAINDEX_ENGINE, such as {_EXAMPLE}")
        return None
    if not (match := _FORM.fullmatch(value)):
        faults.append(f"LLAMAINDEX_ENGINE={value} is not module:callable, such as {_EXAMPLE}")
        return None
    if not _is_installed(match[1].partition(".")[0]):
        faults.append(f"LLAMAINDEX_ENGINE={value}: there is no module {match[1]}")
    return LlamaIndexOptions(module=match[1], name=match[2])


def _is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False
