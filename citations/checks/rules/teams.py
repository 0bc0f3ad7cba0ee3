"""Rules of Teams: the Message, its claims and badges, and its size."""

from __future__ import annotations

from typing import Final

from .rule import AI_PAGE, FORMAT_PAGE, PLAYGROUND, Rule, RuleTable, playground_rule, teams_rule

_REFUSED: Final = "Teams refuses the message (400)"
_FIELDS: Final = f"{AI_PAGE}#citations"

ROWS: RuleTable = {
    "second-message": teams_rule(
        wrong="Teams refuses the message (400) that has two Messages",
        shown="Nothing: “Multiple root message entities found under entities array”.",
        mend="keep one, with all citations",
        source=AI_PAGE,
    ),
    "message-type": playground_rule(
        wrong="the graph is overlooked, badges and labels with it",
        shown="Bare brackets in the text, and no label.",
        mend='type must be "https://schema.org/Message"',
        source=AI_PAGE,
    ),
    "context": teams_rule(
        wrong="Teams documents no Message without its context",
        shown="Badges, or bare brackets: Teams promises neither.",
        mend='@context must be exactly "https://schema.org"',
        source=AI_PAGE,
    ),
    "null-value": playground_rule(
        wrong="Teams refuses the message (400) for null in a property that it reads",
        shown="Nothing.",
        mend="omit {key}",
        source="seen in the Agents Playground 0.2.28; the Teams SDK for Python 2.1.1 writes null itself",
    ),
    "ai-label": playground_rule(
        wrong='the label "AI generated" is lost, or Teams refuses the message (400)',
        shown="A message without the label, or none.",
        mend='additionalType must be ["AIGeneratedContent"], whatever keywords say',
        source=f"{AI_PAGE}#ai-label",
    ),
    "node-type": teams_rule(
        wrong=f"{_REFUSED}, for the node has another type",
        shown="Nothing: “Error parsing message entity from entities array”.",
        mend='@type must be "{name}"',
        source=_FIELDS,
    ),
    "citation-not-an-array": playground_rule(
        wrong=f"{_REFUSED} with one citation that is no array",
        shown="Nothing.",
        mend="citation must be an array of claims",
        source=_FIELDS,
    ),
    "claim-dropped": playground_rule(
        wrong=f"{_REFUSED} with a citation that is no object",
        shown="Nothing.",
        mend="a citation must be a Claim",
        source=_FIELDS,
    ),
    "too-many-citations": playground_rule(
        wrong="{count} citations, while Teams refuses a message (400) with more than {most}",
        shown="Nothing: “Bot message with more than 20 citations”.",
        mend="cite fewer",
        source=_FIELDS,
    ),
    "position": playground_rule(
        wrong=f"{_REFUSED} or shows no badge",
        shown="Nothing, or a bare [number].",
        mend="position must be the whole number of its badge, from 1 to 999999999",
        source=_FIELDS,
    ),
    "position-string": teams_rule(
        wrong="Teams documents a whole number for position",
        shown="Nothing, or a bare [number]: Teams promises no badge. The Agents Playground takes a string.",
        mend="write it without quotes",
        source=_FIELDS,
    ),
    "duplicate-position": playground_rule(
        wrong="position {position} is {other}'s, so that this claim isn't shown",
        shown="The bare [number] of this source.",
        mend="number anew",
        source=_FIELDS,
    ),
    "claim-without-appearance": playground_rule(
        wrong=f"{_REFUSED} for a claim without appearance",
        shown="Nothing: “The appearance object is empty”.",
        mend="appearance must be a DigitalDocument with a name",
        source=_FIELDS,
    ),
    "citation-name": playground_rule(
        wrong=f"{_REFUSED} without a name, and may with a long one",
        shown="Nothing: “Error while parsing citation entity”.",
        mend="name must be the source's title, of 1 to 80 characters",
        source="https://github.com/microsoft/teams-sdk/issues/1714",
    ),
    "citation-abstract": playground_rule(
        wrong="the pop-up shows no excerpt, the Agents Playground refuses the message without it, Teams one "
        "that is too long (400)",
        shown="A pop-up without the passage, or no message.",
        mend="abstract must be of 1 to 160 characters",
        source="https://github.com/microsoft/teams-sdk/issues/2064",
    ),
    "citation-url": playground_rule(
        wrong=f"{_REFUSED} for null",
        shown="Nothing.",
        mend="url must be a URL, so omit it where there is none",
        source=_FIELDS,
    ),
    "citation-address": playground_rule(
        wrong="{url!r} opens nothing, or runs what it says",
        shown="A pop-up whose title leads where no reader should go: the Agents Playground links it as is.",
        mend="use an absolute http or https address, or omit it",
        source="seen in the Agents Playground 0.2.28",
    ),
    "citation-format": teams_rule(
        wrong="encodingFormat says that text is a card, so that without both none is shown, or Teams refuses "
        "the message (400)",
        shown="A pop-up without its card, or no message.",
        mend='beside a card in text it must be "application/vnd.microsoft.card.adaptive"; else omit it',
        source=_FIELDS,
    ),
    "citation-text": teams_rule(
        wrong=f"{_REFUSED} for plain text",
        shown="Nothing.",
        mend="text must be an Adaptive Card as a string of JSON, so put a passage into abstract",
        source="https://github.com/microsoft/Agents-for-net/issues/388",
    ),
    "card-interactive": teams_rule(
        wrong="the window shows no inputs and no actions",
        shown="A card without its buttons.",
        mend="leave them out",
        source=_FIELDS,
    ),
    "citation-keywords": playground_rule(
        wrong=f"{_REFUSED} for more keywords, or longer ones",
        shown="Nothing.",
        mend="keywords must be an array of at most 3 words of at most 28 characters",
        source=_FIELDS,
    ),
    "citation-icon": teams_rule(
        wrong=f"no icon is shown, or {_REFUSED}",
        shown="A pop-up without an icon, or no message.",
        mend='image must be {{"@type": "ImageObject", "name": …}}, with one of the 21 names that Teams '
        'knows, such as "PDF"',
        source=_FIELDS,
    ),
    "badge-defined": playground_rule(
        wrong="[{label}] is a plain link and no badge, for line {line} defines it",
        shown="A link with the number, without a pop-up. Web Chat needs the definition, and Teams doesn't.",
        mend="leave the definition out, the claim has the URL",
        source="seen in the Agents Playground 0.2.28",
    ),
    "dead-link": playground_rule(
        wrong="a link to {url!r} opens nothing, or leads to a place in the client itself",
        shown="Words that look like a link. The Agents Playground gives the schemes it refuses no target.",
        mend="use an absolute http or https address",
        source="seen in the Agents Playground 0.2.28",
    ),
    "badge-without-claim": playground_rule(
        wrong="[{number}] stays text",
        shown="The bare [number].",
        mend="give it a claim with this position, or don't write it as a badge",
        source=_FIELDS,
    ),
    "claim-without-badge": playground_rule(
        wrong="this citation isn't shown",
        shown="An answer without this source.",
        mend="write [{position}] into the text, or leave the claim out",
        source=_FIELDS,
    ),
    "number-becomes-badge": Rule(
        clients=(PLAYGROUND,),
        wrong="{marker} is shown as badge {number}, although it is escaped",
        shown="A badge with a source, where the text only has a number in brackets.",
        mend="put U+200B behind its bracket",
        source="seen in the Agents Playground 0.2.28",
    ),
    "feedback-loop": teams_rule(
        wrong="no thumbs are shown",
        shown="A message without thumbs.",
        mend='feedbackLoop must be {{"type": "default"}} or {{"type": "custom"}}',
        source=f"{AI_PAGE}#feedback-buttons",
    ),
    "feedback-loop-twice": teams_rule(
        wrong="feedbackLoop and feedbackLoopEnabled say the same in two ways, of which Teams takes one",
        shown="A message with the thumbs of either, or with none.",
        mend="leave feedbackLoopEnabled out",
        source=f"{AI_PAGE}#feedback-buttons",
    ),
    "heading-not-shown": teams_rule(
        wrong="line {line} is a heading, which Teams doesn't show in a message",
        shown="Its words in the size of the text, in some clients with # before them.",
        mend='make it a bold line of its own, or set textFormat to "extendedmarkdown"',
        source=FORMAT_PAGE,
    ),
    "table-not-shown": teams_rule(
        wrong="line {line} begins a table, which Teams doesn't show in a message",
        shown="The cells in one line, with | between them.",
        mend='write it as a list or an Adaptive Card, or set textFormat to "extendedmarkdown"',
        source=FORMAT_PAGE,
    ),
    "too-large": playground_rule(
        wrong="{size} bytes as Teams counts them, while it refuses about 100,000 (413) and asks for less "
        "than {most}",
        shown="Nothing: MessageSizeTooBig.",
        mend="shorten the text and the abstracts, labels never",
        source=FORMAT_PAGE,
    ),
}
