"""Removes the paths of folders from texts about the documents in them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_FILE: Final = re.compile(r"((?:file://|/|\\\\|[A-Za-z]:[\\/])[^\n\r]*?)[\\/]{1,2}[^\\/\n\r]*")
"""An absolute path: ``/a/b.pdf``, ``C:\\a\\b.pdf``, ``\\\\server\\a\\b.pdf``, ``file:///a/b.pdf``."""
_LONGEST: Final = 1024
"""Characters of a path. Longer text is none."""
_INSIDE: Final = r"(?<![\w.:/\\~-])"
"""The place before a folder: outside URLs and longer paths."""
_BEHIND: Final = r"(?:[\\/]{1,2}|(?![\w-]|\.\w))"
_UNDECIDED: Final = re.compile(r"[\\/]{0,2}|\.")
"""Text behind a possible folder that leaves it undecided."""


class Folders:
    """Learns folders from absolute paths, and removes them from texts, whole or in pieces.

    Of ``/home/ana/docs/plan.pdf`` it leaves ``plan.pdf``. Feed it the pieces of one text, and close it.
    The end of the text is held back while it may become a folder.

    >>> folders = Folders()
    >>> folders.learn(["/home/ana/docs/plan.pdf"])
    >>> folders.remove("/home/ana/docs/plan.pdf is not https://x.example/home/ana/docs/a")
    'plan.pdf is not https://x.example/home/ana/docs/a'
    >>> folders.feed("As /home/a"), folders.feed("na/docs"), folders.feed("/plan.pdf"), folders.close()
    ('As ', '', 'plan.pdf', '')
    """

    def __init__(self) -> None:
        self._known: list[str] = []
        self._form: re.Pattern[str] | None = None
        self._held = ""
        self._before = ""

    def learn(self, paths: Iterable[str]) -> None:
        """Learn the folders of the absolute paths among ``paths``."""
        found = {match[1] for path in paths if len(path) <= _LONGEST and (match := _FILE.fullmatch(path))}
        if not found.issubset(self._known):
            # The longest comes first, because a folder may contain another.
            self._known = sorted(found.union(self._known), key=len, reverse=True)
            self._form = re.compile(f"{_INSIDE}(?:{'|'.join(map(re.escape, self._known))}){_BEHIND}")

    def remove(self, text: str) -> str:
        """A whole text without the folders."""
        return self._form.sub("", text) if self._form else text

    def feed(self, text: str) -> str:
        """The text that this piece completes."""
        text = self._held + text
        return self._release(text, self._held_from(text))

    def close(self) -> str:
        """The text that was held back."""
        return self._release(self._held, len(self._held))

    def _release(self, text: str, end: int) -> str:
        """``text[:end]`` without the folders.

        The rest is held back, because the text around a folder decides.
        """
        around, before = self._before + text, len(self._before)
        said, start, end = [], before, before + end
        for match in self._form.finditer(around) if self._form else ():
            if match.end() > end:
                end = min(end, match.start())
                break
            said.append(around[start : match.start()])
            start = match.end()
        said.append(around[start:end])
        self._held, self._before = around[end:], around[:end][-1:]
        return "".join(said)

    def _held_from(self, text: str) -> int:
        """The start of a possible folder at the end of ``text``."""
        earliest = len(text)
        for folder in self._known:
            start = text.find(folder[0], max(0, len(text) - len(folder) - 2))
            while 0 <= start < earliest:
                end = text[start:]
                if folder.startswith(end) or (
                    end.startswith(folder) and _UNDECIDED.fullmatch(end[len(folder) :])
                ):
                    earliest = start
                start = text.find(folder[0], start + 1)
        return earliest
