"""Names are compared as people mean them: a label's rule reaches a name in any spelling of it."""

from __future__ import annotations

import sys
import unicodedata
from typing import Any
from urllib.parse import quote

import idna
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations import LabelRanking, Reference, SensitivityLabel
from citations.labels import LabelRule
from citations.text import clean_spelling, fold_name

SHY, JOINER, OVERRIDE = "\u00ad", "\u200d", "\u202e"
LABELS = (
    SensitivityLabel(id="general", name="General", priority=0),
    SensitivityLabel(id="board", name="Secret\\Board", priority=1),
)


def document(path: str) -> Reference:
    return Reference(id=path)


def called(name: str) -> Reference:
    return Reference(id="1", ordinal=True, name=name)


def linked(url: str) -> Reference:
    return Reference(id="1", ordinal=True, url=url)


REACHED = [
    # What macOS, zip and rsync make of a folder's name.
    ({"file": "gehälter/*"}, document("geha\u0308lter/pay.md")),
    ({"file": "geha\u0308lter/*"}, document("gehälter/pay.md")),
    ({"file": "GEHÄLTER/*"}, document("Geha\u0308lter/pay.md")),
    ({"file": "board/*"}, document(f"bo{SHY}ard/pay.md")),
    ({"file": f"bo{SHY}ard/*"}, document("board/pay.md")),
    ({"file": "board/*"}, document("ｂoard/pay.md")),
    ({"file": "ｂｏａｒｄ/*"}, document("board/pay.md")),
    ({"file": "board/*"}, document(f"board{OVERRIDE}/pay.md")),
    ({"file": "straße*"}, document("STRASSE.pdf")),
    ({"file": "が.pdf"}, called("か\u3099.pdf")),
    ({"file": "ofﬁce.docx"}, called("office.docx")),
    ({"file": "gehälter.pdf"}, linked("https://contoso.example/a/geha%CC%88lter.pdf?v=2")),
    # As a browser or a mirror called the folder, and as it is meant.
    ({"file": "hr%20docs/*"}, document("hr%20docs/pay.md")),
    ({"file": "*/hr%20docs/*"}, linked("https://contoso.example/documents/hr%2520docs/pay.md")),
    ({"file": "hr docs/*"}, document("hr%20docs/pay.md")),
    ({"file": "hr%20docs/*"}, document("hr docs/pay.md")),
    ({"file": "100%25.md"}, called("100%25.md")),
    ({"id": "hr%20docs/pay.md"}, document("hr%20docs/pay.md")),
    ({"id": "pay%20bands"}, called("Pay Bands")),
    # Brackets that are the folder's, and brackets that are a set of characters.
    ({"file": "[secret]/*"}, document("[secret]/pay.md")),
    ({"file": "[secret]/*"}, document("s/pay.md")),
    ({"file": "[1-3] why?.md"}, document("board/[1-3] why?.md")),
    ({"file": "[a]%20[b]/*"}, document("[A]%20[B]/pay.md")),
    # Turkish has four letters i.
    ({"file": "SIRLI/*"}, document("sırlı/pay.md")),
    ({"file": "sırlı/*"}, document("SIRLI/pay.md")),
    ({"file": "ik/*"}, document("İK/pay.md")),
    ({"file": "İK/*"}, document("i\u0307k/pay.md")),
    ({"id": "ışık"}, document("IŞIK")),
    ({"url_prefix": "https://contoso.example/sırlı/"}, linked("https://contoso.example/SIRLI/a")),
    # Windows' paths, on either side.
    ({"file": "hr%5Cboard\\*"}, document("hr\\board\\pay.md")),
    ({"file": "board\\*"}, document("board/pay.md")),
    ({"file": "board/*"}, document("board\\pay.md")),
    ({"file": "board\\*"}, called("Board\\pay.md")),
    # In a pattern, a wide sign stands for itself.
    ({"file": "［draft］*"}, document("［draft］ pay.md")),
    ({"file": "なぜ？.md"}, document("なぜ?.md")),
    ({"id": "gehälter.pdf"}, document("geha\u0308lter.pdf")),
    ({"id": "Gehälter.pdf"}, called("geha\u0308lter.pdf")),
    ({"id": "file-7"}, Reference(id="1", ordinal=True, aliases=(f"file{JOINER}-7",))),
    ({"id": "file-7"}, document("FILE-7")),
    ({"id": "https://contoso.example/hr/a"}, linked("http://CONTOSO.example./hr/a")),
    ({"url_prefix": "https://contoso.example/hr/"}, linked("https://contoso.example./hr/a")),
    ({"url_prefix": "https://contoso.example./hr/"}, linked("https://contoso.example/hr/a")),
    ({"url_prefix": "https://contoso.example/hr/"}, linked("http://contoso.example/hr/a")),
    ({"url_prefix": "http://contoso.example/hr/"}, linked("https://contoso.example:443/hr/a")),
    ({"url_prefix": "https://contoso.example"}, linked("http://contoso.example:80")),
    ({"url_prefix": "https://contoso.example/HR/"}, linked("https://contoso.example/hr/a")),
    ({"url_prefix": "https://contoso.example/gehälter/"}, linked("https://contoso.example/geha%CC%88lter/a")),
    # No link is made of these, and the page is named all the same.
    ({"url_prefix": "https://contoso.example/hr/"}, linked("https:/contoso.example/hr/a")),
    ({"url_prefix": "https://contoso.example/hr/"}, linked("//contoso.example/hr/a")),
    ({"url_prefix": "https://contoso.example/hr/"}, linked("contoso.example\\hr\\a")),
    (
        {"url_prefix": "https://gehälter.example/"},
        linked(f"https://{idna.encode('gehälter').decode()}.example./a"),
    ),
    ({"url_prefix": "https://gehälter.example/"}, linked("https://me@GEHÄLTER.example/a")),
]
NOT_REACHED = [
    ({"file": "board/*"}, document("boards/pay.md")),
    ({"file": "a[bc].md"}, document("ad.md")),
    ({"id": "file-7"}, document("file-77")),
    ({"url_prefix": "https://contoso.example"}, linked("https://contoso.example.evil.example/hr")),
    ({"url_prefix": "https://contoso.example./"}, linked("https://contoso.example.evil.example/hr")),
    ({"url_prefix": "https://contoso.example/hr/"}, linked("https://contoso.example:8443/hr/a")),
    ({"url_prefix": "https://contoso.example/hr/"}, linked("https://contoso.example/hr/../it/a")),
    ({"url_prefix": "https://contoso.example/hr/"}, linked("s3://contoso.example/hr/a")),
]


