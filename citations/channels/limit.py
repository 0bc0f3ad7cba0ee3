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
        return (isinstance(value, str) and self.holds_any(len(value), share)) or (
            self.size(value) <= share * self.most
        )

    def holds_any(self, length: int, share: float = 1.0, beside: int = 0) -> bool:
        """Whether any text of ``length`` characters does, beside so many bytes.

        A character takes at most two escapes of six bytes. So a short text fits without a measurement.
        """
        return _WIDEST * length + 4 + beside <= share * self.most


_WIDEST: Final = 12
"""The most bytes of a character."""
CONNECTOR: Final = Limit(250_000, "ascii")
"""The Bot Connector takes 262,144 bytes (413 ``MessageSizeTooBig``). The rest is for the addresses of an
activity, the metadata of a stream, and what the connector adds."""
TEAMS: Final = Limit(76_000, "utf-16-le")
"""Teams: "approximately 100 KB" of UTF-16, "keep the message under 80 KB"."""
PLAYGROUND: Final = Limit(90_000, "ascii")
"""Microsoft's Agents Playground takes a body of 100 KB."""
