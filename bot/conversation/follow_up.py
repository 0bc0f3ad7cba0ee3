"""A follow-up to the last answer: the passage of one of its sources, or what was not shown of it yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from typing import Final

from citations import Channel, Citation, CitedAnswer, LabelRanking, Rendering, quote, render
from citations.markers import distinct_sources
from citations.renderer import list_sources

from ..messages import Sentence, say
from .follow_up_request import AskedForMore, Followup
from .last_answer import RememberedAnswer

AT_ONCE: Final = 10
"""Sources in one list."""


@dataclass(frozen=True, slots=True)
class FollowUpReply:
    """What is said, and what is remembered of the answer from now on."""

    said: Rendering
    last: RememberedAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUps:
    """Follows up the last answer of a conversation on ``channel``.

    Labels and links are treated as in the answer: what was withheld there is withheld here.
    """

    channel: Channel
    ranking: LabelRanking | None = None
    live_hosts: frozenset[str] = frozenset()

    def follow(self, asked: Followup, last: RememberedAnswer) -> FollowUpReply | None:
        """What to say; None where ``last`` has nothing that could be asked for."""
        if isinstance(asked, AskedForMore):
            return self._more(last)
        if not last.citations:
            return None
        citation = _citation_at(last.citations, asked.number)
        if citation is None:
            return FollowUpReply(_sentence(which(last.citations, asked.number)), last)
        return self._passage(citation, 0, last)

    def _more(self, last: RememberedAnswer) -> FollowUpReply | None:
        """What goes on, in the order in which it was broken off: a passage, the answer, its sources."""
        position, start = last.passage or (0, 0)
        if citation := _citation_at(last.citations, position):
            return self._passage(citation, start, last)
        if last.rest:
            return self._rest(last)
        if uncited := tuple(islice(_list_uncited(last), AT_ONCE)):
            listed = list_sources(say(Sentence.ALSO_FOUND), uncited, self.channel)
            return self._split_reply(listed, replace(last, citations=last.citations + uncited))
        return FollowUpReply(_sentence(say(Sentence.THAT_WAS_ALL)), last) if last.citations else None

    def _passage(self, citation: Citation, start: int, last: RememberedAnswer) -> FollowUpReply:
        more = self.channel.wording.more
        quotation = quote(citation, self.channel, ranking=self.ranking, start=start, more=more)
        goes_on = quotation.goes_on
        read = replace(last, passage=None if goes_on is None else (citation.position, goes_on))
        return self._split_reply(quotation.cited, read)

    def _split_reply(self, cited: CitedAnswer, last: RememberedAnswer) -> FollowUpReply:
        """As many messages as the channel gets at once; what is left over is next."""
        whole = render(cited, self.channel, ranking=self.ranking, live_hosts=self.live_hosts)
        now = whole.parts[: self.channel.at_once]
        return FollowUpReply(
            replace(whole, parts=now), replace(last, rest=whole.parts[len(now) :] + last.rest)
        )

    def _rest(self, last: RememberedAnswer) -> FollowUpReply:
        """The next messages of the answer."""
        now = last.rest[: self.channel.at_once]
        said = Rendering(text="\n\n".join(now), text_format=self.channel.text_format, parts=now)
        return FollowUpReply(said, replace(last, rest=last.rest[len(now) :]))


def which(citations: Sequence[Citation], number: int) -> str:
    """What to reply to a number that no source has."""
    numbers = [str(citation.position) for citation in citations]
    if len(numbers) == 1:
        return say(Sentence.NO_OTHER_SOURCE, number=number, only=numbers[0])
    named = say(Sentence.EITHER, first=", ".join(numbers[:-1]), last=numbers[-1])
    return say(Sentence.NO_SUCH_SOURCE, number=number, numbers=named)


def _citation_at(citations: Sequence[Citation], number: int) -> Citation | None:
    return next((citation for citation in citations if citation.position == number), None)


def _list_uncited(last: RememberedAnswer) -> Iterator[Citation]:
    """The sources that were found and not shown, with the numbers that come next."""
    shown = {part.id for citation in last.citations for part in (citation.reference, *citation.parts)}
    numbers = count(max((citation.position for citation in last.citations), default=0) + 1)
    for source in distinct_sources(last.references):
        # References with one id are of one source, also where a label has cut their URLs.
        if shown.isdisjoint(part.id for part in source.parts):
            yield replace(source, position=next(numbers))


def _sentence(text: str) -> Rendering:
    return Rendering(text=text, text_format="plain")
