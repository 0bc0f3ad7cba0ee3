"""A language model that writes an answer from passages: what each API's writer shares."""

from __future__ import annotations

import contextlib
import re
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Final

from citations import (
    AnswerEvent,
    AnswerFormatError,
    AnswerKind,
    EventStreamError,
    Reference,
    SpanFound,
    TextDelta,
    TextReplaced,
)
from citations.model import DialectKnown
from citations.readers import ProviderFormat, text_of

from ..config.language_model import describe_variables
from ..languages import Sentence, say
from ..telemetry.log import logger
from .errors import (
    AnswerCut,
    AnswerEmpty,
    KeyRefused,
    NotFoundAtSource,
    SourceBrokeOff,
    SourceError,
    SourceRefused,
    SourceTimedOut,
    SourceUnavailable,
    UnknownModel,
)
from .provider import Provider, ProviderClient, ProviderResponse
from .reply import EPILOGUE, read_reply

log = logger(__name__)

NO_ANSWER: Final = "NOANSWER"
"""The word that the model has to write where the sources do not answer. No person reads it."""

WrittenEvent = DialectKnown | TextDelta | TextReplaced | SpanFound
"""What a model writes: text, and what its words rest on where it cites by place."""

_DOUBTS: Final = MappingProxyType(
    {
        AnswerKind.ANSWERED: "",
        AnswerKind.UNSURE: "\n- A search chose these. It is not certain that they answer.",
        AnswerKind.NOTHING: "\n- A search chose these. It thinks that they probably do not answer.",
    }
)
"""What the model is told of the passages, by how far the search thinks that they answer."""
_TRIAL: Final = 10.0
"""Seconds in which the model has to begin an answer, when it is tried. So long it may think, too."""


class WritingError(SourceUnavailable):
    """The model gave no answer that can be shown, or only a part of one."""

    suffix = Sentence.MODEL_BROKE_OFF_SUFFIX


class RefusedError(SourceRefused):
    """The model refused to write this answer, or the rest of it."""

    suffix = Sentence.MODEL_REFUSED_SUFFIX


class SearchedElsewhereError(WritingError):
    """The server searched by itself, so the text and its markers refer to pages that the server found."""

    suffix = Sentence.MODEL_SEARCHED_ELSEWHERE_SUFFIX


