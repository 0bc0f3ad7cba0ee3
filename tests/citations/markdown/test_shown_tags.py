"""Tags of HTML that show what they stand for: models write them where Markdown has nothing."""

from __future__ import annotations

import pytest

from citations import Answer, Reference, channel, cite, render

POOL = (Reference(id="1", name="Pool manual", url="https://example.com/pool"),)
CASES = {
    "a line break, with a line end or without": (
        "Open<br>daily<br/>\nfrom 9<BR />\n\n",
        "Open  \ndaily  \nfrom 9",
    ),
    "several are one": ("Open<br><br>\n<br>daily", "Open  \ndaily"),
    "at the ends it is none": ("<br>Open daily.<br>", "Open daily."),
    "alone on a line it is no block": ("<br>\n**Open** daily.\n\n<br>\n\nBye", "**Open** daily.\n\nBye"),
    "in a cell": ("|A<br>B|\n|-|\n|**c**<br>d<br>|", "| A · B |\n| --- |\n| **c** · d |"),
    "behind it, no list begins": ("Open<br>- daily<br>1. always", "Open  \n&#45; daily  \n1&#46; always"),
    "in code it is code": ("`a<br>b`", "`a<br>b`"),
    "small digits": ("CO<sub>2</sub>, 10<sup>-6</sup>", "CO₂, 10⁻⁶"),
    "other words in small are as typed": ("x<sup>n</sup>", "x&lt;sup>n&lt;/sup>"),
    "a small marker": ("Open<sup>[1]</sup> daily", "Open[1] daily"),
    "a small link to its source": ("Open<sup>[1](https://example.com/pool)</sup> daily", "Open[1] daily"),
    "small words in parentheses": ("x<sup>(n)</sup>", "x&lt;sup>(n)&lt;/sup>"),
    "other tags are as typed": ("<br class=x>", "&lt;br class=x>"),
}


@pytest.mark.parametrize(("text", "shown"), CASES.values(), ids=CASES)
def test_tags_are_what_they_stand_for(text: str, shown: str) -> None:
    rendering = render(cite(Answer(text=text, references=POOL)), channel("webchat"))
    assert rendering.text.partition("\n\n[1]: ")[0] == shown


def test_a_plain_text_has_the_lines_and_digits_as_well() -> None:
    answer = Answer(text="Tested at 9<br>and at 2. |\n\n|A|B|\n|-|-|\n|c<br>d|10<sup>6</sup>|")
    shown = render(cite(answer), channel("sms")).text
    assert shown == "Tested at 9\nand at 2. |\n\nA | B\n\nc · d | 10⁶"
