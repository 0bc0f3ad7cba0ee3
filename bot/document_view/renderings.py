"""This module renders documents for the view, and keeps the last ones."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from pathlib import Path
from typing import Final

from ..retrieval.passage import UnreadableError
from ..retrieval.scan import LARGEST
from ..retrieval.view import RenderedDocument, render_document
from ..telemetry.log import logger

_MOST: Final = 24_000_000
"""Characters of all renderings that are kept."""

log = logger(__name__)


class Renderings:
    """Renders files, and keeps the last renderings by the hash of the file."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], RenderedDocument] = OrderedDict()
        self._one_at_a_time = asyncio.Lock()

    async def render(self, file: Path) -> RenderedDocument | None:
        """Return the rendering of a file; None where it can't be read."""
        async with self._one_at_a_time:
            try:
                data = await asyncio.to_thread(_read_bytes, file)
                key = (hashlib.sha256(data).hexdigest(), file.suffix.lower())
                if key not in self._kept:
                    self._keep(key, await asyncio.to_thread(render_document, data, file.name))
            except (UnreadableError, OSError):
                return None
            except Exception as error:  # noqa: BLE001 - a renderer's bug with one file; the file itself is opened
                log.warning("a document could not be rendered", cause=type(error).__name__)
                return None
            self._kept.move_to_end(key)
            return self._kept[key]

    def _keep(self, key: tuple[str, str], rendered: RenderedDocument) -> None:
        self._kept[key] = rendered
        while len(self._kept) > 1 and sum(map(_measure, self._kept.values())) > _MOST:
            self._kept.popitem(last=False)


def _measure(rendered: RenderedDocument) -> int:
    return len(rendered.html) + len(rendered.text)


def _read_bytes(file: Path) -> bytes:
    if file.stat().st_size > LARGEST:
        raise UnreadableError("it is too large")
    return file.read_bytes()
