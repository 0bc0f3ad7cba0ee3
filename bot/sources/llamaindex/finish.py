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


class FinishRecord:
    """Of one question: why the model that was asked last finished, which is the one that answers."""

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
        finish.reason = _reason(raw) or finish.reason


def _reason(raw: object) -> str | None:
    """The ``finish_reason`` of a chat completion or a chunk, as a ``dict`` or as OpenAI's client has it."""
    choices = _of(raw, "choices")
    reason = _of(choices[0], "finish_reason") if isinstance(choices, list) and choices else None
    return reason if isinstance(reason, str) else None


def _of(held: object, name: str) -> object:
    return held.get(name) if isinstance(held, dict) else getattr(held, name, None)
