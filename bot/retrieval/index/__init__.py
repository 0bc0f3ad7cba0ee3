"""The index of a folder, which is kept as the folder is."""

from __future__ import annotations

from .cache import choose_cache_directory
from .candidates import Candidate, Candidates, FoundPassages
from .folder_index import FolderIndex
from .listing import IndexReport, Listing, list_documents
from .part import IndexPart
from .update import IndexStore, IndexUpdate
from .upkeep import IndexUpkeep

__all__ = [
    "Candidate", "Candidates", "FolderIndex", "FoundPassages", "IndexPart", "IndexReport", "IndexStore",
    "IndexUpdate", "IndexUpkeep", "Listing", "choose_cache_directory", "list_documents",
]  # fmt: skip
