"""Labels that come with a source, as Microsoft Purview's do: they join the catalogue for the answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from citations import (
    Answer,
    LabelRanking,
    Reference,
    ReferencesFound,
    RenderingStream,
    SensitivityLabel,
    TextDelta,
    channel,
    check,
    cite,
    read_message,
    render,
)
from citations.readers.neutral import read_answer, write_answer

GENERAL = SensitivityLabel(id="g", name="General", priority=1, color="#0078d4", description="For all.")
SECRET = SensitivityLabel(id="s", name="Board only", priority=7, color="#d13438", description="x")
SEALED = replace(SECRET, id="e", name="Sealed", encrypted=True)
CATALOGUE = LabelRanking.from_toml("""
    [[label]]
    id = "g"
    name = "Everyone"
    priority = 0

    [[label]]
    id = "hr"
    name = "Staff"
    priority = 5

    [ceiling]
    sms = "hr"

    [[rule]]
    label = "hr"
    url_prefix = "https://intranet.example/hr/"
""")


def source(label: SensitivityLabel, **fields: Any) -> Reference:
    found = Reference(id="1", name="Plan", url="https://intranet.example/plan", text="It moves.", label=label)
    return replace(found, **fields)


def shown(reference: Reference, channel_id: str, ranking: LabelRanking | None = None) -> str:
    answer = cite(Answer(text="It moves [1].", references=(reference,)))
    return render(answer, channel(channel_id), ranking=ranking).text


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        (GENERAL, "Everyone"),  # the catalogue's own name, for the id that both have
        (replace(GENERAL, id="unheard-of", name="everyone"), "Everyone"),  # or the name
        (SECRET, "Board only"),
        (replace(SECRET, priority=3), "Board only"),
        (replace(SECRET, priority=None), "Staff"),  # without a rank it counts as unknown
    ],
)
def test_it_joins_the_catalogue(own: SensitivityLabel, expected: str) -> None:
    label = CATALOGUE.label_of(source(own))
    assert label is not None
    assert label.name == expected


def test_it_never_lowers_what_a_rule_says() -> None:
    in_hr = "https://intranet.example/hr/plan"
    assert CATALOGUE.label_of(source(GENERAL, url=in_hr)) == CATALOGUE.labels[1]
    assert CATALOGUE.label_of(source(SECRET, url=in_hr)) == SECRET


def test_a_ceiling_holds_by_its_priority() -> None:
    assert "It moves" in shown(source(replace(SECRET, priority=5)), "sms", CATALOGUE)
    assert "It moves" not in shown(source(SECRET), "sms", CATALOGUE)
    assert "It moves" in shown(source(SECRET), "webchat", CATALOGUE)


def test_what_it_encrypts_is_quoted_to_those_with_the_right_only() -> None:
    for ranking in (None, CATALOGUE):
        assert "It moves" not in shown(source(SEALED), "webchat", ranking)
        assert "It moves" in shown(source(SEALED, extract=True), "webchat", ranking)
    known = replace(SEALED, id="g")
    assert "It moves" not in shown(source(known), "webchat", CATALOGUE)


@pytest.mark.parametrize("channel_id", ["webchat", "msteams"])
def test_clients_show_it_without_a_labels_file(channel_id: str) -> None:
    sources = (
        source(GENERAL),
        source(SECRET, id="2", name="Minutes", url="https://intranet.example/minutes"),
    )
    answer = cite(Answer(text="It moves [1]. It is late [2].", references=sources))
    activity: Any = render(answer, channel(channel_id)).to_activity()
    assert check(activity, channel_id=channel_id) == ()
    general, secret = replace(GENERAL, id="General"), replace(SECRET, id="Board only")
    # Teams shows the message's label only, and no colour.
    expected = [None, replace(secret, color=None)] if channel_id == "msteams" else [general, secret]
    for _ in range(2):
        assert [known(one.reference.label) for one in read_message(activity).citations] == expected
        activity = render(read_message(activity), channel(channel_id)).to_activity()


def known(label: str | SensitivityLabel | None) -> SensitivityLabel | None:
    """What an activity tells of a label, at the priority that it had here."""
    if not isinstance(label, SensitivityLabel):
        return None
    return replace(label, priority=GENERAL.priority if label.name == GENERAL.name else SECRET.priority)


def test_no_interim_shows_what_a_late_label_withholds() -> None:
    stream = RenderingStream(channel("msteams"), ranking=replace(CATALOGUE, ceilings={"msteams": "hr"}))
    stream.feed(TextDelta("It moves [1].\n\nAnd then"))
    assert stream.interim() is None
    stream.feed(ReferencesFound((source(SECRET),), complete=True))
    assert stream.interim() is None
    assert "moves" not in stream.close().text


def test_the_librarys_own_json_has_it() -> None:
    answer = Answer(text="It moves [1].", references=(source(replace(SEALED, priority=0)),))
    assert read_answer(write_answer(answer)) == answer
