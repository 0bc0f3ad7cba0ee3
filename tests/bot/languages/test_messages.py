"""The sentences by key: complete and alike in each language, and nowhere else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from string import Formatter

import pytest

from bot.conversation.follow_up import MoreRequest, read_follow_up
from bot.languages import (
    CATALOGUES,
    Catalogue,
    Sentence,
    find_language,
    language,
    language_named,
    say,
    speaking,
    wording,
)
from bot.languages.catalogue import Plural, read_catalogue
from bot.retrieval.words.language import detect
from citations import Wording
from citations.text import sms_segments

ROOT = Path(__file__).parents[3]
ENGLISH = CATALOGUES["en"]
OTHERS = [one for name, one in CATALOGUES.items() if name != "en"]
others = pytest.mark.parametrize("catalogue", OTHERS, ids=lambda one: one.language)


def forms(text: str | Plural) -> tuple[str, ...]:
    return tuple(text) if isinstance(text, Plural) else (text,)


def fields(text: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def texts(catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    """All that is said in a language, with its key."""
    for sentence, text in catalogue.sentences.items():
        yield from ((sentence, form) for form in forms(text))
    yield from asdict(catalogue.wording).items()


@pytest.mark.parametrize("catalogue", CATALOGUES.values(), ids=lambda one: one.language)
def test_each_language_has_each_sentence(catalogue: Catalogue) -> None:
    assert set(Sentence) <= set(catalogue.sentences) == set(ENGLISH.sentences)
    assert language_named(catalogue.name) == catalogue.language


@others
def test_each_sentence_has_the_same_fields_in_each_language(catalogue: Catalogue) -> None:
    for sentence in ENGLISH.sentences:
        here, there = catalogue.sentences[sentence], ENGLISH.sentences[sentence]
        assert isinstance(here, Plural) is isinstance(there, Plural)
        assert {frozenset(fields(form)) for form in forms(here)} == {
            frozenset(fields(form)) for form in forms(there)
        }
    for name, text in asdict(catalogue.wording).items():
        assert fields(text) == fields(getattr(ENGLISH.wording, name)), name


@others
def test_no_sentence_is_left_in_english(catalogue: Catalogue) -> None:
    english = dict(texts(ENGLISH))
    same = [text for key, text in texts(catalogue) if text == english[key]]
    # A single word, such as "Documents", may be alike.
    assert [text for text in same if len(re.findall(r"[^\W\d_]{2,}", re.sub(r"\{.*?\}", "", text))) > 1] == []


@others
def test_what_is_said_is_of_its_language(catalogue: Catalogue) -> None:
    whole = " ".join(text for _, text in texts(catalogue))
    assert detect(whole) == catalogue.name


def test_the_librarys_own_words_are_english() -> None:
    assert ENGLISH.wording == Wording()


def test_a_file_with_an_unknown_key_is_refused() -> None:
    with pytest.raises(ValueError, match=r"xx\.toml has unknown keys in \[sentences\]: ho, stopt"):
        read_catalogue("xx", {"sentences": {"stopt": "Ho.", "ho": "Ho."}})


def test_a_sentence_that_a_language_lacks_is_said_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    poor = Catalogue(language="xx", name="x", sentences={Sentence.STOPPED: "Ho."}, wording=Wording())
    monkeypatch.setitem(CATALOGUES, "xx", poor)
    with speaking("xx"):
        assert (say(Sentence.STOPPED), say(Sentence.NO_QUESTION)) == (
            "Ho.",
            "Please ask me something in words.",
        )
    assert say(Sentence.STOPPED) == "I stopped before I had an answer."


PLURALS = [
    ("en", 0, "0 documents"),
    ("en", 1, "1 document"),
    ("en", 2, "2 documents"),
    ("de", 0, "0 Dokumente"),
    ("de", 1, "1 Dokument"),
    ("de", 21, "21 Dokumente"),
    ("fr", 0, "0 document"),
    ("fr", 1, "1 document"),
    ("fr", 2, "2 documents"),
    ("es", 1, "1 documento"),
    ("es", 0, "0 documentos"),
]


@pytest.mark.parametrize(("tag", "count", "said"), PLURALS)
def test_a_number_has_its_plural(tag: str, count: int, said: str) -> None:
    with speaking(tag):
        assert say(Sentence.PAGE_DOCUMENTS, count=count) == said


TAGS = [
    ("de", "de"),
    ("de-AT", "de"),
    ("DE_ch", "de"),
    ("fr-CA", "fr"),
    ("es-419", "es"),
    ("en-GB", "en"),
    ("de-DE,de;q=0.9,en;q=0.8", "de"),
    ("tlh,de;q=0.9", None),
    ("den", None),
    ("", None),
    ("*", None),
    (None, None),
    (7, None),
    ({"de": 1}, None),
]


@pytest.mark.parametrize(("tag", "found"), TAGS)
def test_a_tag_names_a_language(tag: object, found: str | None) -> None:
    assert find_language(tag) == found


def test_a_language_holds_for_its_block_only() -> None:
    with speaking("de"):
        assert (language(), wording().source) == ("de", "Quelle")
        with speaking("no such"):
            assert language() == "en"
        assert language() == "de"
    assert language() == "en"


# Typography


def test_french_has_a_narrow_space_before_what_is_high() -> None:
    for _, text in texts(CATALOGUES["fr"]):
        assert not re.search(r"(?<!\u202f)[?!:;»]|«(?!\u202f)", text)
        assert "'" not in text


def test_spanish_opens_what_it_closes() -> None:
    for _, text in texts(CATALOGUES["es"]):
        assert text.count("¿") == text.count("?")
        assert text.count("¡") == text.count("!")


def test_quotation_marks_are_those_of_the_language() -> None:
    for catalogue in OTHERS:
        for _, text in texts(catalogue):
            assert '"' not in text
            assert "  " not in text
            assert text == text.strip()
    assert all(text.count("„") == text.count("“") for _, text in texts(CATALOGUES["de"]))


@pytest.mark.parametrize("catalogue", CATALOGUES.values(), ids=lambda one: one.language)
def test_what_an_sms_says_of_more_is_understood_and_costs_no_more(catalogue: Catalogue) -> None:
    for hint in (catalogue.wording.more, catalogue.wording.more_or_number):
        assert sms_segments(hint).encoding == "GSM-7"
        [word] = re.findall(r"\b[A-Z]{4,}\b", hint)
        assert read_follow_up(word) == MoreRequest()


# Nowhere else

_SAYS_SOMETHING = re.compile(
    r"[A-Z“¿¡…][\w’',;:()“”{}/ -]*\w+ \w+[^\n]*[.?!:…”]|[A-Z][a-z]+(?: [\w’'{}]+){2,}"
)
_NOT_FOR_PEOPLE = {
    "bot/app/application.py": "what a metric counts",
    "bot/telemetry/metrics.py": "what a metric counts",
    "bot/access/entra.py": "the log",
    "bot/config/teams_app.py": "a name",
    "bot/retrieval/files/word_styles.py": "what Word names a table of contents",
    "bot/retrieval/meaning/likeness.py": "texts that a model is measured with",
    "bot/app/terminal/arguments.py": "the command line",
    "bot/app/terminal/doctor.py": "the command line",
    "bot/app/terminal/endpoint_checks.py": "the command line",
    "bot/app/terminal/index.py": "the command line",
    "bot/app/terminal/registration_checks.py": "the command line",
    "bot/sources/embedders.py": "what a model is told",
    "bot/sources/writer.py": "what a model is told",
    "bot/state/sqlite.py": "SQL",
    "bot/app/support_model.py": "what a model is told",
    "citations/cli/printed_stream.py": "the command line",
    "citations/readers/azure_search.py": "a name",
    "citations/readers/copilot_chat.py": "a name",
    "citations/readers/formats.py": "names",
    "citations/readers/vertex_search.py": "a name",
    "citations/model/wording.py": "the English of the library",
}


def literals(tree: ast.AST) -> Iterator[str]:
    """The strings of a module but for its docstrings, with ``{}`` for what is filled in."""
    apart = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            apart.update(map(id, node.values))
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in apart:
            yield node.value


def test_no_sentence_stands_elsewhere() -> None:
    found = {
        file.relative_to(ROOT).as_posix()
        for package in ("bot", "citations")
        for file in (ROOT / package).rglob("*.py")
        if file.parent != ROOT / "bot" / "languages"
        for text in literals(ast.parse(file.read_text(encoding="utf-8")))
        if _SAYS_SOMETHING.fullmatch(text.strip())
    }
    assert found == set(_NOT_FOR_PEOPLE)


@pytest.mark.parametrize("page", ["direct_line/page/index.html", "document_view/page/view.html"])
def test_a_page_has_no_words_of_its_own(page: str) -> None:
    html = (ROOT / "bot" / page).read_text(encoding="utf-8")
    read = re.sub(r"<svg.*?</svg>", "", html, flags=re.DOTALL)
    shown = re.findall(r">([^<]*)<", read) + re.findall(r'(?:title|aria-label|alt)="([^"]*)"', read)
    assert not re.search(r"[A-Za-z]", re.sub(r"\$\w+", "", "".join(shown)))
    for script in (ROOT / "bot" / page).parent.glob("*.js"):
        strings = re.findall(r'"([^"\n]*)"', script.read_text(encoding="utf-8"))
        assert not [text for text in strings if len(re.findall(r"\b[a-z]{2,} (?=[a-z]{2,}\b)", text)) > 1]