@pytest.mark.parametrize(("rule", "reference"), REACHED)
def test_a_rule_reaches_a_name_in_any_spelling(rule: dict[str, Any], reference: Reference) -> None:
    ranking = LabelRanking(labels=LABELS, default="general", rules=(LabelRule(label="board", **rule),))
    assert ranking.label_of(reference) == LABELS[1]
    assert ranking.unmatched_rules([reference]) == ()


@pytest.mark.parametrize(("rule", "reference"), NOT_REACHED)
def test_a_rule_does_not_reach_another_name(rule: dict[str, Any], reference: Reference) -> None:
    ranking = LabelRanking(labels=LABELS, default="general", rules=(LabelRule(label="board", **rule),))
    assert ranking.label_of(reference) == LABELS[0]
    assert ranking.unmatched_rules([reference]) == ranking.rules


LOOSE = [
    ({"file": "hr%20docs/*"}, document("hr%20docs/pay.md")),
    ({"file": "[secret]/*"}, document("[secret]/pay.md")),
    ({"file": "sırlı/*"}, document("SIRLI/pay.md")),
    ({"id": "IK"}, document("ık")),
    ({"url_prefix": "https://contoso.example/sırlı/"}, linked("https://contoso.example/SIRLI/a")),
]


@pytest.mark.parametrize(("rule", "reference"), LOOSE)
def test_a_name_that_is_only_like_the_rules_raises_a_label_and_lowers_none(
    rule: dict[str, Any], reference: Reference
) -> None:
    low, high = LABELS
    for default, other in ((low, high), (high, low)):
        ranking = LabelRanking(labels=LABELS, default=default.id, rules=(LabelRule(label=other.id, **rule),))
        assert ranking.label_of(reference) == high


parts = st.text(st.sampled_from("aıİiI%20[]?*/\\Aä\u0308\u202e#:"), max_size=12)
rules = st.one_of(
    st.builds(LabelRule, label=st.sampled_from(["general", "board"]), file=parts),
    st.builds(LabelRule, label=st.sampled_from(["general", "board"]), id=parts),
    st.builds(
        LabelRule,
        label=st.sampled_from(["general", "board"]),
        url_prefix=parts.map("https://contoso.example/".__add__),
    ),
)
sources = st.builds(
    Reference,
    id=parts,
    ordinal=st.booleans(),
    name=parts,
    url=st.one_of(st.none(), parts.map("https://contoso.example/".__add__)),
    aliases=st.lists(parts, max_size=2).map(tuple),
)


