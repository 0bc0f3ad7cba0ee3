"""Sensitivity labels: the labels file, which label a reference gets, and which of several is highest."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations import LabelFormatError, LabelRanking, Reference, SensitivityLabel
from citations.labels import LabelRule
from citations.labels.ranking import NO_CATALOGUE, highest_label

ONE = '[[label]]\nid = "a"\nname = "A"\npriority = 0\n'
CATALOGUE = """
default = "general"

[[label]]
id = "public"
name = "Public"
priority = 0

[[label]]
id = "general"
name = "General"
priority = 1
color = "#0a0"

[[label]]
id = "hr"
name = 'Confidential\\HR only'
priority = 5
description = "For HR."
color = "orange"
encrypted = true

[ceiling]
sms = "general"
email = "public"

[[rule]]
label = "public"
url_prefix = "https://www.example.com"

[[rule]]
label = "hr"
url_prefix = "https://intranet.example.com/hr/"

[[rule]]
label = "hr"
file = "*-salaries.xlsx"

[[rule]]
label = "public"
file = "brochures/*"

[[rule]]
label = "public"
id = "a1b2"
"""
RANKING = LabelRanking.from_toml(CATALOGUE)


def test_a_labels_file() -> None:
    public, general, hr = RANKING.labels
    assert public == SensitivityLabel(id="public", name="Public", priority=0)
    assert general.color == "#0a0"
    assert hr == SensitivityLabel(
        id="hr",
        name="Confidential\\HR only",
        priority=5,
        description="For HR.",
        color="orange",
        encrypted=True,
    )
    assert RANKING.default == "general"
    assert RANKING.ceilings == {"sms": "general", "email": "public"}
    assert RANKING.rules[0] == LabelRule(label="public", url_prefix="https://www.example.com")


FAULTS = [
    ("x = [", ["line 1: not TOML: Invalid value"]),
    (f"{ONE}\nname = \n", ["line 6: not TOML: Invalid value (column 8)"]),
    ("", ["no [[label]] is given"]),
    ("label = 3", ["line 1: label must be an array of tables, not 3", "line 1: no [[label]]"]),
    ("label = [1]", ["line 1: label 1: must be a table"]),
    ('[[label]]\nid = "a"', ["line 1: label 1: name is missing", "line 1: label 1: priority is missing"]),
    ('[[label]]\nid = "a"\nname = " "\npriority = 0', ["line 3: label 1: name is empty"]),
    ('[[label]]\nid = "a"\nname = "\\u202e"\npriority = 0', ["line 3: label 1: name has no character that"]),
    (
        '[[label]]\nid = "a"\nname = "A"\npriority = true',
        ["line 4: label 1: priority must be a whole number, not True"],
    ),
    (
        '[[label]]\nid = "a"\nname = "A"\npriority = -1',
        ["line 4: label 1: priority is -1; the lowest is 0"],
    ),
    (ONE + 'encrypted = "no"', ["line 5: label 1: encrypted must be true or false"]),
    (ONE + 'colour = "red"', ["line 5: label 1: unknown key 'colour' (did you mean color?)"]),
    (
        ONE + 'default = "a"',
        ["line 5: label 1: 'default' belongs to the top of the file, above the first [[label]]"],
    ),
    (ONE + '[[label]]\nid = "a"\nname = "B"\npriority = 1', ["line 6: label 2: id 'a' is label 1's already"]),
    (
        ONE + '[[label]]\nid = "b"\nname = "B"\npriority = 0',
        ["line 8: label 2: priority 0 is label 1's already; of 'A' and 'B' one must be higher"],
    ),
    (
        ONE + '[ceiling]\nteams = "a"\n"*" = "a"\nWebChat = "a"\n"web chat" = "c"',
        [
            "line 6: ceiling is for 'teams', which is no channel's id; did you mean 'msteams'?",
            "line 9: ceiling is for 'web chat', which is no channel's id; did you mean 'webchat'?",
            "line 9: ceiling.web chat is 'c', which is no label's id",
        ],
    ),
    (
        ONE + '[ceiling]\nnowhere = "a"',
        [
            "line 6: ceiling is for 'nowhere', which is no channel's id; known are webchat, directline, emulator, msteams"
        ],
    ),
    (
        'default = "b"\nunknown = "e"\n' + ONE + '[ceiling]\nsms = "c"\n[[rule]]\nlabel = "d"\nid = "x"',
        [
            "line 1: default is 'b', which is no label's id",
            "line 2: unknown is 'e'",
            "line 8: ceiling.sms is 'c', which is no label's id",
            "line 10: rule 1: label is 'd'",
        ],
    ),
    (ONE + '[ceiling]\nsms = "a"\nSMS = "a"', ["line 7: ceiling.SMS is given twice"]),
    (
        ONE + '[[rule]]\nlabel = "a"\n[[rule]]\nlabel = "a"\nid = "x"\nfile = "y"',
        [
            "line 5: rule 1: give one of id, url_prefix and file, not 0",
            "line 7: rule 2: give one of id, url_prefix and file, not 2",
        ],
    ),
    (
        ONE + '[[rule]]\nlabel = "a"\nurl_prefix = "example.com"',
        ["line 7: rule 1: url_prefix 'example.com' is not an http or https URL"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), FAULTS, ids=lambda value: str(value)[:40])
def test_every_fault_is_told_at_once(text: str, expected: list[str]) -> None:
    with pytest.raises(LabelFormatError) as caught:
        LabelRanking.from_toml(text)
    found = caught.value.faults
    assert len(found) == len(expected), found
    assert all(fault.startswith(begins) for fault, begins in zip(found, expected, strict=True)), found
    assert all("\n" not in fault for fault in found)


WRITTEN = [
    ("a comment", '# id = "x"\n[[label]]\ncolor = 3', 3),
    ("a comment behind a value", "[[label]] # \"\nid = 'a' # '''\ncolor = 3", 3),
    ("a sign in a value", '[[label]]\nid = "#[[\\""\ncolor = 3', 3),
    ("lines in a value", '[[label]]\nid = """\n[[label]]\ncolor = 0\n\\""" """""\ncolor = 3', 6),
    ("lines in a literal value", "[[label]]\nid = '''\n[[label]]\n'''''\ncolor = 3", 5),
    ("a quoted key", "[[label]]\n'color' = 3", 2),
    ("spaces", "\n  [[ label ]]\n\tcolor\t=\t3", 3),
    ("Windows' line ends", "[[label]]\r\nid = 'a'\r\ncolor = 3\r\n", 3),
    ("the second of two", "[[label]]\n[[label]]\n\n\ncolor = 3", 5),
    ("tables in one line", "default = 'a'\nlabel = [{id = 'a'}, {color = 3}]", 2),
    ("tables in several lines", "label = [\n  {id = 'a'}, # ]\n  {color = 3},\n]", 1),
    ("after an array", "x = [\n  ']',\n]\n[[label]]\ncolor = 3", 5),
]


