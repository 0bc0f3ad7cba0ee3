"""Has documents rendered for the view, and keeps the last ones."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from pathlib import Path
from typing import Final

from .rendered_document import RenderedDocument, render_in_child

_MOST: Final = 24_000_000
"""Characters of all renderings that are kept."""


class Renderings:
    """The last renderings of files, by the hash of the file."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], RenderedDocument] = OrderedDict()
        # Each one takes a thread while a child works, and answers need threads, too.
        self._few_at_a_time = asyncio.Semaphore(2)

    async def render(self, file: Path) -> RenderedDocument | None:
        """The rendering of a file; None where it can't be read within the limits."""
        async with self._few_at_a_time:
            try:
                key = (await asyncio.to_thread(_compute_digest, file), file.suffix.lower())
                if key not in self._kept:
                    rendered = await asyncio.to_thread(render_in_child, file)
                    if rendered is None:
                        return None
                    self._keep(key, rendered)
            except OSError:
                return None
            self._kept.move_to_end(key)
            return self._kept[key]

    def _keep(self, key: tuple[str, str], rendered: RenderedDocument) -> None:
        self._kept[key] = rendered
        while len(self._kept) > 1 and sum(map(_measure, self._kept.values())) > _MOST:
            self._kept.popitem(last=False)


def _measure(rendered: RenderedDocument) -> int:
    return len(rendered.html) + len(rendered.text)


def _compute_digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
