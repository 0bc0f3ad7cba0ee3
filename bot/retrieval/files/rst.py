"""Reads reStructuredText with Docutils, without opening any other file."""

from __future__ import annotations

import re
from typing import Any, Final

from docutils import nodes
from docutils.core import publish_parts
from docutils.parsers.rst import Directive, directives, languages, roles

from ..document import SourceDocument
from .decode import decode
from .html import parse_page

_SETTINGS: Final = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "_disable_config": True,
    "halt_level": 5,
    "report_level": 5,
    "embed_stylesheet": False,
    "stylesheet_path": "",
    "syntax_highlight": "none",
    "math_output": "MathML",
    "initial_header_level": 2,
    "toc_backlinks": False,
    "footnote_backlinks": False,
}
_DIRECTIVE: Final = re.compile(
    r"^[ \t]*\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?([\w][\w.:+-]*)::(?=\s|$)", re.MULTILINE
)
_ROLE: Final = re.compile(r"(?::(\w[\w.:+-]{0,80}):`|`:(\w[\w.:+-]{0,80}):)")
_TARGET: Final = re.compile(r"(?<!\s)\s*+<[^<>]*>\Z")
_CODE: Final = frozenset(("code-block", "sourcecode", "prompt", "doctest", "testcode"))
_SILENT: Final = re.compile(
    r"(?:auto\w+|toctree|index|currentmodule|module|literalinclude|include|graphviz|mermaid|uml"
    r"|tabularcolumns|sectionauthor|codeauthor|highlight|autosummary|inheritance-diagram|meta|raw|image)\Z"
)
"""Directives of Sphinx that write nothing that a person wrote in this file."""
_CONDITIONS: Final = frozenset(("only", "ifconfig"))
"""Directives of Sphinx whose content is only in some of a document's outputs."""
_NOT_HTML: Final = re.compile(r"\b(?:latex|texinfo|man|not\s+html)\b")
_ASIDE: Final = re.compile(r"(</?)aside\b")
_NOTE: Final = re.compile(
    r'<p class="admonition-title">(?:Note|Tip|Hint|Warning|Caution|Attention|Danger|Error|Important)</p>'
)


class _AnyOption(dict[str, Any]):
    """The options of a directive whose options are not known."""

    def __missing__(self, name: str) -> Any:
        """A function that accepts any value."""
        return directives.unchanged


class _ForeignDirective(Directive):  # type: ignore[misc]  # Docutils has no types
    """A directive that Docutils does not know, such as Sphinx's: its content is read as text."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = _AnyOption({"class": directives.unchanged})

    def run(self) -> list[nodes.Node]:
        """The argument as a paragraph, and the content below it."""
        argument = "".join(self.arguments)
        is_condition = self.name in _CONDITIONS
        if _SILENT.match(self.name) or (is_condition and _NOT_HTML.search(argument)):
            return []
        content = "\n".join(self.content)
        if self.name in _CODE:
            return [nodes.literal_block(content, content)]
        found = nodes.container()
        if argument and not is_condition:
            found += nodes.paragraph(argument, argument)
        self.state.nested_parse(self.content, self.content_offset, found, match_titles=True)
        return [found]


def _read_role(_name: str, source: str, text: str, *_: Any) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """Read a role that Docutils does not know as its words: ``:ref:`Travel <travel>``` is *Travel*."""
    words = _TARGET.sub("", text).lstrip("~!") or text
    return [nodes.inline(source, words)], []


def read(data: bytes) -> SourceDocument:
    """Read a reStructuredText file. Raises ``UnreadableError`` for bytes that are not text."""
    text = decode(data)
    _register_foreign(text)
    page = publish_parts(text, writer="html5", settings_overrides=_SETTINGS)["whole"]
    # The writer makes notes and footnotes asides, which are beside the text on other pages.
    return parse_page(_ASIDE.sub(r"\1div", _NOTE.sub("", page)))


def _register_foreign(text: str) -> None:
    """Register the directives and roles of a text that Docutils does not know, which would be errors."""
    english = languages.get_language("en", None)
    for name in {match[1].lower() for match in _DIRECTIVE.finditer(text)}:
        if name not in english.directives and name not in directives._directives:
            directives.register_directive(name, _ForeignDirective)
    for name in {(match[1] or match[2]).lower() for match in _ROLE.finditer(text)}:
        if name not in english.roles and name not in roles._roles:
            roles.register_local_role(name, _read_role)