@pytest.mark.parametrize(("text", "line"), [case[1:] for case in WRITTEN], ids=[case[0] for case in WRITTEN])
def test_a_fault_has_its_line(text: str, line: int) -> None:
    with pytest.raises(LabelFormatError) as caught:
        LabelRanking.from_toml(text)
    (fault,) = [fault for fault in caught.value.faults if "color must be" in fault]
    assert fault.startswith(f"line {line}: label ")


COLORS = [
    ("red", True),
    ("RebeccaPurple", True),
    ("#fff", True),
    ("#FFAA0080", True),
    ("#ffff0", False),
    ("#ff", False),
    ("url(https://evil.example/css)", False),
    ("rgb(0,0,0)", False),
    ("red;", False),
    ("red\n", False),
    ("nocolour", False),
    ("currentcolor", False),
    ("#fff\n", False),
    ("ｒｅｄ", False),
]


@pytest.mark.parametrize(("color", "right"), COLORS)
def test_colours(color: str, right: bool) -> None:
    text = f"[[label]]\nid = 'a'\nname = 'A'\npriority = 0\ncolor = '''{color}'''"
    if right:
        assert LabelRanking.from_toml(text).labels[0].color == color
    else:
        with pytest.raises(LabelFormatError, match="neither #rrggbb nor a CSS colour's name"):
            LabelRanking.from_toml(text)


