"""Rules of the text: link definitions that are lost, and badges that are shown as something else."""

from __future__ import annotations

from typing import Final

from .rule import (
    CITATION_MD,
    COMMONMARK,
    LINKS_TS,
    MAIN,
    MARKDOWN,
    MATH_TS,
    NAMES_TS,
    PLAYGROUND,
    RENDER_TS,
    STABLE,
    TEAMS,
    TEXT_TSX,
    Rule,
    RuleTable,
)

_DEFINITIONS: Final = f"{COMMONMARK}#link-reference-definitions"
_LINKS: Final = f"{COMMONMARK}#reference-link"
_BADGES: Final = f"{CITATION_MD}#markdown-pure-identifiers-for-badges"
_RAW: Final = (
    "The definition as raw text below the answer, the bare [number] for a badge, and no row in the list."
)

ROWS: RuleTable = {
    "no-blank-line": Rule(
        wrong="[{label}] is read as text",
        shown=_RAW,
        mend="leave a blank line above the definitions",
        source=_DEFINITIONS,
    ),
    "broken-title": Rule(
        wrong="[{label}] on line {line} is no definition, for its title isn't one",
        shown=_RAW,
        mend='write "…" without quotes or line ends in it',
        source=f"{COMMONMARK}#link-title",
    ),
    "broken-url": Rule(
        wrong="[{label}] on line {line} is no definition, for its URL has a space or a parenthesis too many",
        shown=_RAW,
        mend="percent-encode it",
        source=f"{COMMONMARK}#link-destination",
    ),
    "broken-definition-above": Rule(
        wrong="[{label}] is lost with the line above it",
        shown=_RAW,
        mend="mend that one",
        source=_DEFINITIONS,
    ),
    "indented-definition": Rule(
        wrong="[{label}] on line {line} is no definition, for it is indented by four spaces or more",
        shown="The definition as code or text, the bare [number] for a badge, and no row in the list.",
        mend="begin it at the margin; textwrap.dedent does so for an indented string of Python",
        source=f"{COMMONMARK}#indented-code-blocks",
    ),
    "unclosed-fence": Rule(
        wrong="[{label}] is shown as code",
        shown="The definition in a box of code, the bare [number] for a badge, and no row in the list.",
        mend="close the {fence} above it",
        source=f"{COMMONMARK}#fenced-code-blocks",
    ),
    "swallowed-by-html": Rule(
        wrong="[{label}] is part of the HTML above it",
        shown="The bare [number] for a badge, and no row in the list.",
        mend="close that, and leave a blank line",
        source=f"{COMMONMARK}#html-blocks",
    ),
    "nested-definition": Rule(
        wrong="[{label}] is defined inside a quote or a list, so that it isn't listed and its badges have no "
        "style",
        shown="A plain link with the number, and no row in the list.",
        mend="define it at the margin, below the text",
        source=TEXT_TSX,
    ),
    "hijacked-definition": Rule(
        wrong="[{label}] leads to {url} (line {line}), not where line {other} says, for the first one wins",
        shown="A badge with your source's number that opens a place which the answer's text chose.",
        mend="sanitize such lines of the answer",
        source=_DEFINITIONS,
    ),
    "duplicate-definition": Rule(
        wrong="[{label}] is defined twice and listed twice",
        shown="Two rows for one source, and a count that is too high.",
        mend="keep one",
        source=TEXT_TSX,
    ),
    "same-destination": Rule(
        wrong="[{label}] has the destination of [{other}], so that its badge loses its style or opens what "
        "[{other}] opens",
        shown="A plain link for the second badge, or the first source's passage behind both.",
        mend="write one definition for each source, with a destination of its own",
        source=LINKS_TS,
    ),
    "worded-link": Rule(
        wrong="[{label}] has only worded links",
        shown="A link with words, and no badge, above a list with its row.",
        mend="write [{label}] for a badge",
        source=_BADGES,
    ),
    "unused-definition": Rule(
        wrong="[{label}] is listed and counted, and no badge leads to it",
        shown="A row in the list that no sentence cites.",
        mend="cite it or drop it",
        source=TEXT_TSX,
    ),
    "badge-image": Rule(
        wrong="![{number}] is an image of the source",
        shown="A broken image for the badge; the reader's browser asks the source for it at once.",
        mend="put U+200B behind the !",
        source=f"{COMMONMARK}#images",
    ),
    "joined-badges": Rule(
        wrong="[{number}][{label}] is shown as {shown}",
        shown="One link with the first number to the second source, or both brackets as text.",
        mend="put U+200B or a space between the brackets",
        source=_LINKS,
    ),
    "badge-with-target": Rule(
        clients=(STABLE, MAIN, TEAMS, PLAYGROUND),
        wrong="[{number}] looks like a badge and leads to {url!r}",
        shown="A link with a number, which leads elsewhere than the source of this number.",
        mend="put U+200B or a space before the parenthesis, escape the bracket, or give the link words",
        source=f"{COMMONMARK}#inline-link",
    ),
    "badge-in-url": Rule(
        wrong="[{number}] is read as part of the URL before it",
        shown="A link with the bracket in it, and no badge.",
        mend="put a space between",
        source="seen in Web Chat 4.18.1 and its main build: linkify, and GFM's autolinks",
    ),
    "badge-with-spaces": Rule(
        wrong="[{label}] isn't drawn as a badge",
        shown="A plain link with the number.",
        mend="write [{number}]",
        source=LINKS_TS,
    ),
    "missing-definition": Rule(
        wrong="[{number}] stays text",
        shown="The bare [number], and no row in the list.",
        mend="define it, or don't write it as a badge",
        source=_LINKS,
    ),
    "foreign-marker": Rule(
        clients=(STABLE, MAIN, TEAMS, PLAYGROUND),
        wrong="{marker} stays text, and claims have no badge",
        shown="The model's own marker in the text, and no badge.",
        mend="write the number of its claim, such as [1]",
        source=_BADGES,
    ),
    "badge-escaped": Rule(
        wrong="{marker} is no badge, and newer Web Chat may read it as mathematics",
        shown="The bare [number]; in the main build perhaps a formula.",
        mend="write [{number}], with U+200B behind a backslash",
        source=f"{COMMONMARK}#backslash-escapes",
    ),
    "dead-link": Rule(
        wrong="a link to {url!r} opens nothing",
        shown="A button that does nothing.",
        mend="use an http or https URL",
        source=RENDER_TS,
    ),
    "image": Rule(
        clients=MARKDOWN,
        wrong="every reader's browser fetches {url!r} at once",
        shown="An image; its owner learns that the message was read, and what the URL says.",
        mend="link it instead",
        source=f"{COMMONMARK}#images",
    ),
    "html": Rule(
        clients=MARKDOWN,
        wrong="{tag!r} may load, look like a badge or hide text",
        shown="What the tag says, in clients that show HTML, as Web Chat does.",
        mend="escape its <",
        source=f"{COMMONMARK}#raw-html",
    ),
    "backtick-pairs": Rule(
        clients=MARKDOWN,
        wrong="{what} is live in {live} and code in {code}, for these pair backticks differently",
        shown="A link, an image or HTML in one client where another one shows code.",
        mend="write each backtick that begins no code as &#96;",
        source=f"{COMMONMARK}#code-spans",
    ),
    "without-tables": Rule(
        clients=MARKDOWN,
        wrong="{what} is live in {client}, and code or text in others",
        shown="A link or an image in one client where another one shows code.",
        mend="leave a blank line above and below the table, and no backtick or bracket open in a cell",
        source="https://github.github.com/gfm/#tables-extension-",
    ),
    "escaped-pipe": Rule(
        clients=MARKDOWN,
        wrong="{what} is live in {client}, which ends a table's cell at a pipe behind two backslashes",
        shown="A link or an image in one client where another one shows code.",
        mend='write one backslash before a pipe in a cell, or "&#124;" outside code',
        source="https://github.com/micromark/micromark-extension-gfm-table",
    ),
    "code-below-definition": Rule(
        clients=MARKDOWN,
        wrong="{what} is indented like code below line {line}, and live in {client}",
        shown="A link in one client where another one shows code.",
        mend="leave a blank line above it",
        source=f"{COMMONMARK}#indented-code-blocks",
    ),
    "byte-order-mark": Rule(
        clients=MARKDOWN,
        wrong="U+FEFF is nothing to {micromark} and a character to {markdown_it}, so that a fence or a list "
        "below it is one for one of them only",
        shown="Badges as code, or code as text, in one of them.",
        mend="remove it",
        source="seen in markdown-it 13 and micromark 4",
    ),
    "encoded-address": Rule(
        clients=(PLAYGROUND,),
        wrong="{address!r} is text to CommonMark and a link in {client}",
        shown="A link where the author wrote none.",
        mend="put U+200B into it instead of an entity or a backslash",
        source="https://github.github.com/gfm/#autolinks-extension-",
    ),
    "accessible-name": Rule(
        clients=(STABLE,),
        wrong="{client} hides {name!r} and has a screen reader say it instead of what is shown",
        shown="Nothing of these words; a screen reader says them in the place of the badge.",
        mend="write its first sign as &#123; or &#10220;",
        source=NAMES_TS,
    ),
    "badge-in-formula": Rule(
        clients=(MAIN,),
        wrong="[{number}] is part of a formula in {client}, which shows the reference and no badge",
        shown="[number] set as mathematics.",
        mend="put it behind the formula",
        source=MATH_TS,
    ),
    "code-behind-formula": Rule(
        clients=(MAIN,),
        wrong="{what} is live in {client}, to which a formula that begins a line is a block by itself",
        shown="A link or an image where other clients show code.",
        mend="put U+200B or a word before the formula",
        source=MATH_TS,
    ),
    "html-in-formula": Rule(
        clients=(MAIN,),
        wrong="{tag!r} is HTML in {client} where KaTeX can't read the formula around it",
        shown="What the tag says, where other clients show a formula's source.",
        mend="put a space behind its <",
        source=MATH_TS,
    ),
}
