"""Answers of every kind, for a channel that refuses what it doesn't know."""

from __future__ import annotations

import functools

from citations import Answer, Dialect, LabelRanking, Origin, Reference, SensitivityLabel
from tests.hostile_answers import ANSWERS, REFERENCE
from tests.ordinary_answers import ordinary_answers

RANKING = LabelRanking(
    labels=(
        SensitivityLabel(id="public", name="Public", priority=0),
        SensitivityLabel(
            id="general", name="General", priority=1, description="For everyone at work.", color="#0078d4"
        ),
        SensitivityLabel(
            id="secret",
            name="Confidential\\Finance",
            priority=2,
            description="Encrypted: finance can open it, and nobody can forward it.",
            color="orange",
            encrypted=True,
        ),
    ),
)
NAMES_OF_THE_WORLD = (
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft, Geschäftsbericht 2025",
    "关于进一步规范差旅费报销管理的通知以及补充说明附件一附件二附件三附件四附件五附件六附件七附件八附件九附件十附件十一附件十二附件十三附件十四附件十五附件十六",
    "سياسة السفر والمصروفات للموظفين في جميع المكاتب الإقليمية والدولية لعام ٢٠٢٥، النسخة النهائية المعتمدة",
    "👩\u200d👩\u200d👧\u200d👦" * 40,
    "นโยบายการลาพักร้อนและวันหยุดนักขัตฤกษ์สำหรับพนักงานทุกคน " * 3,
    "x" * 500,
)
PASSAGE = (
    "| city | limit |\n|---|---:|\n| London | £190 |\n\n```sh\nvpnctl restart\n```\n\n"
    + "A long passage. " * 400
)
WHOLE = "\n\n".join(
    (
        "# Moving offices",
        "Pack by *Thursday* [1]. Then:",
        "1. label each box [1][2];\n2. hand in the key [3]\n   - the small one [2]\n   - the large one",
        "> Nothing is moved on Fridays [3].",
        "| what | who |\n|------|-----|\n| desks [1] | the movers |\n| plants | you [2] |",
        "```python\nboxes[1] = 'see [2]'\n```",
        "Ask `move[3]` or https://example.com/move, and ~~never~~ **always** in time [1, 3].",
    )
)


def sources(count: int, *labels: str) -> tuple[Reference, ...]:
    """So many references, every third without a URL, with these labels by turns."""
    return tuple(
        Reference(
            id=str(number),
            name=f"Source {number}.pdf",
            url=f"https://example.com/{number}" if number % 3 else None,
            text=f"What **source {number}** says.",
            page=number,
            label=labels[number % len(labels)] if labels else None,
            media_type="application/pdf",
            modified="2025-03-01T15:56:27Z",
            editor="William Wong",
            extract=True,
        )
        for number in range(1, count + 1)
    )


def numbered(count: int) -> str:
    """A sentence for each of so many sources."""
    return " ".join(f"Sentence {number} [{number}]." for number in range(1, count + 1)) or "No source."


@functools.cache
def corpus() -> dict[str, Answer]:
    """The answers by what they have in them."""
    found = {f"{count} sources": Answer(text=numbered(count), references=sources(count)) for count in COUNTS}
    found |= {
        f"labels: {', '.join(labels)}": Answer(text=numbered(4), references=sources(4, *labels))
        for labels in LABELS
    }
    found |= {
        f"a source called {name[:20]}": Answer(text="As it says [1].", references=(named(name),))
        for name in NAMES_OF_THE_WORLD
    }
    found |= {
        "every block": Answer(text=WHOLE, references=sources(3, "general")),
        "named links": Answer(
            text="See [the rules](1) and [Source 2.pdf](https://example.com/2).",
            references=sources(2),
            dialect=Dialect.NAMED_LINK,
        ),
        "wide brackets": Answer(text="So it is【1†source】［2］ [doc3].", references=sources(3)),
        "a passage of 7,000 characters": Answer(
            text="It is [1].", references=(Reference(id="1", name="a.md", text=PASSAGE),)
        ),
        "a quotation": Answer(
            text="“It is so.” [1]", references=sources(1), origin=Origin(slogan="Quoted", generated=False)
        ),
        "20,000 characters": Answer(text=f"{numbered(3)}\n\n{'And so on. ' * 2000}", references=sources(3)),
    }
    # Of these there are many, and what is refused is refused of one of their kind as well.
    found |= dict(list(ordinary_answers().items())[::2])
    found |= {name: Answer(text=ANSWERS[name], references=(REFERENCE,)) for name in list(ANSWERS)[::5]}
    assert len(found) > 40
    return found


COUNTS = (0, 1, 2, 9, 10, 11, 20, 25)
LABELS = (("public",), ("general", "secret"), ("public", "general", "secret"), ("nobody knows it",))


def named(name: str) -> Reference:
    return Reference(id="1", name=name, url="https://example.com/1", text=name)
