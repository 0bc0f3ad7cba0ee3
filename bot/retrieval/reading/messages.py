"""This module has the kinds of the messages between the program and a child process.

A message is a line of JSON. A request is an object; an answer is a list whose first item is its kind.
Plain data alone passes: what a child sends can't make the program run anything.
"""

from __future__ import annotations

from typing import Final

READY: Final = "ready"
"""The child has started."""
PASSAGE: Final = "passage"
"""The record of a passage follows; the passages of a file come before its own record."""
FILE: Final = "file"
"""The request for a file's text, and its answer: the record, and whether the bytes are new ones."""
LABELS: Final = "labels"
"""The request for the labels in a file's metadata, and its answer: their ids."""
VIEW: Final = "view"
"""The request for a file's rendering, and its answer: the rendering, or null for one that can't be read."""
TOO_HUNGRY: Final = "too hungry"
"""The file needs more memory than there is; the child ends."""
