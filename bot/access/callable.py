"""The operator's own code, which a setting names as ``module:callable``."""

from __future__ import annotations

import importlib
import re
from typing import Any, Final

_FORM: Final = re.compile(r"\w+(?:\.\w+)*:\w+(?:\.\w+)*")


def load_callable(spec: str, *, example: str) -> Any:
    """Import ``module:callable``. Raises ``ValueError``, whose message follows the variable."""
    if not _FORM.fullmatch(spec):
        raise ValueError(f"is not module:callable, such as {example}")
    module, _, name = spec.partition(":")
    try:
        target: Any = importlib.import_module(module)
        for part in name.split("."):
            target = getattr(target, part)
    except Exception as error:  # the module is the operator's, and may raise anything
        raise ValueError(f"can't be loaded: {_describe(error)}") from error
    if not callable(target):
        raise ValueError("can't be called")
    return target


def _describe(error: Exception) -> str:
    """An error of the operator's own code, on one line."""
    said = " ".join(str(error).split())
    if isinstance(error, SyntaxError) and "null bytes" in said:
        said = "a file is UTF-16, and not UTF-8"
    return said if isinstance(error, ImportError | AttributeError) else f"{type(error).__name__}: {said}"
