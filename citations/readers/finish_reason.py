"""How a chat completion finished, as its choices say it by and by."""

from __future__ import annotations

from ..model.answer import Cut


class FinishReason:
    """The ``finish_reason`` of one answer. What was said last holds: a model may go on behind a tool's call.

    Servers say it with the last piece of the text or behind it, some with every piece, and some say
    ``null`` or ``""`` to the end.
    """

    def __init__(self) -> None:
        self._begun = False
        self._reason = ""

    def note(self, reason: str | None) -> None:
        """A choice has come, and says this of why it finishes."""
        self._begun = True
        self._reason = reason or self._reason

    @property
    def known(self) -> bool:
        """A completion has said why it finishes."""
        return bool(self._reason)

    @property
    def missing(self) -> bool:
        """A completion has begun, and has not said why it finishes."""
        return self._begun and not self._reason

    @property
    def cut(self) -> Cut | None:
        """Why it is not complete; None where it is, or nothing was said."""
        return Cut.of(self._reason)
