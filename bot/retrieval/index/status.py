"""The value that says what a folder's index holds, and how far the reading is."""

from __future__ import annotations

from dataclasses import dataclass

from ..reading import Skipped


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedFile:
    """A document of the index.

    ``title`` is the name by which a reader tells it apart, and ``format`` the ending of its file, such as
    ``pdf``. ``size`` counts bytes. ``label`` is the id of its highest sensitivity label, or None.
    ``indexed`` is the time at which it was read, in ISO 8601 and UTC, or None where it is unknown.
    """

    path: str
    title: str
    format: str
    size: int
    passages: int
    label: str | None = None
    indexed: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexStatus:
    """The documents of a folder, and how far their reading is.

    ``files`` can be asked now, in order of their paths. ``reading`` has the paths of the files that are
    being read, and ``waiting`` counts those that come next. ``read`` counts those that were read in this
    update. ``skipped`` has the files that are not read. ``stalled`` counts the seconds since the last
    step of an update that does not move, and is 0 where all is well.
    """

    files: tuple[IndexedFile, ...] = ()
    reading: tuple[str, ...] = ()
    read: int = 0
    waiting: int = 0
    skipped: tuple[Skipped, ...] = ()
    stalled: int = 0
