"""What is one source: the same wherever it is counted, cited, listed of a withheld answer or offered as more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.conversation.follow_up import FollowUps, MoreRequest
from bot.conversation.last_answer import RememberedAnswer, read_record, remember, write_record
from citations import Answer, Citation, LabelRanking, Reference, SensitivityLabel, channel, cite
from citations.channels import channel_ids
from citations.labels.ranking import NO_CATALOGUE
from citations.markers import distinct_sources
from citations.renderer.label_ceiling import withhold

LABELS = (
    SensitivityLabel(id="general", name="General", priority=0),
    SensitivityLabel(id="secret", name="Secret", priority=1),
)
SECRET = LabelRanking(labels=LABELS, default="secret", ceilings={"*": "general"})
"""Nothing may leave on any channel."""
SMS = channel("sms")


def page(number: int, url: str | None = None) -> Reference:
    return Reference(id=str(number), url=url)


# References, by the numbers of their sources.
ONE_SOURCE: list[tuple[str, list[Reference], list[int]]] = [
    ("nothing", [], []),
    ("the same id", [page(1), page(1)], [1, 1]),
    ("other ids", [page(1), page(2)], [1, 2]),
    ("the same URL", [page(1, "https://e.com/x"), page(2, "https://e.com/x")], [1, 1]),
    ("a slash at its end", [page(1, "https://e.com/x"), page(2, "https://e.com/x/")], [1, 1]),
    ("letters of its host", [page(1, "https://E.com/x"), page(2, "HTTPS://e.com/x")], [1, 1]),
    ("an entity", [page(1, "https://e.com/?a&b"), page(2, "https://e.com/?a&amp;b")], [1, 1]),
    ("percent-encoding", [page(1, "https://e.com/ä"), page(2, "https://e.com/%C3%A4")], [1, 1]),
    ("what a provider adds to a query",
     [page(1, "https://e.com/x?a=1&utm_source=openai#y"), page(2, "https://e.com/x?a=1#y")], [1, 1]),
    ("what a provider adds as a query",
     [page(1, "https://e.com/?utm_source=openai"), page(2, "https://e.com"), page(3, "https://e.com?a=utm_source=b")], [1, 1, 2]),
    ("another query", [page(1, "https://e.com/?a"), page(2, "https://e.com/?b")], [1, 2]),
    ("an id that is the other's URL", [Reference(id="https://e.com/x"), page(2, "https://e.com/x/")], [1, 1]),
    ("one between two is of the one that has its id",
     [page(1, "https://e.com/a"), page(2, "https://e.com/b"), page(1, "https://e.com/b")], [1, 2, 1]),
    ("aliases say nothing", [replace(page(1), aliases=("f",)), replace(page(2), aliases=("f", "1"))], [1, 2]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("references", "numbers"), [case[1:] for case in ONE_SOURCE], ids=[case[0] for case in ONE_SOURCE]
)
def test_one_source(references: list[Reference], numbers: list[int]) -> None:
    parts = {
        number: tuple(one for one, of in zip(references, numbers, strict=True) if of == number)
        for number in numbers
    }
    assert {source.position: source.parts for source in distinct_sources(references)} == parts


def test_one_source_keeps_all_aliases() -> None:
    page = Reference(id="1", url="https://example.com/a", aliases=("f-1",), text="One.")
    again = Reference(id="2", url="https://example.com/a/", aliases=("f-2", "f-1"), text="Two.")
    (citation,) = cite(Answer(text="[1] [2]", references=(page, again))).citations
    assert citation.reference.aliases == ("f-1", "f-2")


def test_every_channel_of_the_table_is_known() -> None:
    assert {channel(name).id for name in channel_ids()} == set(channel_ids())


# The same count everywhere

found = st.builds(
    Reference,
    id=st.sampled_from(("1", "2", "3", "4", "5", "https://e.com/a", "https://e.com/a/")),
    url=st.sampled_from(
        (None, None, "https://e.com/a", "https://e.com/a/", "https://E.com/a", "https://e.com/a#:~:text=x",
         "https://e.com/ä", "https://e.com/%C3%A4", "https://e.com/b", "javascript:x", "javascript:x/")
    ),
    text=st.sampled_from((None, "One.", "Two.")),
    label=st.sampled_from((None, "general", "secret")),
)  # fmt: skip
references_ = st.lists(found, max_size=10)


def cited_ids(citations: Sequence[Citation]) -> list[set[str]]:
    return [{part.id for part in citation.parts} for citation in citations]


def text_of(references: Sequence[Reference]) -> str:
    return " ".join(f"[name]({one.id})" for one in references)


@given(references_)
def test_a_withheld_answer_lists_as_many_sources_as_cite_counts(references: list[Reference]) -> None:
    counted = cite(Answer(text=text_of(references), references=tuple(references))).citations
    nothing_cited = cite(Answer(text="Nothing is cited.", references=tuple(references)))
    listed = withhold(nothing_cited, SMS, SECRET).citations
    if any(one.label != "general" for one in references):
        assert cited_ids(listed) == cited_ids(counted)
        assert [one.position for one in listed] == [one.position for one in counted]
    assert cited_ids(distinct_sources(references)) == cited_ids(counted)


@given(references_, st.integers(0, 10), st.sampled_from((None, SECRET)), st.sampled_from(("sms", "webchat")))
def test_more_offers_what_was_not_cited_and_nothing_else(
    references: list[Reference], cited: int, ranking: LabelRanking | None, channel_id: str
) -> None:
    answer = cite(Answer(text=text_of(references[:cited]), references=tuple(references)))
    shown = withhold(answer, channel(channel_id), ranking or NO_CATALOGUE)
    kept = remember("What was shown.", shown, interrupted=False)
    last = read_record(write_record(kept) or b"")
    assert last == kept
    following = FollowUps(channel=channel(channel_id), ranking=ranking).follow(MoreRequest(), last)
    offered = following.answer.citations[len(last.citations) :] if following else ()
    were = set().union(*cited_ids(last.citations))
    assert all(were.isdisjoint(ids) for ids in cited_ids(offered))
    assert were.union(*cited_ids(offered)) == {one.id for one in references}
    assert len(last.citations) + len(offered) == len(distinct_sources(references))
    assert nothing_is_left(following.answer if following else last, channel_id)


def nothing_is_left(last: RememberedAnswer, channel_id: str) -> bool:
    again = FollowUps(channel=channel(channel_id)).follow(MoreRequest(), replace(last, rest=()))
    return again is None or again.answer.citations == last.citations