@dataclass(slots=True, kw_only=True, eq=False)
class ModelWriter(ABC):
    """A model at ``base_url``. ``api_key`` may be empty for a server without keys."""

    api: ClassVar[str]
    """The key of its API in :data:`~bot.config.language_model.BASE_URLS`."""
    form: ClassVar[ProviderFormat]
    """The format of its responses."""
    path: ClassVar[str]
    """Where it writes, below ``base_url``."""
    headers: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """What each request has beside the key."""

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)
    provider: Provider = field(init=False, repr=False)
    _client: ProviderClient = field(init=False, repr=False)
    _thinks_unmarked: bool = field(default=False, init=False, repr=False)
    """Whether the last reply began with thoughts that only their end told from it."""

    def __post_init__(self) -> None:
        self.provider = Provider(name=self.model)
        self._client = ProviderClient(self.base_url, self.api_key, headers=self.headers)

    async def close(self) -> None:
        """Close its connections."""
        await self._client.close()

    async def _request(self, body: dict[str, Any], stack: contextlib.AsyncExitStack) -> ProviderResponse:
        """The response to a request, once its status is known; ``stack`` closes it."""
        return await self._client.request("POST", self.path, stack, body)

    @abstractmethod
    def _body(self, instructions: str, text: str) -> dict[str, Any]:
        """The request for what the model writes about ``text``."""

    @abstractmethod
    def _answer_body(self, question: str, references: Sequence[Reference], doubt: str) -> dict[str, Any]:
        """The request for an answer to a question from numbered sources; ``doubt`` is the search's."""

    def facts(self) -> dict[str, str | int]:
        """The model, its API, whether it answers, and the key of the :class:`Sentence` that says why not."""
        facts = {
            "model": self.model,
            "model API": self.api,
            "model answers": self.provider.facts()["answers"],
        }
        error = self.provider.error
        return {**facts, "model problem": find_problem(error)} if error else facts

    def explain_problem(self) -> str:
        """Why it does not answer, for the person who runs the bot; empty where nothing is known to fail."""
        error = self.provider.error
        return say(find_problem(error), **describe_variables(self.api, self.model)) if error else ""

    async def try_once(self) -> None:
        """Ask the model for a word, to know whether it answers, and whether its thoughts are unmarked.

        The log says that it answers, or why it does not.
        """
        body = self._body("", "Say: ready")
        try:
            async with self.provider.exchange() as exchange:
                exchange.shorten(_TRIAL)
                response = await exchange.open(lambda: self._request(body, exchange.stack))
                if response.content_type == "text/html":
                    raise NotFoundAtSource("what it sends is no answer")
                reply = read_reply(response, exchange, self.form, epilogue=EPILOGUE)
                with contextlib.suppress(SourceError, AnswerFormatError, EventStreamError):
                    async for _ in self._hold_thoughts(reply):
                        pass
        except SourceError as error:
            # A model that refuses this question answers no other either.
            self.provider.error = error
            log.warning(self.explain_problem())
        else:
            log.info("the model answers", model=self.model)

    def write(
        self, question: str, references: Sequence[Reference], kind: AnswerKind = AnswerKind.ANSWERED
    ) -> AsyncGenerator[WrittenEvent, None]:
        """Stream the model's answer: Markdown that cites the references by markers ``[id]`` or by spans.

        ``kind`` is how far the search thinks that they answer, which the model is told. The answer is
        :data:`NO_ANSWER` for a question that the references do not answer. Closing the generator cancels
        the request. Raises :class:`SourceError`, after the text that came before it.
        """
        return self._write(self._answer_body(question, references, _DOUBTS[kind]), self.provider.deadline)

    async def complete(self, instructions: str, text: str, *, seconds: float) -> str:
        """What the model writes about ``text``, for use by the bot.

        Raises :class:`SourceError`, also where the model takes longer than ``seconds``.
        """
        async with contextlib.aclosing(self._write(self._body(instructions, text), seconds)) as events:
            return text_of([event async for event in events])

    async def _hold_thoughts(
        self, reply: AsyncGenerator[AnswerEvent, None]
    ) -> AsyncGenerator[AnswerEvent, None]:
        """The events of ``reply``. Text is held until thoughts end, where the last reply withdrew some."""
        held: list[AnswerEvent] = []
        holds, withdrawn = self._thinks_unmarked, False
        async with contextlib.aclosing(reply) as events:
            async for event in events:
                if isinstance(event, TextReplaced):
                    self._thinks_unmarked = withdrawn = True
                    holds = False
                    held = [one for one in held if not isinstance(one, TextDelta | SpanFound)]
                held.append(event)
                while held and not holds:
                    yield held.pop(0)
        self._thinks_unmarked = withdrawn
        for event in held:
            yield event

    async def _write(self, body: dict[str, Any], seconds: float) -> AsyncGenerator[WrittenEvent, None]:
        """Yield what the model writes. Nothing comes before the first text."""
        dialect: list[DialectKnown] = []
        has_text = False
        async with self.provider.exchange() as exchange:
            exchange.shorten(seconds)
            try:
                response = await exchange.open(lambda: self._request(body, exchange.stack))
                answer = read_reply(response, exchange, self.form, epilogue=EPILOGUE)
                async with contextlib.aclosing(self._hold_thoughts(answer)) as events:
                    async for event in events:
                        for one in _select_written(event, dialect):
                            has_text = True
                            yield one
            except AnswerFormatError as error:
                raise WritingError(f"what it sent is no answer ({_in_short(error)})") from error
            except EventStreamError as error:
                raise WritingError(f"the answer broke off ({error})") from error
            except SourceBrokeOff as error:
                raise WritingError(str(error)) from error
            except (AnswerCut, AnswerEmpty) as error:
                if has_text:
                    raise
                raise WritingError("the answer is empty") from error
            except SearchedElsewhereError:
                if has_text:
                    # A reader would take its markers for those of the passages, so the text is removed.
                    yield TextReplaced("")
                raise


def _select_written(event: AnswerEvent, dialect: list[DialectKnown]) -> list[WrittenEvent]:
    """What the model writes with this event. Its ``dialect`` is held back until there is text."""
    if isinstance(event, DialectKnown):
        dialect[:] = [event]
    if not isinstance(event, TextDelta | TextReplaced | SpanFound):
        return []
    ready, dialect[:] = [*dialect, event], []
    return ready


def find_problem(error: Exception) -> Sentence:
    """The key of the sentence that says why a model does not answer."""
    match error:
        case KeyRefused():
            return Sentence.MODEL_KEY_REFUSED
        case UnknownModel():
            return Sentence.MODEL_UNKNOWN
        case NotFoundAtSource():
            return Sentence.MODEL_NOT_THERE
        case SourceTimedOut():
            return Sentence.MODEL_SLOW
        case _:
            return Sentence.MODEL_UNREACHABLE


def _in_short(error: AnswerFormatError) -> str:
    """The kind of fault, without what the server sent."""
    return re.split('[:"]', error.fault, maxsplit=1)[0].strip()
