"""No regular expression takes more time than its text is long, but for those whose text has a bound."""

from __future__ import annotations

import re

import pytest

from tests.expressions.ambiguity import find_ambiguity
from tests.expressions.automaton import automaton
from tests.expressions.found import Expression, expressions

_FLAGS = re.IGNORECASE | re.MULTILINE | re.DOTALL | re.VERBOSE | re.ASCII
_FILE = "files are read in a child process with limits of time and memory"
_SETTING = "a setting of the operator"
_QUESTION = "the bot cuts a question at 4,000 characters"
_TARGET = "2,048 characters: MAX_TARGET"
_FORMULA = "1,000 characters: the limit of a formula"
_WORDS = "words of the language files: each is read once"
_REASON = "a reason of ours for a file that was left out"

EXCEPTIONS = {
    "citations/channels/message_split.py:_URL_AT_END": "1,600 characters: the longest message",
    "citations/inspection/checks/live_content.py:_NAME": "1,000 characters of a name in braces",
    "citations/inspection/checks/mathematics.py:_INLINE": _FORMULA,
    "citations/inspection/checks/mathematics.py:_BLOCKS": _FORMULA,
    "citations/inspection/checks/teams/markup.py:_LINKED": "2,000 characters of a tag",
    "citations/doubts/number_words.py:": _WORDS,
    "citations/doubts/numbers.py:_NUMBER": "a group of three digits: no more is read twice",
    "citations/doubts/numbers.py:_GROUPED": "one number; its separator is always the same",
    "citations/doubts/written_number.py:": "one number and its unit: the run ends at the last digit",
    "citations/text/line.py:_PAIRED": "the beginning of a passage, as long as an abstract",
    "citations/labels/toml_file.py:_TOKEN": "a labels file that tomllib has read: each string ends",
    "citations/markdown/block_reader.py:_MARKUP": "it is read at a line's beginning alone",
    "citations/markdown/bracket_signs.py:_TO_FIRST": _TARGET,
    "citations/markdown/bracket_signs.py:_MAY_BE_LENIENT": _TARGET,
    "citations/markdown/bracket_signs.py:_MAY_BE_STRICT": _TARGET,
    "citations/markdown/inline_signs.py:_ENDED": "500 characters: the last ones of a text",
    "citations/markdown/inline_signs.py:_LINE_BREAKS": "500 characters: _MAX_TAG",
    "citations/markdown/tokens.py:_STRING": "1,000 characters: _LONGEST_PART",
    "citations/markers/grammar.py:_CONTENT": "300 characters: MAX_LABEL",
    "citations/markers/grammar.py:_ITEMS": "300 characters: MAX_LABEL",
    "citations/markers/span_badges.py:_ADDRESS": "an address ends at the last letter of its run, which its scheme has",
    "citations/readers/thoughts.py:_DETAILS": "1,024 characters: _LONGEST_DETAILS",
    "citations/readers/thoughts.py:_UNFINISHED": "it is read at one place of the end of a text",
    "citations/readers/written_link.py:_FOUND": "2,000 characters of an address",
    "citations/readers/written_link.py:_UNFINISHED": "4,700 characters: the longest link",
    "citations/renderer/size.py:_PART": "12 characters in front of a cut",
    "bot/config/service_urls.py:_HOST": _SETTING,
    "bot/config/teams_app.py:_WEB": _SETTING,
    "bot/conversation/question.py:_MENTION": "a name ends where the next mention begins",
    "bot/retrieval/answer/form.py:_PERIOD": "600 characters: the longest unit of a passage",
    "bot/retrieval/answer/form.py:_TEMPLATE": "600 characters: the longest unit of a passage",
    "bot/retrieval/files/sections.py:_HEADING_WORDS": "it is read at one place, and gives nothing back but one line's end",
    "bot/retrieval/passages/lines.py:_FENCE": "it is read at a line's beginning alone",
    "bot/retrieval/passages/lines.py:BULLET": "600 characters: the longest unit of a passage",
    "bot/retrieval/question/completion.py:_LEAD": _QUESTION,
    "bot/retrieval/question/completion.py:_NO_REFERENCE": _QUESTION,
    "bot/retrieval/question/kind.py:": _QUESTION,
    "bot/retrieval/question/query.py:_BEGINS": _QUESTION,
    "bot/retrieval/question/query.py:_HYPHENED": _QUESTION,
    "bot/retrieval/words/language.py:_only": _QUESTION,
    "bot/sources/embedders.py:": "the name of a model",
    "bot/sources/local_models.py:_FILE": "the name of a model",
    "bot/sources/skip_reason.py:": _REASON,
    **dict.fromkeys(
        (
            "bot/retrieval/files/code.py:_DEFINITION",
            "bot/retrieval/files/eml.py:_ATTRIBUTION",
            "bot/retrieval/files/eml.py:_RULE",
            "bot/retrieval/files/decode.py:_CHARSET",
            "bot/retrieval/files/shown.py:_LINE",
            "bot/retrieval/files/shown.py:_COMMENT",
            "bot/retrieval/files/shown.py:_NOTHING",
            "bot/retrieval/files/shown.py:_MOVED",
            "bot/retrieval/files/shown.py:_ZERO",
            "bot/retrieval/files/shown.py:",
            "bot/retrieval/files/markdown.py:_FENCED",
            "bot/retrieval/files/markdown.py:_GENERATED",
            "bot/retrieval/files/markdown.py:_UNDERLINED",
            "bot/retrieval/files/markdown.py:_DEFINITIONS",
            "bot/retrieval/files/markdown.py:_ROW",
            "bot/retrieval/files/mdx.py:_SILENT",
            "bot/retrieval/files/number_format.py:_SECTION",
            "bot/retrieval/files/number_format.py:_TOKEN",
            "bot/retrieval/files/number_format.py:_DATE_TOKEN",
            "bot/retrieval/files/outline.py:_NO_TITLE",
            "bot/retrieval/files/pdf.py:_ORNAMENT",
            "bot/retrieval/files/sheet.py:_VALUE",
            "bot/retrieval/passages/inline.py:_UNSEEN",
            "bot/retrieval/passages/sentences.py:_ABBREVIATION",
            "bot/retrieval/passages/sentences.py:_RULE",
            "bot/retrieval/passages/sentences.py:_SILENT",
        ),
        _FILE,
    ),
}
"""Each expression that starts over, by its module and name, and what bounds the text that it reads.

At its bound, or on 4,000 characters where that is no number, the worst of 3,700 repeated pieces takes 75 ms in the
library (``_PAIRED``). Of the bot's, 362 ms would be ``_HEADING_WORDS``, which is read at one place (0.2 ms), 235 ms a
reason of ours, which is one sentence, and 142 ms ``_ABBREVIATION``, which reads 14.
"""


