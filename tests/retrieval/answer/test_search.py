"""Questions to the sample documents, and to anything: what is answered, quoted, and left unanswered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bot.retrieval.answer.scope import Scope
from bot.retrieval.answer.search_result import search
from bot.retrieval.answer.units import choose_best, choose_excerpt
from bot.retrieval.index.folder_index import FolderIndex
from bot.retrieval.index.part import IndexPart
from bot.retrieval.meaning.comparison import Likeness, PartMeaning
from bot.retrieval.meaning.word_codes import SaidWords
from bot.retrieval.passages.inline import strip_markup
from bot.retrieval.passages.markdown import write_sentence
from bot.retrieval.question.query import read_question
from bot.retrieval.words.language import (
    detect,
    find_smalltalk_language,
    is_smalltalk,
    is_stop_word,
    is_thanks,
)
from bot.retrieval.words.stems import stem_words
from citations import AnswerKind
from citations.markdown import escape_text

SAMPLES = Path(__file__).parents[3] / "bot" / "samples"


@pytest.fixture(scope="module")
def samples() -> FolderIndex:
    index = FolderIndex(SAMPLES, None)
    index.update()
    return index


def ask(index: FolderIndex, question: str) -> list[str]:
    """The sentence that answers, behind the name of its document; none where nothing does."""
    result = search(question, index.whole, Scope(index.whole.listing))
    if result.best is None or result.kind is not AnswerKind.ANSWERED:
        return []
    return [f"{result.best.location[0]}: {write_sentence(result.best.ranked.passage, result.best.unit)}"]


ANSWERED = {
    "How much can I spend on meals in Berlin?": "travel-policy.md: City: Berlin; Hotel per night: 140 €; Meals per day: 32 €",
    "Who approves a trip outside Europe?": "travel-policy.md: Trips outside Europe, and every trip",
    "Can I fly business class?": "travel-policy.md: Business class is only for travellers with a medical certificate.",
    "What do I do when I am ill?": "leave-and-holidays.md: Tell your team lead before 9:30",
    "paid days for my own wedding": "leave-and-holidays.md: Occasion: Your own wedding; Paid days: 2",
    "What does the red light mean?": "aurora-faq.md: Colour: Red; Carbon dioxide: above 1,200 ppm; What to do: Open a window now",
    "How do I reset to factory settings?": "aurora-user-guide.pdf: To return to factory settings, hold it for fifteen seconds",
    "What does error E07 mean?": "aurora-user-guide.pdf: E07 Sensor blocked Clean the air inlet with a soft brush",
    "how much is paid per km with my own car": "expenses.docx: What: Mileage, own car; Limit: 0.35 € per km; Receipt needed: No, the route is enough",
    "What is the guest network's password?": "information-security.html: Visitors use the guest network",
    "How long is parental leave?": "leave-and-holidays.md: Both parents may take up to 36 months",
    "What is the weight of the Aurora 3?": "aurora-user-guide.pdf: Weight 186 g",
    "How long is the probation period?": "onboarding-checklist.txt: The probation period is six months.",
    "Wie oft darf ich im Homeoffice arbeiten?": "arbeitszeit-und-homeoffice.md: Sie dürfen bis zu drei Tage pro Woche",
    "Zuschuss fuer einen Bürostuhl": "arbeitszeit-und-homeoffice.md: Gegenstand: Bürostuhl; Zuschuss: 280 €; Wie oft: alle fünf Jahre",
    "Who is the finance lead?": "onboarding-checklist.txt: Finance lead: Tomasz Wrona",
    "probaton period": "onboarding-checklist.txt: The probation period is six months.",
}  # fmt: skip


@pytest.mark.parametrize(("question", "answer"), ANSWERED.items())
def test_answered(question: str, answer: str, samples: FolderIndex) -> None:
    result = search(question, samples.whole, Scope(samples.whole.listing))
    assert result.kind is AnswerKind.ANSWERED
    best = result.best
    assert best
    passage = best.ranked.passage
    shown = choose_excerpt(result.scores, best.ranked, 500, best.unit)
    found = [f"{passage.path}: {write_sentence(passage, unit)}" for unit in shown]
    assert any(sentence.startswith(answer) for sentence in found), found


def test_below_a_heading_that_is_the_question_stands_its_answer(
    folder: Path, indexed: Callable[[], FolderIndex]
) -> None:
    (folder / "robots.md").write_text(
        "# Robots\n\nOur robot R2 is here to measure whatever robots measure.\n\n"
        "## What does R2 measure?\n\nIt is carbon dioxide, once a minute.\n",
        encoding="utf-8",
    )
    assert ask(indexed(), "What does R2 measure?") == ["robots.md: It is carbon dioxide, once a minute."]


@dataclass(frozen=True)
class KnownLikenesses:
    """The meaning of any question, as if a model had compared it with these passages."""

    likenesses: dict[int, Likeness]

    def ask(self, _: str) -> KnownLikenesses:
        return self

    @property
    def embedding(self) -> KnownLikenesses:
        return self

    def find_nearest(self, limit: int) -> list[int]:
        return list(self.likenesses)[:limit]

    def compare(self, passages: Sequence[int]) -> dict[int, Likeness]:
        return {digest: self.likenesses[digest] for digest in passages if digest in self.likenesses}

    def knows_word(self, word: str) -> bool:
        return False


def compare(part: IndexPart, likenesses: dict[int, Likeness]) -> IndexPart:
    return replace(part, meaning=cast("PartMeaning", KnownLikenesses(likenesses)))


def test_where_nothing_is_alike_words_rank(folder: Path, indexed: Callable[[], FolderIndex]) -> None:
    (folder / "heron.md").write_text("The heron stands in the reeds of the pond.", encoding="utf-8")
    (folder / "pond.md").write_text("The pond is deep.", encoding="utf-8")
    whole = indexed().whole
    scope = Scope(whole.listing)
    by_words = search("Does a heron stand in the pond?", whole, scope).ranked
    assert [one.passage.path for one in by_words] == ["heron.md", "pond.md"]
    unlike = {one.indexed.digest: Likeness(-place, (-place,)) for place, one in enumerate(by_words, 1)}
    ranked = search("Does a heron stand in the pond?", compare(whole, unlike), scope).ranked
    assert [one.passage.path for one in ranked] == ["heron.md", "pond.md"]


def test_what_is_said_word_by_word_ranks_passages_and_their_sentences(
    folder: Path, indexed: Callable[[], FolderIndex]
) -> None:
    for name in ("heron.md", "kingfisher.md"):
        text = f"# Birds of the river\nIt is a bird, says {name}. It dives for small fry. It is shy."
        (folder / name).write_text(text, encoding="utf-8")
    whole = indexed().whole
    scope = Scope(whole.listing)
    question = "Which animal catches fish?"
    found = {one.passage.path: one.indexed.digest for one in search("Birds?", whole, scope).ranked}
    for path in found:
        said = {
            digest: Likeness(0.55, (0.5,) * 3, None, SaidWords(0.8, (0.2, 0.7, 0.2)))
            if one == path
            else Likeness(0.55, (0.5,) * 3, None, SaidWords(0.5, (0.2, 0.2, 0.4)))
            for one, digest in found.items()
        }
        result = search(question, compare(whole, said), scope)
        assert [one.passage.path for one in result.ranked] == [path, *(one for one in found if one != path)]
        best = choose_best(result.scores, result.ranked[:1])
        assert best
        assert best.text == "It dives for small fry."


@pytest.mark.parametrize(("others", "kind"), [(0, AnswerKind.UNSURE), (200, AnswerKind.NOTHING)])
def test_a_passage_that_is_a_little_alike_is_near_among_few(
    folder: Path, indexed: Callable[[], FolderIndex], others: int, kind: AnswerKind
) -> None:
    (folder / "heron.md").write_text("The heron stands in the reeds of the pond.", encoding="utf-8")
    towns = (f"# Town {number}\nThe weather is fair." for number in range(others))
    (folder / "towns.md").write_text("\n".join(towns), encoding="utf-8")
    whole = indexed().whole
    scope = Scope(whole.listing)
    digest = search("heron", whole, scope).ranked[0].indexed.digest
    compared = compare(whole, {digest: Likeness(0.55, (0.55,))})
    assert search("Which bird fishes?", compared, scope).kind is kind


NEAR = {
    "how many holidays do i have": "leave-and-holidays.md: Full-time employees have 30 days",
    "I lost my laptop": "information-security.html: Report the loss to the security desk within two hours",
    "Überstunden": "arbeitszeit-und-homeoffice.md: Überstunden werden auf dem Zeitkonto gutgeschrieben",
}  # fmt: skip
"""Without an embedder, few words are too little for an answer, and so are those that two passages have."""


def test_a_row_that_the_question_names_is_an_answer_by_words_alone(samples: FolderIndex) -> None:
    result = search("What is the hotel limit in Zurich?", samples.whole, Scope(samples.whole.listing))
    assert result.kind is AnswerKind.ANSWERED
    assert result.best
    assert [result.best.text] == ["| Zurich | 220 CHF | 65 CHF | |"]


@pytest.mark.parametrize(("question", "answer"), NEAR.items())
def test_near(question: str, answer: str, samples: FolderIndex) -> None:
    result = search(question, samples.whole, Scope(samples.whole.listing))
    assert result.kind is AnswerKind.UNSURE
    found = [best for one in result.ranked[:5] if (best := choose_best(result.scores, [one]))]
    shown = [f"{best.location[0]}: {write_sentence(best.ranked.passage, best.unit)}" for best in found]
    assert any(sentence.startswith(answer) for sentence in shown), shown


UNANSWERED = (
    "Who won the football world cup?",
    "What is the capital of Australia?",
    "How do I bake bread?",
    "Which voltage does the pump need?",
    "How tall is Mount Everest?",  # "Mount the monitor at the height of a sitting person's head"
    "Where can I park?",  # "Fines and parking tickets"
    "What is it?",
    "Why?",
    "Quelle est la capitale de la France ?",
    "",
    "?!",
    "🙂",
)


@pytest.mark.parametrize("question", UNANSWERED)
def test_unanswered(question: str, samples: FolderIndex) -> None:
    assert ask(samples, question) == []


@given(st.text(max_size=300))
@example('a AND (b OR "c')
@example("title:x^2 +must -not [a TO b] *:* /re[/ \\")
@example("\x00\ud800")
@example("a" * 5000)
@example("汉字" * 200)
@example("word " * 400)
def test_any_text_is_a_question(samples: FolderIndex, question: str) -> None:
    ask(samples, question)


SMALLTALK = ("hello", "Hi there!", "Thanks a lot, bye 👋", "good morning", "Danke schön!", "Merci beaucoup", "", " ?", "what can you do?", "who are you", "OK, great, thank you!")  # fmt: skip
NO_SMALLTALK = ("hello kitty licence", "thank you letters to customers", "help desk number", "who is Rakesh", "ok button", "no receipt", "test coverage rules")  # fmt: skip


@pytest.mark.parametrize("text", SMALLTALK)
def test_smalltalk(text: str) -> None:
    assert is_smalltalk(text)


@pytest.mark.parametrize("text", NO_SMALLTALK)
def test_no_smalltalk(text: str) -> None:
    assert not is_smalltalk(text)
    assert not is_thanks(text)


def test_thanks() -> None:
    thanks = [text for text in (*SMALLTALK, "Gracias", "merci !") if is_thanks(text)]
    assert thanks == [
        "Thanks a lot, bye 👋", "Danke schön!", "Merci beaucoup", "OK, great, thank you!", "Gracias", "merci !",
    ]  # fmt: skip


def test_the_language_of_smalltalk() -> None:
    """A single word has too little of a language, but its phrase is one of a single language."""
    texts = ("Danke!", "merci", "Gracias", "Hilfe", "thanks", "ok danke", "Wer hilft?", "")
    found = [find_smalltalk_language(text) for text in texts]
    assert found == ["german", "french", "spanish", "german", "english", None, None, None]


LANGUAGES = {
    "english": "The quick way to the office is by train, and it takes two hours.",
    "german": "Der schnellste Weg ins Büro ist mit der Bahn, und er dauert zwei Stunden.",
    "french": "Le chemin le plus rapide pour aller au bureau est le train, et il dure deux heures.",
    "spanish": "El camino más rápido a la oficina es en tren, y dura dos horas.",
    "italian": "Il modo più veloce per andare in ufficio è il treno, e ci vogliono due ore.",
    "dutch": "De snelste weg naar het kantoor is met de trein, en het duurt twee uur.",
    "swedish": "Det snabbaste sättet att ta sig till kontoret är med tåg, och det tar två timmar.",
    "russian": "Самый быстрый путь в офис это поезд, и он идёт два часа.",
    "greek": "Ο πιο γρήγορος τρόπος για το γραφείο είναι με το τρένο.",
    "turkish": "Ofise gitmenin en hızlı yolu tren ve bu yolculuk iki saat kadar sürer.",
    "romanian": "Cel mai rapid drum până la birou este cu trenul și durează două ore.",
}


@pytest.mark.parametrize(("language", "text"), LANGUAGES.items(), ids=LANGUAGES)
def test_language(language: str, text: str) -> None:
    assert detect(text) == language


SMALL = {
    "english": "get gets getting got had must",
    "german": "jemand niemand muss darf oft manchmal immer schon dass jedoch",
    "french": "faut peut doit quelqu quoi souvent toujours si comme lorsque",
    "spanish": "alguien nadie debe puede siempre nunca si cada aunque",
}
TOPICS = {
    "english": "need take use",
    "german": "recht halt wissen weiß laut",
    "french": "car son devoir avoir bien",
    "spanish": "poder deber",
}


@pytest.mark.parametrize("language", SMALL)
def test_small_words_are_no_topics(language: str) -> None:
    assert [word for word in SMALL[language].split() if not is_stop_word(word, language)] == []
    assert [word for word in TOPICS[language].split() if is_stop_word(word, language)] == []


def test_a_question_is_in_the_language_of_most_of_its_small_words(
    folder: Path, indexed: Callable[[], FolderIndex]
) -> None:
    (folder / "terms.md").write_text("# Terms\nThe terms are in the annex of this contract.", "utf-8")
    query = read_question("Was steht in den Bedingungen von jemand anderem?", indexed().whole)
    assert (query.language, query.unknown) == ("german", ("steht", "Bedingungen"))


@pytest.mark.parametrize("text", ["", "12 345", "Zürich Berlin Paris", "今天下雨。明天晴天！"])
def test_no_language(text: str) -> None:
    assert detect(text) is None


STEMS = {
    ("The policies", "english"): ["the", "polici"],
    ("Reisekosten", "german"): ["reisekost"],
    ("états-unis", "french"): ["etat", "unis"],
    ("COVID-19", None): ["covid", "19"],
    ("東京都 2026", None): ["東", "東京", "京", "京都", "都", "2026"],
    ("हिन्दी", None): ["हिन्दी"],
    ("snake_case", None): ["snake", "case"],
}


@pytest.mark.parametrize(("text", "expected"), STEMS.items(), ids=str)
def test_stems(text: tuple[str, str | None], expected: list[str]) -> None:
    assert stem_words(*text) == expected


@pytest.mark.parametrize(
    ("language", "texts", "question", "answer"),
    [
        ("Chinese", "年假有三十天。病假需要医生证明。", "病假需要医生证明吗？", "病假需要医生证明。"),
        ("Russian", "Отпуск длится тридцать дней. Больничный нужен на четвёртый день.", "сколько длится отпуск", "Отпуск длится тридцать дней."),
        ("Thai", "พนักงานมีวันลาพักร้อนสามสิบวัน\n\nสำนักงานปิดวันอาทิตย์", "วันลาพักร้อน", "พนักงานมีวันลาพักร้อนสามสิบวัน"),
        ("French", "Les congés annuels durent trente jours. Les réunions sont le mardi.", "combien de jours durent les conges annuels", "Les congés annuels durent trente jours."),
    ],
)  # fmt: skip
def test_other_languages(language: str, texts: str, question: str, answer: str, folder: Path) -> None:
    (folder / f"{language}.txt").write_text(texts, encoding="utf-8")
    index = FolderIndex(folder, None)
    index.update()
    assert f"{language}.txt: {answer}" in ask(index, question)


PLAIN = {
    "**bold** and *italic* and ~~gone~~": "bold and italic and gone",
    "__bold__ but snake_case_name": "bold but snake_case_name",
    "[text](https://x.example/a 'title') ![alt](i.png) [ref][1]": "text alt ref",
    "`code *stays*` and \\*escaped\\*": "code *stays* and *escaped*",
    "a <b>tag</b> and <https://x.example>": "a  tag  and https://x.example",
    "5 &euro; &lt;b&gt;": "5 € <b>",
    "2 * 3 * 4": "2 * 3 * 4",
    "*over two\nlines* of __bold\ntext__": "over two\nlines of bold\ntext",
    "Ask <help@x.example>": "Ask help@x.example",
    "the last \\<pre> tag of \\[super\\]users": "the last <pre> tag of [super]users",
    "[the page][guide], [guide][], [guide] and [a[0]][1]": "the page, guide, [guide] and [a[0]][1]",
    "A note[^1] here.[^b] Letters are [^0-9] and `x[^1]`": "A note here. Letters are [^0-9] and x[^1]",
    "![Map.png](a.png)![A map.](b.png) of the bins": "A map. of the bins",
    "\\*\\* plus tax, 2 ** 3, ** x": "** plus tax, 2 ** 3, ** x",
    '**See {{< link slug="/a" text="the *page*" >}}** or [more]({{< ref "a.md" >}})': "See the page or more",
    '[Join us](/a){: .btn .btn-purple } or *call*{#b} [Ada](c){target="_blank" rel=nofollow}.': "Join us or call Ada.",
    "Of `[a](b){:.c}` {.note}, f(x){ return }": "Of [a](b){:.c} {.note}, f(x){ return }",
    'It is {{< skew version >}}, and `{{< link text="code" >}}`': 'It is {{< skew version >}}, and {{< link text="code" >}}',
}


@pytest.mark.parametrize(("markdown", "words"), PLAIN.items())
def test_plain(markdown: str, words: str) -> None:
    assert strip_markup(markdown) == words


@given(st.text(alphabet=st.sampled_from("a1 .)-+#=*_`[](){}<>&!|~\\$:/;\"'x;amp"), max_size=60))
@example("[1]: https://x.example")
@example("&amp; ![x](y) <b>")
@example("1. one")
@example("# one")
@example("- one")
def test_an_escaped_sentence_reads_as_it_is_written(text: str) -> None:
    text = " ".join(text.split())
    (block,) = [
        token for token in MarkdownIt("commonmark").parse(escape_text(text) or "x") if token.type == "inline"
    ]
    assert {child.type for child in block.children or ()} <= {"text", "text_special"}
    assert "".join(child.content for child in block.children or ()) == (text or "x")
