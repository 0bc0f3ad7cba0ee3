"""Why the model behind an engine finished.

A response of LlamaIndex's doesn't say it. Its instrumentation does: each event of a model has what the
model's server sent (``raw``).
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Final

from llama_index.core.instrumentation import root_dispatcher  # type: ignore[attr-defined] # its documented place
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.instrumentation.events import BaseEvent
from llama_index.core.instrumentation.events.llm import LLMChatStartEvent, LLMCompletionStartEvent

from citations import Cut
from citations.readers import finish_reason_of


class FinishRecord:
    """Why the model finished that was asked last for one question: it is the one that answers."""

    def __init__(self) -> None:
        self.reason: str | None = None

    @property
    def cut(self) -> Cut | None:
        """Why the answer is not complete."""
        return Cut.of(self.reason)


_NOTED: Final[ContextVar[FinishRecord | None]] = ContextVar("finish", default=None)


def note_finish() -> FinishRecord:
    """What is noted from here on in this task, in those that it begins, and in the threads that it asks."""
    if not any(isinstance(one, _FinishListener) for one in root_dispatcher.event_handlers):
        root_dispatcher.add_event_handler(_FinishListener())
    finish = FinishRecord()
    _NOTED.set(finish)
    return finish


class _FinishListener(BaseEventHandler):
    """Hears of all models that LlamaIndex asks, for whomever."""

    @classmethod
    def class_name(cls) -> str:
        """Its name among LlamaIndex's."""
        return "FinishListener"

    def handle(self, event: BaseEvent, **_: Any) -> None:
        """Note what this event says."""
        finish = _NOTED.get()
        if finish is None:
            return
        if isinstance(event, LLMChatStartEvent | LLMCompletionStartEvent):
            finish.reason = None
        raw = getattr(getattr(event, "response", None), "raw", None)
        finish.reason = finish_reason_of(raw) or finish.reason
