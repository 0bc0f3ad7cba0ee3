"""How much a channel takes in one message."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Limit:
    r"""The most bytes of an activity's JSON in an encoding.

    As ``ascii`` it is the JSON that Python and its SDKs write, with ``\u6f22`` for what isn't ASCII:
    other writers need fewer bytes. ``utf-16-le`` is what Teams counts.
    """

    most: int
    encoding: str

    def size(self, value: object) -> int:
        """The bytes of ``value``."""
        written = json.dumps(value, ensure_ascii=self.encoding == "ascii")
        return len(written.encode(self.encoding, "surrogatepass"))

    def holds(self, value: object, share: float = 1.0) -> bool:
        """Whether ``value`` takes no more than this share of it."""
        # A character is two escapes of six bytes at most: short texts need not be written to know.
        if isinstance(value, str) and 12 * len(value) + 2 <= share * self.most:
            return True
        return self.size(value) <= share * self.most


CONNECTOR: Final = Limit(250_000, "ascii")
"""The Bot Connector takes 262,144 bytes (413 ``MessageSizeTooBig``); the rest is for the addresses of
an activity, a stream's metadata and what the connector adds."""
TEAMS: Final = Limit(76_000, "utf-16-le")
"""Teams: "approximately 100 KB" of UTF-16, "keep the message under 80 KB"."""
PLAYGROUND: Final = Limit(90_000, "ascii")
"""Microsoft's Agents Playground takes a body of 100 KB."""
