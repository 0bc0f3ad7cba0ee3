"""Reads MDX: Markdown without its imports, exports, components and comments.

Governing source: mdxjs.com, "What is MDX?". A tag inside a sentence is dropped with the other markup.
Tables and lists of HTML are read as in Markdown.
"""

from __future__ import annotations

import re
from typing import Final

from ..document import SourceDocument
from .decode import decode
from .markdown import find_fences, is_within, parse_markdown

_SILENT: Final = re.compile(
    r"""^(?:import|export)\b[ \t{*].*(?:\n(?![ \t]*$).+)*
    |\{/\*(?:[^*]|\*(?!/))*+\*/\}
    |^[ \t]*\{[^{}\n]*\}[ \t]*$
    |^[ \t]*(?:</?(?!(?:table|thead|tbody|tfoot|tr|ul|ol|dl|details|summary)\b)[A-Za-z][\w.-]*
        (?:[^<>{}"']|"[^"]*"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\})*>[ \t]*
        |</?>[ \t]*)+$
    """,
    re.MULTILINE | re.VERBOSE,
)


def read(data: bytes) -> SourceDocument:
    """Read an MDX file. Raises ``UnreadableError`` for bytes that are not text."""
    text = decode(data)
    fences = find_fences(text)

    def silence(match: re.Match[str]) -> str:
        return match[0] if is_within(match.start(), fences) else "\n" * match[0].count("\n")

    return parse_markdown(_SILENT.sub(silence, text))