@pytest.mark.parametrize(
    ("pattern", "searched", "whole"),
    [
        (r"#+\Z", True, False),
        (r"\w+://\S+", True, False),
        ("<[^>]*>", True, False),
        (r"x(?=[^\n]*y)", True, False),
        ("(a+)+b", False, False),
        ("a*a*b", False, False),
        ("(?:a|b|ab)*c", False, False),
        ("(?:.*a)*", False, True),
        (r"(?:[ \t>]|[-+*][ \t]+)*x", False, False),
    ],
)
def test_an_expression_that_starts_over_is_found(pattern: str, searched: bool, whole: bool) -> None:
    assert find_ambiguity(automaton(pattern, 0), searched=searched, whole=whole)


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?<!#)#+\Z",
        r"(?<!\w)\w+://\S+",
        "<[^<>]*>",
        r"\b\w+\b",
        "(?<!a)a*+b",
        "[ab]+",
        r"\A(?:[ \t>]|[-+*][ \t]++)*+x",
    ],
)
def test_and_its_mend_is_none(pattern: str) -> None:
    assert find_ambiguity(automaton(pattern, 0), searched=True, whole=False) is None


def test_no_expression_starts_over_without_a_bound() -> None:
    found = {key for one in expressions() if (key := f"{one.module}:{one.name}") and _starts_over(one)}
    assert found == set(EXCEPTIONS)


def _starts_over(one: Expression) -> bool:
    machine = automaton(one.pattern, one.flags & _FLAGS)
    return find_ambiguity(machine, searched=one.searched, whole=one.whole) is not None
