"""Why a source could not answer, in words for the person and in words for the log.

::

    SourceError                   everything a source raises on purpose
    ├── SourceUnavailable         it can't be reached, or it fails
    │   ├── SourceBusy            it has too much to do
    │   ├── SourcePaused          it failed several times, so it is not asked for a while
    │   └── SourceBrokeOff        it ended in the middle of its answer
    ├── SourceRefused             it was reached and does not answer this
    │   ├── AnswerFiltered        a filter ended its answer
    │   ├── KeyRefused            it does not take our key
    │   └── NotFoundAtSource      it does not have what the settings name
    ├── SourceTimedOut            it took longer than anybody waits
    ├── AnswerCut                 its model may not write more
    └── AnswerTooLong             its answer has no end

An answer that can't be read raises :class:`citations.AnswerFormatError`, with its JSON path, or
:class:`citations.EventStreamError`.
"""

from __future__ import annotations

from types import TracebackType
from typing import ClassVar

from citations import Cut

from ..messages import Sentence


class SourceError(Exception):
    """A source could not answer.

    The exception's own text is for the log: it has a status or a kind of failure, and never a key or
    what anybody wrote. ``message`` is the whole message to the person where nothing of the answer is
    there yet; ``suffix`` is the line below what is there of it.
    """

    message: ClassVar[Sentence] = Sentence.SOURCE_FAILED
    suffix: ClassVar[Sentence] = Sentence.SOURCE_FAILED_SUFFIX


class SourceUnavailable(SourceError):  # noqa: N818 - "unavailable" says it; the family's root has the suffix
    """It can't be reached, or it fails.

    ``transient`` says that asking again may help; ``after`` in how many seconds, where it says so.
    """

    def __init__(self, reason: str, *, transient: bool = False, after: float | None = None) -> None:
        super().__init__(reason)
        self.transient = transient
        self.after = after


class SourceBusy(SourceUnavailable):
    """It has too much to do (status 429)."""

    message = Sentence.SOURCE_BUSY


class SourcePaused(SourceUnavailable):
    """It failed several times in a row, so it is not asked for a while."""

    message = Sentence.SOURCE_PAUSED


class SourceBrokeOff(SourceUnavailable):
    """It ended in the middle of its answer."""

    message = Sentence.SOURCE_BROKE_OFF
    suffix = Sentence.SOURCE_BROKE_OFF_SUFFIX


class SourceRefused(SourceError):  # noqa: N818 - "refused" says it; the family's root has the suffix
    """It was reached and does not answer this."""

    message = Sentence.SOURCE_REFUSED
    suffix = Sentence.SOURCE_REFUSED_SUFFIX


class AnswerFiltered(SourceRefused):
    """A content filter ended its model's answer."""

    message = Sentence.ANSWER_FILTERED
    suffix = Sentence.ANSWER_FILTERED_SUFFIX


class KeyRefused(SourceRefused):
    """It does not take our key (status 401), or our key may not ask this (402, 403)."""

    message = Sentence.KEY_REFUSED


class NotFoundAtSource(SourceRefused):
    """It does not have what the settings name (status 404, or a redirect)."""

    message = Sentence.NOT_FOUND_AT_SOURCE


class SourceTimedOut(SourceError):  # noqa: N818 - "timed out" says it; the family's root has the suffix
    """It took longer than anybody waits, for the answer or for the next piece of it."""

    message = Sentence.SOURCE_TIMED_OUT
    suffix = Sentence.SOURCE_TIMED_OUT_SUFFIX


class AnswerTooLong(SourceError):  # noqa: N818 - "too long" says it; the family's root has the suffix
    """Its answer has no end, or is longer than it may be."""

    message = Sentence.ANSWER_TOO_LONG
    suffix = Sentence.ANSWER_TOO_LONG_SUFFIX


class AnswerCut(SourceError):  # noqa: N818 - "cut" says it; the family's root has the suffix
    """Its model reached the limit of what it may write. It is well: the next answer may be shorter."""

    message = Sentence.ANSWER_CUT
    suffix = Sentence.ANSWER_CUT_SUFFIX


def cut_short(cut: Cut) -> AnswerCut | AnswerFiltered:
    """The error to raise behind an answer that its model did not write to its end."""
    if cut is Cut.CONTENT_FILTER:
        return AnswerFiltered("a filter stopped the model")
    return AnswerCut("the model has written as much as it may")


class CutLater:
    """Puts off what :func:`cut_short` gives, so that what an answer was made from can be listed below it.

    In its block the answer is read; behind the list :meth:`tell` raises what was put off.
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
        """Raise what was put off, if anything was."""
        if self.error:
            raise self.error