LABELS = [
    ("no rule fits, and its source says nothing", Reference(id="1"), "general"),
    ("its source says", Reference(id="1", label="hr"), "hr"),
    ("its source may say a label below the default", Reference(id="1", label="public"), "public"),
    ("its id", Reference(id="a1b2"), "public"),
    ("its URL", Reference(id="1", url="https://www.example.com/a"), "public"),
    ("its URL, in capitals", Reference(id="1", url="HTTPS://WWW.EXAMPLE.COM/a"), "public"),
    ("its URL, with the usual port", Reference(id="1", url="https://www.example.com:443/"), "public"),
    ("a host that begins alike", Reference(id="1", url="https://www.example.com.evil.example/"), "general"),
    ("another port", Reference(id="1", url="https://www.example.com:8443/"), "general"),
    ("a path that goes back up", Reference(id="1", url="https://intranet.example.com/x/../hr/pay"), "hr"),
    ("a path with percent signs", Reference(id="1", url="https://intranet.example.com/%68r/pay"), "hr"),
    ("a path with two slashes", Reference(id="1", url="https://intranet.example.com//hr/pay"), "hr"),
    ("a user name before the host", Reference(id="1", url="https://me@intranet.example.com/hr/"), "hr"),
    ("out of the rule's folder", Reference(id="1", url="https://intranet.example.com/hr/../x"), "general"),
    ("its URL is its id", Reference(id="https://www.example.com/a"), "public"),
    ("its file name", Reference(id="reports/2024-Salaries.XLSX"), "hr"),
    ("its file name behind a Windows path", Reference(id="C:\\reports\\2024-salaries.xlsx"), "hr"),
    ("its file name in a URL", Reference(id="1", url="https://x.example/24-salaries.xlsx?raw=1"), "hr"),
    ("its document's file name", Reference(id="1", document_url="http://x/24-salaries.xlsx#p2"), "hr"),
    ("its path", Reference(id="brochures/a.pdf"), "public"),
    ("its name may raise the label", Reference(id="1", name="24-salaries.xlsx"), "hr"),
    ("its name can't lower the label", Reference(id="1", name="brochures/a.pdf"), "general"),
    ("the highest that applies", Reference(id="a1b2", url="https://intranet.example.com/hr/x"), "hr"),
    ("a label that nobody knows is the highest", Reference(id="1", label="top-secret"), "hr"),
    ("a blank label too", Reference(id="a1b2", label=" "), "hr"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("reference", "expected"), [case[1:] for case in LABELS], ids=[case[0] for case in LABELS]
)
def test_label_of(reference: Reference, expected: str) -> None:
    label = RANKING.label_of(reference)
    assert label is not None
    assert label.id == expected


def test_without_a_default_there_may_be_no_label() -> None:
    ranking = LabelRanking(labels=RANKING.labels)
    assert ranking.label_of(Reference(id="1")) is None
    assert ranking.highest([]) is None
    assert ranking.highest([None, ranking.labels[0], None]) is ranking.labels[0]


def test_a_label_that_nobody_knows_is_a_problem() -> None:
    references = (
        Reference(id="1", label="hr"),
        Reference(id="2", label="top\u202esecret"),
        Reference(id="3"),
    )
    (problem,) = RANKING.problems(references)
    assert (problem.code, problem.path) == ("unknown-label", "$.references[1].label")
    assert "'topsecret' isn't in the catalogue" in problem.message


def test_an_empty_catalogue_does_not_hide_a_label() -> None:
    label = LabelRanking(labels=()).label_of(Reference(id="1", label="secret"))
    assert label == SensitivityLabel(id="secret", name="secret")


def test_equal_priorities_are_settled_by_encryption_then_by_the_catalogue() -> None:
    labels = tuple(
        SensitivityLabel(id=name, name=name, priority=3, encrypted=name in "cd")
        for name in ("a", "b", "c", "d")
    )
    ranking = LabelRanking(labels=labels)
    assert {ranking.highest(order) for order in permutations(labels)} == {labels[2]}
    assert {ranking.highest(order) for order in permutations(labels[:2])} == {labels[0]}


CEILINGS = [
    ("sms", "public", False),
    ("sms", "general", False),
    ("sms", "hr", True),
    ("email", "general", True),
    ("webchat", "hr", False),
]


@pytest.mark.parametrize(("channel_id", "label", "exceeds"), CEILINGS)
def test_ceilings(channel_id: str, label: str, exceeds: bool) -> None:
    found = next(known for known in RANKING.labels if known.id == label)
    assert RANKING.exceeds_ceiling(found, channel_id) is exceeds
    assert not RANKING.exceeds_ceiling(None, channel_id)


def test_a_ceiling_that_nobody_knows_lets_nothing_pass() -> None:
    ranking = LabelRanking(labels=RANKING.labels, ceilings={"sms": "gone"})
    assert ranking.exceeds_ceiling(ranking.labels[0], "sms")


def test_a_label_without_a_rank_is_above_any_ceiling() -> None:
    assert RANKING.exceeds_ceiling(SensitivityLabel(id="x", name="x"), "sms")


def test_without_a_ranking_the_message_names_every_label() -> None:
    references = [
        Reference(id="1", label="B"),
        Reference(id="2"),
        Reference(id="3", label="A"),
        Reference(id="4", label="B"),
    ]
    assert NO_CATALOGUE.label_of(references[1]) is None
    assert highest_label(references[:2], NO_CATALOGUE) == SensitivityLabel(id="B", name="B")
    combined = highest_label(references, NO_CATALOGUE)
    assert combined is not None
    assert combined.name == "B, A"


identifiers = st.sampled_from((None, "public", "general", "hr", "unheard-of", ""))
references = st.builds(
    Reference,
    id=st.sampled_from(("1", "a1b2", "brochures/a", "24-salaries.xlsx", "C:\\x")) | st.text(),
    name=st.none() | st.sampled_from(("24-salaries.xlsx", "brochures/x")) | st.text(),
    url=st.none()
    | st.sampled_from(("https://www.example.com/x", "https://intranet.example.com/hr/"))
    | st.text(),
    label=identifiers,
)


@given(st.lists(references), references)
def test_another_source_never_lowers_the_label(before: list[Reference], added: Reference) -> None:
    was, now = highest_label(before, RANKING), highest_label([*before, added], RANKING)
    assert (was.priority or 0 if was else -1) <= (now.priority or 0 if now else -1)


@given(st.lists(references), references)
def test_without_a_ranking_another_source_takes_no_name_away(
    before: list[Reference], added: Reference
) -> None:
    was, now = (highest_label(found, NO_CATALOGUE) for found in (before, [*before, added]))
    assert was is None or (now is not None and set(was.name.split(", ")) <= set(now.name.split(", ")))


@given(references, st.text(), st.text())
def test_words_of_a_document_never_lower_its_label(reference: Reference, name: str, text: str) -> None:
    plain = Reference(id=reference.id, url=reference.url, label=reference.label)
    named = Reference(id=reference.id, url=reference.url, label=reference.label, name=name, text=text)
    was, now = RANKING.label_of(plain), RANKING.label_of(named)
    assert was is not None
    assert now is not None
    assert (was.priority or 0) <= (now.priority or 0)


@given(st.text())
def test_any_text_is_a_labels_file_or_has_faults(text: str) -> None:
    try:
        LabelRanking.from_toml(text)
    except LabelFormatError as error:
        assert error.faults  # noqa: PT017 - the error is one of two right outcomes
