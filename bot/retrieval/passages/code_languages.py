"""Names the language of source code by the suffix of its file."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

LANGUAGES: Final[Mapping[str, str]] = MappingProxyType(
    {
        ".py": "python",
        ".bash": "bash",
        ".c": "c",
        ".cc": "cpp",
        ".cpp": "cpp",
        ".cs": "csharp",
        ".dart": "dart",
        ".ex": "elixir",
        ".fs": "fsharp",
        ".go": "go",
        ".groovy": "groovy",
        ".h": "c",
        ".hpp": "cpp",
        ".hs": "haskell",
        ".java": "java",
        ".jl": "julia",
        ".js": "javascript",
        ".jsx": "jsx",
        ".kt": "kotlin",
        ".lua": "lua",
        ".m": "objectivec",
        ".mjs": "javascript",
        ".php": "php",
        ".pl": "perl",
        ".ps1": "powershell",
        ".r": "r",
        ".rb": "ruby",
        ".rs": "rust",
        ".scala": "scala",
        ".sh": "bash",
        ".sql": "sql",
        ".swift": "swift",
        ".ts": "typescript",
        ".tsx": "tsx",
        ".vb": "vbnet",
    }
)
"""The word behind a fence, by which a viewer colours the code."""
