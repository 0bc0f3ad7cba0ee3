"""Plain text as Markdown without any effect."""

from __future__ import annotations

import re
from typing import Final

_SPECIAL: Final = re.compile(r"[\\`*\[\]<>~$|]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)|!(?=\[)")
_LINE_START: Final = re.compile(r"(?m)^(\s*)([-+#=]|\d+(?=[.)](?:\s|$)))")


def escape_text(text: str) -> str:
    """Markdown that shows exactly ``text``.

    >>> escape_text("a [1] *b*")
    'a &#91;1&#93; &#42;b&#42;'
    """
    text = _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", text)
    return _LINE_START.sub(lambda match: match[1] + _as_entities(match[2]), text)


def _as_entities(text: str) -> str:
    return f"&#{ord(text[0])};{text[1:]}"
