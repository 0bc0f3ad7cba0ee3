"""The index of a folder, which is kept as the folder is."""

from __future__ import annotations

from .candidates import Candidate, FoundPassages
from .folder_index import FolderIndex
from .listing import IndexReport, Listing, list_documents
from .part import Candidates, IndexPart
from .update import IndexStore, IndexUpdate

__all__ = [
    "Candidate", "Candidates", "FolderIndex", "FoundPassages", "IndexPart", "IndexReport", "IndexStore",
    "IndexUpdate", "Listing", "list_documents",
]  # fmt: skip
