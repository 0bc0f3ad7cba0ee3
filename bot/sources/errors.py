"""Why a source could not answer: a sentence for the person, and a text for the log.

::

    SourceError                   every error that a source raises on purpose
    ├── SourceUnavailable         the provider can't be reached, or it fails
    │   ├── SourceBusy            the provider has too many requests
    │   ├── SourcePaused          the circuit breaker is open after several failures
    │   └── SourceBrokeOff        the response ended in the middle of the answer
    ├── SourceRefused             the provider was reached and does not answer this question
    │   ├── AnswerFiltered        a content filter ended the answer
    │   ├── KeyRefused            the provider does not accept the bot's key
    │   ├── SignInNeeded          it needs a person's token, and there is none
    │   ├── SignInEnded           the provider does not accept the person's token
    │   ├── PersonRefused         the person may not ask it, as without a licence
    │   ├── PersonThrottled       the person has asked it too much
    │   └── NotFoundAtSource      the provider does not have what the settings name
    │       └── UnknownModel      the provider has no model of that name
    ├── SourceTimedOut            a timeout passed before the answer was complete
    ├── DocumentGone              what is asked for is of a document that is no longer there
    ├── AnswerEmpty               the answer has no words
    ├── AnswerCut                 the model reached the limit of its output
    └── AnswerTooLong             the answer is longer than the bot accepts

An answer that can't be read raises :class:`citations.AnswerFormatError`, with its JSON path, or
:class:`citations.EventStreamError`.
"""

from __future__ import annotations

from types import TracebackType
from typing import ClassVar

from citations import Cut

from ..languages import Sentence


class SourceError(Exception):
    """A source could not answer.

    The exception's own text is for the log: it has a status or a kind of failure. It never has a key, a
    question or a part of an answer. ``message`` is the whole message to the person where no part of the
    answer was shown yet. ``suffix`` is the line below the part that was shown.
    """

    message: ClassVar[Sentence] = Sentence.SOURCE_FAILED
    suffix: ClassVar[Sentence] = Sentence.SOURCE_FAILED_SUFFIX


class DocumentGone(SourceError):  # noqa: N818 - as below
    """What is asked for is of a document that is no longer there."""

    message = Sentence.NO_SUCH_DOCUMENT


class SourceUnavailable(SourceError):  # noqa: N818 - "unavailable" says it; the family's root has the suffix
    """The provider can't be reached, or it fails.

    ``transient`` says that a retry may succeed. ``after`` is the wait in seconds that the provider asks
    for, if it does.
    """

    def __init__(self, reason: str, *, transient: bool = False, after: float | None = None) -> None:
        super().__init__(reason)
        self.transient = transient
        self.after = after


class SourceBusy(SourceUnavailable):
    """The provider has too many requests (status 429 or 529)."""

    message = Sentence.SOURCE_BUSY


class SourcePaused(SourceUnavailable):
    """The provider failed several times in a row, so its circuit breaker is open for a while."""

    message = Sentence.SOURCE_PAUSED


class SourceBrokeOff(SourceUnavailable):
    """The response ended in the middle of the answer."""

    message = Sentence.SOURCE_BROKE_OFF
    suffix = Sentence.SOURCE_BROKE_OFF_SUFFIX


class SourceRefused(SourceError):  # noqa: N818 - "refused" says it; the family's root has the suffix
    """The provider was reached and does not answer this question."""

    message = Sentence.SOURCE_REFUSED
    suffix = Sentence.SOURCE_REFUSED_SUFFIX


class AnswerFiltered(SourceRefused):
    """A content filter ended the model's answer."""

    message = Sentence.ANSWER_FILTERED
    suffix = Sentence.ANSWER_FILTERED_SUFFIX


class AnswerEmpty(SourceError):  # noqa: N818 - "empty" says it; the family's root has the suffix
    """The answer ended without a word, as where a model asks for a tool that it has not."""

    message = Sentence.ANSWER_EMPTY


class KeyRefused(SourceRefused):
    """The provider does not accept the bot's key (status 401), or not for this request (402, 403).

    Its text says so, or that there is no money on the account.
    """

    message = Sentence.KEY_REFUSED

    def __init__(self, reason: str, status: int = 401) -> None:
        super().__init__(reason)
        self.status = status


class SignInNeeded(SourceRefused):
    """The source answers from what one person may read, and nobody has signed in, as on a terminal."""

    message = Sentence.SIGN_IN


class SignInEnded(SourceRefused):
    """The provider does not accept the person's token (status 401), which may be revoked."""

    message = Sentence.SIGN_IN_ENDED


class PersonRefused(SourceRefused):
    """The provider does not let this person ask (status 403): a licence or a permission is missing."""

    message = Sentence.PERSON_REFUSED


class PersonThrottled(SourceRefused):
    """The provider takes no more questions of this person for now (status 429).

    It is not :class:`SourceBusy`: no other person has to wait because of it.
    """

    message = Sentence.PERSON_THROTTLED


class NotFoundAtSource(SourceRefused):
    """The provider does not have what the settings name (status 404, or a redirect)."""

    message = Sentence.NOT_FOUND_AT_SOURCE


class UnknownModel(NotFoundAtSource):
    """The provider has no model of the name in the settings, or not for this key."""

    def __init__(self) -> None:
        super().__init__("it has no model of this name, or not for this key")


class SourceTimedOut(SourceError):  # noqa: N818 - "timed out" says it; the family's root has the suffix
    """A timeout passed, for the whole answer or for the next chunk of it."""

    message = Sentence.SOURCE_TIMED_OUT
    suffix = Sentence.SOURCE_TIMED_OUT_SUFFIX


class AnswerTooLong(SourceError):  # noqa: N818 - "too long" says it; the family's root has the suffix
    """The answer is longer than the bot accepts; perhaps it has no end."""

    message = Sentence.ANSWER_TOO_LONG
    suffix = Sentence.ANSWER_TOO_LONG_SUFFIX


class AnswerCut(SourceError):  # noqa: N818 - "cut" says it; the family's root has the suffix
    """The model reached the limit of its output. The provider works: the next answer may be shorter."""

    message = Sentence.ANSWER_CUT
    suffix = Sentence.ANSWER_CUT_SUFFIX


def cut_short(cut: Cut) -> AnswerCut | AnswerFiltered:
    """The error to raise after an answer that its model did not finish."""
    if cut is Cut.CONTENT_FILTER:
        return AnswerFiltered("a filter stopped the model")
    return AnswerCut("the model has written as much as it may")


class CutLater:
    """Delays the error of :func:`cut_short`, so that a list of sources can follow an incomplete answer.

    The answer is read in the ``with`` block, which catches the error. After the list,
    :meth:`raise_if_cut` raises it.
    """

    def __init__(self) -> None:
        self.error: AnswerCut | AnswerFiltered | None = None

    def __enter__(self) -> CutLater:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if isinstance(error, AnswerCut | AnswerFiltered):
            self.error = error
        return self.error is not None

    def raise_if_cut(self) -> None:
        """Raise the error that the block caught, if there was one."""
        if self.error:
            raise self.error
