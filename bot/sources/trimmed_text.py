"""A text without the white space around it, while it comes in pieces."""

from __future__ import annotations

from citations.readers import SurrogatePairs


class TrimmedText:
    """Deltas of a text without the white space around it, which is held back until text follows it."""

    def __init__(self) -> None:
        self.begun = False
        """Whether there was any text to show."""
        self._pairs = SurrogatePairs()
        self._spaces: list[str] = []

    def feed(self, delta: str) -> str:
        """What these characters add to the text that is shown; it may be empty."""
        return self._trim(self._pairs.feed(delta))

    def close(self) -> str:
        """What the end of the text adds to it."""
        return self._trim(self._pairs.close())

    def _trim(self, text: str) -> str:
        # Half of a surrogate pair is no character.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        if not self.begun:
            text = text.lstrip()
        shown = text.rstrip()
        spaces = text[len(shown) :]
        if shown:
            self.begun = True
            shown = "".join([*self._spaces, shown])
            self._spaces.clear()
        if spaces:
            self._spaces.append(spaces)
        return shown
