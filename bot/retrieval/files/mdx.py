"""This module reads MDX: Markdown without its imports, exports, components and comments.

Governing source: mdxjs.com, "What is MDX?". A tag inside a sentence is dropped with the other markup.
"""

from __future__ import annotations

import re
from typing import Final

from ..passage import SourceDocument
from .decode import decode
from .markdown import parse_markdown

_SILENT: Final = re.compile(
    r"""^(?:import|export)\b[ \t{*].*(?:\n(?![ \t]*$).+)*
    |^[ \t]*\{/\*(?:[^*]|\*(?!/))*\*/\}[ \t]*$
    |^[ \t]*\{[^{}\n]*\}[ \t]*$
    |^[ \t]*(?:</?[A-Za-z][\w.-]*(?:[^<>{}"']|"[^"]*"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\})*>[ \t]*
        |</?>[ \t]*)+$
    """,
    re.MULTILINE | re.VERBOSE,
)


def read(data: bytes) -> SourceDocument:
    """Read an MDX file. Raises ``UnreadableError`` for bytes that are not text."""
    text = decode(data)
    return parse_markdown(text, [match.span() for match in _SILENT.finditer(text)])
