"""Has a child process render a file, within the limits of reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from ..retrieval.passages import BULLET, CitedWords, FolderFile, Markup, strip_markup
from ..retrieval.reading import POOL, ReaderPool, ReaderProcess, ReadingStoppedError

_RENDER: Final = f"{__package__}.document:render_file"
"""What the child calls. It alone imports that module, and the libraries that it needs."""
_FIRST: Final = 0
"""The priority of a document that a person waits for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedDocument:
    """A document as sanitized HTML, and its text, in which anchors count.

    ``html`` is empty where the browser renders the file itself. ``language`` is the name that
    :mod:`bot.retrieval.words` gives the language of the text, or None.
    """

    html: str
    text: str
    markup: Markup
    title: str | None = None
    language: str | None = None

    def find(self, cited: Iterable[CitedWords]) -> Iterator[tuple[int, list[str]]]:
        """Yield the offset in the text of words that are cited, and how they may be shown.

        They are shown as they are, or without their markup or their bullet. What is not found is left out.
        """
        for one in cited:
            if words := one.find_in(self.text):
                bare = words[bullet.end() :] if (bullet := BULLET.match(words)) else words
                plain = [strip_markup(words), strip_markup(bare)] if self.markup is Markup.MARKDOWN else []
                yield one.start, [words, bare, *plain]


def render_in_child(file: Path, pool: ReaderPool = POOL) -> RenderedDocument | None:
    """Render a file in a child process; return None where it can't be read within the limits. Blocks."""
    status = file.stat()
    found = FolderFile(file.name, status.st_mtime_ns, status.st_size, status.st_ctime_ns)
    ask = partial(
        ReaderProcess.ask, kind=_RENDER, folder=file.parent, file=found, patience=pool.limits.seconds
    )
    try:
        (rendered,) = pool.submit((_FIRST, status.st_size), ask, is_urgent=True).result()
    except (ReadingStoppedError, OSError):
        return None
    return RenderedDocument(**rendered | {"markup": Markup(rendered["markup"])}) if rendered else None
