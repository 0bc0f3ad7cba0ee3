"""The largest message that a channel takes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Limit:
    r"""The largest size of an activity's JSON, in bytes of an encoding.

    ``ascii`` is the JSON that Python and its SDKs write, with ``\u6f22`` for characters outside ASCII.
    Other writers need fewer bytes. ``utf-16-le`` is what Teams counts.
    """

    most: int
    encoding: str

    def size(self, value: object) -> int:
        """The size of ``value`` in bytes."""
        if self.encoding == "ascii":
            return len(json.dumps(value))
        return len(json.dumps(value, ensure_ascii=False).encode(self.encoding, "surrogatepass"))

    def holds(self, value: object, share: float = 1.0) -> bool:
        """Whether ``value`` takes at most this share of the limit."""
        # A character takes at most two escapes of six bytes. So a short text fits without a measurement.
        if isinstance(value, str):
            widest = 6 if self.encoding == "ascii" and value.isascii() else 12
            if widest * len(value) + 4 <= share * self.most:
                return True
        return self.size(value) <= share * self.most


CONNECTOR: Final = Limit(250_000, "ascii")
"""The Bot Connector takes 262,144 bytes (413 ``MessageSizeTooBig``). The rest is for the addresses of an
activity, the metadata of a stream, and what the connector adds."""
TEAMS: Final = Limit(76_000, "utf-16-le")
"""Teams: "approximately 100 KB" of UTF-16, "keep the message under 80 KB"."""
PLAYGROUND: Final = Limit(90_000, "ascii")
"""Microsoft's Agents Playground takes a body of 100 KB."""
