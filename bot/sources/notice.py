"""Puts a line before the text of an answer, such as how its question was understood."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from citations import AnswerEvent, SpanFound, TextDelta, TextReplaced


@dataclass(slots=True)
class Notice:
    """A Markdown paragraph above the first text of one answer. An answer without a text gets none.

    Neither does any answer if ``text`` is empty.
    """

    text: str
    _begun: bool = field(default=False, init=False)

    def put_above(self, event: AnswerEvent) -> AnswerEvent:
        """The next event of the answer, with the notice above the text."""
        above = f"{self.text}\n\n" if self.text else ""
        match event:
            case TextReplaced(text):
                self._begun = bool(text)
                return TextReplaced(f"{above}{text}" if text else "")
            case TextDelta(text) if text and not self._begun:
                self._begun = True
                return TextDelta(f"{above}{text}")
            case SpanFound(start, end):
                return replace(event, start=start + len(above), end=end + len(above))
        return event
