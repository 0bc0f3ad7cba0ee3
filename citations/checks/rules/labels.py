"""Rules of the sensitivity labels: what Web Chat draws of them, and what Teams takes."""

from __future__ import annotations

from typing import Final

from .rule import (
    AI_PAGE,
    BLANK_NODES_TS,
    CITATION_MD,
    LABEL_TSX,
    MAIN,
    STABLE,
    TEAMS,
    TEXT_TSX,
    Rule,
    RuleTable,
    playground_rule,
    teams_rule,
)

_LABELS: Final = f"{AI_PAGE}#sensitivity-label"
_REFUSED: Final = "Teams refuses the message (400)"

ROWS: RuleTable = {
    "label-on-claim": Rule(
        clients=(STABLE, MAIN, TEAMS),
        wrong="no label is shown, for this is the claim's",
        shown="A citation without a label.",
        mend="it belongs into appearance.usageInfo",
        source=f"{CITATION_MD}#message-object",
    ),
    "message-without-label": Rule(
        wrong="its citations have labels and the message has none",
        shown="Labels below single rows, and no shield for the whole answer.",
        mend="refer to the highest of them in usageInfo of the Message",
        source=f"{CITATION_MD}#usageinfo-on-the-message-thing-should-be-a-blank-node",
    ),
    "label-unresolved": Rule(
        wrong="no label is shown",
        shown="A message or a citation without a label.",
        mend="it must be a node of @type CreativeWork, or the blank-node @id (_:…) of one",
        source=BLANK_NODES_TS,
    ),
    "label-without-name": Rule(
        wrong="a shield without words is shown",
        shown="A shield without words.",
        mend="give the label a name",
        source=LABEL_TSX,
    ),
    "label-color-fetches": Rule(
        wrong="every reader's browser fetches this colour's URL",
        shown="A shield; the owner of the URL learns who reads what.",
        mend="use #rrggbb or a colour's name",
        source="seen in Web Chat 4.18.1: termCode becomes the fill of an SVG",
    ),
    "label-not-shown": Rule(
        wrong="the label stands above the list of references, and the text has no link definition",
        shown="A message without a label.",
        mend="say it in words",
        source=TEXT_TSX,
    ),
    "label-lock": Rule(
        wrong="no lock is drawn, for Web Chat looks for another keyword",
        shown="A shield without a lock. CITATION.md's own sample is shown so.",
        mend='add the keyword "{keyword}"',
        source=LABEL_TSX,
    ),
    "label-color": Rule(
        wrong="the shield has no colour, for its pattern or its colour is none",
        shown="A shield in the colour of the text.",
        mend='pattern must have a @type, inDefinedTermSet "https://www.w3.org/TR/css-color-4/", name "color" '
        "and a CSS colour in termCode",
        source=f"{CITATION_MD}#message-object",
    ),
}

TEAMS_ROWS: RuleTable = {
    "label-unresolved": playground_rule(
        wrong=f"{_REFUSED}, for it follows no reference to a blank node",
        shown="Nothing.",
        mend="write the whole label, a CreativeWork",
        source=_LABELS,
    ),
    "label-without-name": playground_rule(
        wrong=f"{_REFUSED} for a label without a name",
        shown="Nothing.",
        mend="give the label a name",
        source=_LABELS,
    ),
    "label-description": playground_rule(
        wrong=f"{_REFUSED} for a description that is empty or no text",
        shown="Nothing.",
        mend="a label's description must be text, so omit it where there is none",
        source=_LABELS,
    ),
    "label-without-id": teams_rule(
        wrong="no label is shown at the citation",
        shown="A citation without its label.",
        mend="give it the @id of the message's usageInfo",
        source=_LABELS,
    ),
    "label-id-mismatch": teams_rule(
        wrong=f"{_REFUSED}, for the message's usageInfo has no such @id",
        shown="Nothing: “Citation level usageInfo.@id value doesn't match the message level usageInfo.@id”.",
        mend="give both the same @id; name another label in keywords",
        source=_LABELS,
    ),
    "label-id-reused": teams_rule(
        wrong=f"{_REFUSED} with two labels of one @id",
        shown="Nothing: “… with the same @id, but their name and description are different”.",
        mend="labels with one @id must have the same name and description",
        source=_LABELS,
    ),
}
