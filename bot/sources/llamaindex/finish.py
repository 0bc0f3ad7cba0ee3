"""Why the model of an engine finished.

A response of LlamaIndex does not contain the reason, but its instrumentation does. Each event of a model
has the response of the model's server in ``raw``.
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
    """Why the last model of one question finished: the last one writes the answer."""

    def __init__(self) -> None:
        self.reason: str | None = None

    @property
    def cut(self) -> Cut | None:
        """Why the answer is not complete; None for a complete one."""
        return Cut.of(self.reason)


_NOTED: Final[ContextVar[FinishRecord | None]] = ContextVar("finish", default=None)


def note_finish() -> FinishRecord:
    """Start a record for this task, for the tasks that it starts, and for the threads that it uses."""
    if not any(isinstance(one, _FinishListener) for one in root_dispatcher.event_handlers):
        root_dispatcher.add_event_handler(_FinishListener())
    finish = FinishRecord()
    _NOTED.set(finish)
    return finish


class _FinishListener(BaseEventHandler):
    """Receives the events of all models that LlamaIndex asks, for every question."""

    @classmethod
    def class_name(cls) -> str:
        """The name of this class for LlamaIndex."""
        return "FinishListener"

    def handle(self, event: BaseEvent, **_: Any) -> None:
        """Record the reason that this event contains."""
        finish = _NOTED.get()
        if finish is None:
            return
        if isinstance(event, LLMChatStartEvent | LLMCompletionStartEvent):
            finish.reason = None
        raw = getattr(getattr(event, "response", None), "raw", None)
        finish.reason = finish_reason_of(raw) or finish.reason