@given(st.lists(rules, max_size=4).map(tuple), sources, st.sampled_from([None, "general", "board"]))
def test_what_a_rule_matches_loosely_never_lowers_a_label(
    rules: tuple[LabelRule, ...], reference: Reference, default: str | None
) -> None:
    ranking = LabelRanking(labels=LABELS, default=default, rules=rules)
    certain: set[str | None] = {rule.label for rule in rules if rule.matches(reference)} or {default}
    given = ranking.label_of(reference)
    assert given == LABELS[1] or "board" not in certain
    assert given or certain == {None}


@given(
    parts,
    st.sampled_from(
        [str.upper, str.lower, lambda name: quote(name, safe="/"), lambda name: name.replace("/", "\\")]
    ),
)
def test_a_rule_that_is_written_as_the_file_is_called_matches_it(name: str, respell: Any) -> None:
    names = (name, respell(name))
    for written, called_so in (names, names[::-1]):
        rule = LabelRule(label="board", file=written)
        assert rule.matches_name(document(called_so)) or not called_so, (written, called_so)


names = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/\\#?%*[]:"), min_size=1)
hidden = st.sampled_from(["", SHY, JOINER, OVERRIDE, "\ufe0f", "\u034f", "\U000e0041"])
spellings = st.sampled_from([
    lambda name: unicodedata.normalize("NFD", name),
    lambda name: unicodedata.normalize("NFKD", name),
    str.casefold,
    lambda name: "".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else one for one in name),
])  # fmt: skip


@given(names, spellings, hidden, st.integers(0, 20))
def test_any_spelling_of_any_name(name: str, respell, sign: str, place: int) -> None:  # type: ignore[no-untyped-def]
    spelt = respell(name)
    spelt = spelt[:place] + sign + spelt[place:]
    assert fold_name(fold_name(name)) == fold_name(name)
    assert fold_name(clean_spelling(name)) == fold_name(name)
    assert LabelRule(label="x", id=name).matches(document(spelt))
    assert LabelRule(label="x", id=spelt).matches(document(name))


def test_the_signs_that_are_one_of_a_pattern_in_nfkc_stand_for_themselves() -> None:
    """All of Unicode: another version of it may have more of them."""
    wide = [
        chr(code)
        for code in range(0x80, sys.maxunicode)
        if not {"*", "?", "["}.isdisjoint(unicodedata.normalize("NFKC", chr(code)))
    ]
    assert wide
    assert all(LabelRule(label="x", file=f"{one}.md").matches(document(f"{one}.md")) for one in wide)
    assert not any(LabelRule(label="x", file=f"{one}.md").matches(document("x.md")) for one in wide)


def test_a_label_is_found_in_any_spelling_that_only_one_has() -> None:
    ranking = LabelRanking(labels=LABELS, default="general")
    for spelt in ("BOARD", f"bo{SHY}ard", "secret\\board", "Ｂoard"):
        assert ranking.label_of(Reference(id="1", label=spelt)) == LABELS[1]
        assert ranking.problems([Reference(id="1", label=spelt)]) == ()
    both = (
        SensitivityLabel(id="a", name="One", priority=0),
        SensitivityLabel(id="A", name="Two", priority=1),
    )
    two = LabelRanking(labels=both, unknown="A")
    assert two.label_of(Reference(id="1", label="a")) == both[0]
    assert two.label_of(Reference(id="1", label="ａ")) == both[1]


def test_a_rule_that_matches_nothing_is_named_with_its_line() -> None:
    ranking = LabelRanking.from_toml(
        '[[label]]\nid = "a"\nname = "A"\npriority = 0\n\n[[rule]]\nlabel = "a"\nfile = "hr/*"\n'
        '[[rule]]\nlabel = "a"\nid = "pay.md"\n[[rule]]\nlabel = "a"\nid = "pay.md"\n'
    )
    left = ranking.unmatched_rules([document("HR/x.md")])
    assert [ranking.describe_rule(rule) for rule in left] == [
        "rule 2 (line 9: id 'pay.md')",
        "rule 3 (line 12: id 'pay.md')",
    ]
    (rule,) = (LabelRule(label="a", id="x"),)
    assert LabelRanking(labels=LABELS, rules=(rule,)).describe_rule(rule) == "rule 1 (id 'x')"
