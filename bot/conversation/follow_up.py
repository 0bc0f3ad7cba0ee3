"""Follow-ups: what asks for one, and the reply with the passage of a source or more of the last answer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from typing import Final

from citations import Channel, Citation, CitedAnswer, LabelRanking, Reference, Rendering, quote, render
from citations.markers import distinct_sources
from citations.renderer import list_sources, withholds_any
from citations.text.languages import either

from ..languages import LANGUAGES, Sentence, say
from ..sources.errors import DocumentGone
from ..sources.permission import EVERYTHING, NotForAsker, Permission
from .last_answer import RememberedAnswer


@dataclass(frozen=True, slots=True)
class SourceRequest:
    """The person asks for the passage of the source with this number."""

    number: int


@dataclass(frozen=True, slots=True)
class MoreRequest:
    """The person asks for the part of the answer or its sources that was not shown yet."""


FollowUpRequest = SourceRequest | MoreRequest

_LONGEST: Final = 40
_SHOW, _SOURCE, _NUMBER_SIGN = (
    either(word.casefold() for word in LANGUAGES.words_of("words", name))
    for name in ("show", "source", "number")
)
_MORE: Final = frozenset(phrase.casefold() for phrase in LANGUAGES.words_of("words", "more"))
_WHERE: Final = frozenset(phrase.casefold() for phrase in LANGUAGES.words_of("words", "where"))
_MARKS: Final = " .!?…¿¡。？"
_SOURCE_REQUEST: Final = re.compile(
    rf"(?:(?:{_SHOW} )?{_SOURCE} ?(?:{_NUMBER_SIGN}\b[.o°º]* ?)?[:#]? ?)?"
    r"[#(\[{（［【]* ?(?P<number>\d{1,2}) ?[)\]}）］】]*[.!?。]?"
)


def read_follow_up(text: str) -> FollowUpRequest | None:
    """What ``text`` asks for; None for a new question, as most messages are.

    Digits may be of any script, and brackets of any kind. Case is ignored.
    """
    if len(text) > _LONGEST:
        return None
    request = " ".join(unicodedata.normalize("NFC", text).casefold().split())
    words = request.replace("’", "'").strip(_MARKS)
    if words in _MORE:
        return MoreRequest()
    if words in _WHERE:
        return SourceRequest(1)
    match = _SOURCE_REQUEST.fullmatch(request)
    return SourceRequest(int(match["number"])) if match else None


AT_ONCE: Final = 10
"""The most sources in one list."""


@dataclass(frozen=True, slots=True)
class FollowUpReply:
    """The reply to a follow-up, and the answer to remember from now on."""

    rendering: Rendering
    answer: RememberedAnswer


@dataclass(frozen=True, slots=True)
class FollowUps:
    """Replies to follow-ups to the last answer of a conversation on ``channel``.

    Labels and links are treated as in the answer, so that withheld text stays withheld.
    """

    channel: Channel
    ranking: LabelRanking | None = None
    live_hosts: frozenset[str] = frozenset()

    def follow(self, request: FollowUpRequest, answer: RememberedAnswer) -> FollowUpReply | None:
        """The reply to ``request``; None where ``answer`` has nothing that it could mean."""
        if isinstance(request, MoreRequest):
            return self._continue(answer)
        if not answer.citations:
            return None
        citation = _find_citation(answer.citations, request.number)
        if citation is None:
            text = explain_missing_source(answer.citations, request.number)
            return FollowUpReply(_render_sentence(text), answer)
        return self._quote_passage(citation, 0, answer)

    def _continue(self, answer: RememberedAnswer) -> FollowUpReply | None:
        """Continue what is incomplete: first a passage, then the answer, then the list of sources."""
        position, start = answer.passage or (0, 0)
        if citation := _find_citation(answer.citations, position):
            return self._quote_passage(citation, start, answer)
        if answer.rest and not self._withholds(answer):
            return self._send_rest(answer)
        if uncited := tuple(islice(_iter_uncited(answer), AT_ONCE)):
            source_list = list_sources(say(Sentence.ALSO_FOUND), uncited, self.channel, ranking=self.ranking)
            return self._split_reply(source_list, replace(answer, citations=answer.citations + uncited))
        if not answer.citations:
            return None
        end = f"{say(Sentence.THAT_WAS_ALL)} {say(Sentence.GREETING_NUMBER)}"
        return FollowUpReply(_render_sentence(end), answer)

    def _withholds(self, answer: RememberedAnswer) -> bool:
        """Whether a label withholds the answer by now: it may have changed since the answer was written."""
        return self.ranking is not None and withholds_any(answer.references, self.channel, self.ranking)

    def _quote_passage(self, citation: Citation, start: int, answer: RememberedAnswer) -> FollowUpReply:
        more = self.channel.wording.more
        quotation = quote(citation, self.channel, ranking=self.ranking, start=start, more=more)
        goes_on = quotation.goes_on
        passage = None if goes_on is None else (citation.position, goes_on)
        return self._split_reply(quotation.cited, replace(answer, passage=passage))

    def _split_reply(self, cited: CitedAnswer, answer: RememberedAnswer) -> FollowUpReply:
        """As many messages as the channel gets at once; the others are remembered."""
        whole = render(cited, self.channel, ranking=self.ranking, live_hosts=self.live_hosts)
        parts = whole.parts[: self.channel.at_once]
        rest = whole.parts[len(parts) :] + answer.rest
        return FollowUpReply(replace(whole, parts=parts), replace(answer, rest=rest))

    def _send_rest(self, answer: RememberedAnswer) -> FollowUpReply:
        """The next messages of the answer."""
        parts = answer.rest[: self.channel.at_once]
        rendering = Rendering(text="\n\n".join(parts), text_format=self.channel.text_format, parts=parts)
        return FollowUpReply(rendering, replace(answer, rest=answer.rest[len(parts) :]))


def explain_missing_source(citations: Sequence[Citation], number: int) -> str:
    """Write the reply to a number that no source has."""
    numbers = [str(citation.position) for citation in citations]
    if len(numbers) == 1:
        return say(Sentence.NO_OTHER_SOURCE, number=number, only=numbers[0])
    choices = say(Sentence.EITHER, first=", ".join(numbers[:-1]), last=numbers[-1])
    return say(Sentence.NO_SUCH_SOURCE, number=number, numbers=choices)


def _find_citation(citations: Sequence[Citation], position: int) -> Citation | None:
    return next((citation for citation in citations if citation.position == position), None)


def _iter_uncited(answer: RememberedAnswer) -> Iterator[Citation]:
    """Yield the sources that were found but not shown, with the numbers after the last citation's."""
    shown = {part.id for citation in answer.citations for part in (citation.reference, *citation.parts)}
    numbers = count(max((citation.position for citation in answer.citations), default=0) + 1)
    for source in distinct_sources(answer.references):
        # References with the same id belong to one source, even if a label has removed their URLs.
        if shown.isdisjoint(part.id for part in source.parts):
            yield replace(source, position=next(numbers))


