"""The kinds of the requests between the program and a child process.

A request is a line of JSON, and so is each answer: a list with one value, or an empty list at the end.
Plain data alone passes: what a child sends can't make the program run anything. Another kind than these is
the name of a function, as ``module:function``: the child imports it and calls it with the file's path. The
answer is the data class that it returned, as an object, or null.
"""

from __future__ import annotations

from typing import Final

TEXT: Final = "text"
"""The request for a file's text: its record, whether its bytes are new ones, and its passages' records."""
LABELS: Final = "labels"
"""The request for the labels in a file's metadata: their ids."""
TOO_HUNGRY: Final = 7
"""The exit code of a child whose file needs more memory than there is."""
