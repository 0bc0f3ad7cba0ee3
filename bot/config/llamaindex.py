"""What the environment says about LlamaIndex: ``LLAMAINDEX_ENGINE``, and whether it is installed."""

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
    """Where the engine is: ``name`` in the module ``module``, or what that returns when it is called."""

    module: str
    name: str

    def __str__(self) -> str:
        """As it is written in the environment."""
        return f"{self.module}:{self.name}"


def read_options(given: Mapping[str, str], faults: list[str]) -> LlamaIndexOptions | None:
    """Read ``LLAMAINDEX_ENGINE`` of ``given``; what is wrong is added to ``faults``.

    The module itself is not imported yet: it is the user's, and may do anything.
    """
    if not _is_there("llama_index.core"):
        faults.append(f"ANSWER_SOURCE=llamaindex needs LlamaIndex, which is not installed: {INSTALL}")
    written = given.get("LLAMAINDEX_ENGINE", "")
    if not written:
        faults.append(f"ANSWER_SOURCE=llamaindex needs LLAMAINDEX_ENGINE, such as {_EXAMPLE}")
        return None
    if not (found := _FORM.fullmatch(written)):
        faults.append(f"LLAMAINDEX_ENGINE={written} is not module:callable, such as {_EXAMPLE}")
        return None
    if not _is_there(found[1].partition(".")[0]):
        faults.append(f"LLAMAINDEX_ENGINE={written}: there is no module {found[1]}")
    return LlamaIndexOptions(module=found[1], name=found[2])


def _is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False
