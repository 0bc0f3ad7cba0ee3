"""The example in JavaScript is copied by others, so nothing of hostile answers may come alive in it either."""

from __future__ import annotations

import re
from random import Random

from citations.readers import write_answer

from ..javascript_example import in_node
from .answers import hostile_answer
from .judge import Expected, judge
from .search import engines

ANSWERS = 300
DEFINITION = re.compile(r"^\[(\d+)\]: (\S+) \"(.*)\"$", re.MULTILINE)
DECODED = {"&amp;": "&", "&quot;": '"', "&#92;": "\\"}


def expected(text: str) -> Expected:
    """The definitions at the end of ``text``, and nothing else."""
    _, _, below = text.rpartition("\n\n")
    return Expected(
        "webchat",
        tuple(
            (label, url, re.sub("&(?:amp|quot|#92);", lambda found: DECODED[found[0]], title))
            for label, url, title in DEFINITION.findall(below)
        ),
    )


def test_nothing_of_hostile_answers_comes_alive() -> None:
    chance = Random("javascript:1")
    answers = [write_answer(hostile_answer(chance).answer) for _ in range(ANSWERS)]
    texts = [one["text"] for one in in_node({"answer": one} for one in answers)]
    found = [
        (text, finding)
        for text, readings in zip(texts, engines().read(texts), strict=True)
        for finding in judge(readings, expected(text))
        # Which badges there are is the vectors' matter.
        if finding.holds and not finding.kind.startswith("badge")
    ]
    assert found == []
