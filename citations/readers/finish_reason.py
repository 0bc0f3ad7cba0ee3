"""The finish reason of a chat completion, collected from its choices."""

from __future__ import annotations

from typing import Final

from ..model.answer import Cut, plain_reason
from ..model.errors import Problem
from .loose_json import Members, member, objects

_FAILED: Final = ("error", "timeout", "failed")
"""What Cohere, Mistral, OpenRouter and Google's Interactions say of an answer in which the model failed."""
_TOOLS: Final = ("tool_calls", "tool_call", "tool_use", "function_call", "requires_action")


class FinishReason:
    """The ``finish_reason`` of one answer. The last one counts: a model may continue after a tool call.

    Servers send it with the last piece of the text or after it, some with every piece. Some send ``null``
    or ``""`` to the end.
    """

    def __init__(self) -> None:
        self._begun = False
        self._reason = ""
        self._index: object = None
        self.pictured = False
        """Whether the answer has a picture, which no message shows."""

    def follow(self, choices: object) -> Members:
        """The choice, or the candidate, that the answer is made of: the one that came first.

        The others of a stream have chunks of their own, with another ``index``.
        """
        for choice in objects(choices):
            index = member(choice, "index")
            self._index = index if self._index is None else self._index
            if index in (None, self._index):
                return choice
        return {}

    def note(self, reason: str | None) -> None:
        """Note the finish reason of a choice."""
        self._begun = True
        # In Python, an SDK's "model_dump()" has enumerations.
        self._reason = getattr(reason, "value", reason) or self._reason

    @property
    def reason(self) -> str:
        """The last reason, as the provider writes it; empty if none is known."""
        return self._reason

    @property
    def known(self) -> bool:
        """Whether a completion has a finish reason."""
        return bool(self._reason)

    @property
    def missing(self) -> bool:
        """Whether a completion has begun and has no finish reason yet."""
        return self._begun and not self._reason

    @property
    def failed(self) -> bool:
        """Whether the model failed before the end of the answer."""
        return plain_reason(self._reason) in _FAILED

    @property
    def cut(self) -> Cut | None:
        """Why the answer is not complete; None if it is, or if the reason is unknown."""
        return Cut.of(self._reason)


def report_empty(finish: FinishReason) -> Problem:
    """The problem of an answer without words, with its reason."""
    why = "its provider gives no reason"
    if finish.cut is Cut.CONTENT_FILTER:
        why = "a content filter blocked it"
    elif finish.cut:
        why = "the model reached its limit of tokens before the first word"
    elif finish.pictured:
        why = "it is a picture, which is not shown"
    elif plain_reason(finish.reason) in _TOOLS:
        why = "the model asks for a tool first, and answers once it has the tool's result"
    said = f" ({finish.reason})" if finish.reason else ""
    return Problem("answer-empty", "$.text", f"the answer has no words: {why}{said}")