def _render_sentence(text: str) -> Rendering:
    return Rendering(text=text, text_format="plain")


def restrict_answer(
    answer: RememberedAnswer,
    request: FollowUpRequest,
    permission: Permission,
    renewed: Mapping[Reference, Reference],
) -> RememberedAnswer:
    """``answer`` for a person who may not be the one that it was written for, and at a later time.

    ``renewed`` has the sources that are still there, with their present labels. Raises
    :class:`DocumentGone` where the reply would show another one, and :class:`NotForAsker` where it would
    show one that the person may not see.
    """
    for reference in _iter_requested(answer, request):
        if reference not in renewed:
            raise DocumentGone("what was asked for is gone")
        if not permission.may_see(renewed[reference]):
            raise NotForAsker("what was asked for may not be seen")

    def restrict(reference: Reference) -> Reference:
        present = renewed.get(reference, reference)
        extract = present.extract and (permission is EVERYTHING or permission.may_extract(present))
        return replace(present, extract=extract)

    citations = tuple(
        replace(citation, reference=restrict(citation.reference), parts=tuple(map(restrict, citation.parts)))
        for citation in answer.citations
    )
    return replace(answer, citations=citations, references=tuple(map(restrict, answer.references)))


def _iter_requested(answer: RememberedAnswer, request: FollowUpRequest) -> Iterator[Reference]:
    """Yield the references that the reply can show: of one source, or all that were found."""
    for citation in answer.citations:
        if isinstance(request, MoreRequest) or citation.position == request.number:
            yield from (citation.reference, *citation.parts)
    if isinstance(request, MoreRequest):
        yield from answer.references
