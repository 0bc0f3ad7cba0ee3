"""Rules of the Message: how Web Chat finds it, its nodes, keywords and actions."""

from __future__ import annotations

from typing import Final

from .rule import (
    BLANK_NODES_TS,
    CITATION_MD,
    JSON_LD,
    MAIN,
    MESSAGE_TS,
    PLAYGROUND,
    STABLE,
    TEAMS,
    THING_TS,
    VOTES_TSX,
    Rule,
    RuleTable,
)

_FATAL: Final = (
    "Web Chat 4.18.1 draws an empty bubble. The main build says “Render error”, and shows no later message "
    "of the conversation either."
)
_LOST: Final = "the message isn't shown, and newer Web Chat shows nothing after it either"
_LOST_WITH_IT: Final = (
    "the message isn't shown if this stands before the Message or a definition has no claim, and newer Web "
    "Chat shows nothing after it either"
)
_OVERLOOKED: Final = (
    "Badges and a list from the text alone: no label, no provenance, no thumbs, and passages don't open."
)

ROWS: RuleTable = {
    "entity-not-an-object": Rule(
        wrong=_LOST_WITH_IT,
        shown=_FATAL,
        mend="remove this entity or make it an object",
        source=MESSAGE_TS,
    ),
    "entity-type": Rule(
        wrong="the message isn't shown if this stands before the Message, and newer Web Chat shows nothing "
        "after it either",
        shown=_FATAL,
        mend="type must be a string",
        source=MESSAGE_TS,
    ),
    "context": Rule(
        wrong=_LOST,
        shown=_FATAL,
        mend='@context must be exactly "https://schema.org", without a slash at its end and without http',
        source=THING_TS,
    ),
    "root-without-type": Rule(
        wrong=_LOST,
        shown=_FATAL,
        mend="@type must be one string",
        source=THING_TS,
    ),
    "root-id": Rule(
        wrong=_LOST,
        shown=_FATAL,
        mend="@id must be a string",
        source=THING_TS,
    ),
    "message-type": Rule(
        wrong="the graph is overlooked, labels and passages with it",
        shown=_OVERLOOKED,
        mend='type must be "https://schema.org/Message"',
        source=MESSAGE_TS,
    ),
    "message-id": Rule(
        wrong="the graph is overlooked, labels and passages with it",
        shown=_OVERLOOKED,
        mend='@id must be "", which is this message itself',
        source=f"{CITATION_MD}#message-thing",
    ),
    "message-subclass": Rule(
        wrong='"Subclasses are not supported"',
        shown="What Web Chat 4.18.1 shows of a Message. Other versions and clients may overlook it.",
        mend='type must be "https://schema.org/Message" and @type "Message"',
        source=f"{CITATION_MD}#message-object",
    ),
    "second-message": Rule(
        wrong="only the first Message is read, and Teams refuses two",
        shown="Citations and labels of the first Message alone.",
        mend="keep one, with all citations",
        source=MESSAGE_TS,
    ),
    "root-claim": Rule(
        wrong="claims outside the Message are no longer read",
        shown="In Web Chat 4.18.1 a badge that does nothing, in newer Web Chat a bare link.",
        mend="move it into citation of the Message",
        source=f"{CITATION_MD}#message-object",
    ),
    "extra-root": Rule(
        wrong="Web Chat parses this thing with the Message, and its fault would be both's",
        shown="Nothing of the message, once this thing has a fault.",
        mend="drop it, or give it another type",
        source=MESSAGE_TS,
    ),
    "key-without-at": Rule(
        wrong="Web Chat reads {wanted}, and not {key}",
        shown=_OVERLOOKED,
        mend="write {wanted}; the Agents SDK for Python drops the @, so build its Entity by model_construct",
        source="seen on the wire: microsoft-agents-activity 1.9.0 writes id, atId, atType and atContext",
    ),
    "node-without-type": Rule(
        wrong="Web Chat drops this node, for it has no type",
        shown="What the node says is missing: a citation, its passage, its label or the colour.",
        mend="@type must be a string",
        source=THING_TS,
    ),
    "json-ld-keyword": Rule(
        clients=(STABLE, MAIN, TEAMS),
        wrong="only plain nested objects are read, so that {key} loses what it says",
        shown="A message without what stands below the keyword.",
        mend="remove it, and nest the nodes",
        source=f"{CITATION_MD}#message-object",
    ),
    "null-value": Rule(
        wrong="null counts as a value in one reader and as none in the next",
        shown="In Web Chat a value that is missing; in Teams and the Agents Playground a refused message.",
        mend="omit it",
        source="seen in the Agents Playground 0.2.28, which refuses null (400)",
    ),
    "empty-string": Rule(
        wrong="an empty string is shown as an empty row or link",
        shown="A row without words in the list, or a citation that opens nothing.",
        mend="omit it",
        source=CITATION_MD,
    ),
    "unknown-term": Rule(
        clients=(STABLE, MAIN, TEAMS, PLAYGROUND),
        wrong="Schema.org has no {name!r}, and nothing reads it",
        shown="A message without what the misspelt name says.",
        mend="{meant}",
        source="https://schema.org/docs/schemas.html",
    ),
    "lost-value": Rule(
        clients=(STABLE, MAIN, TEAMS),
        wrong="a JSON-LD reader gets no such value",
        shown="A message without it.",
        mend="write it plainly, or omit it",
        source=f"{JSON_LD}#value-expansion",
    ),
    "json-ld": Rule(
        clients=(STABLE, MAIN, TEAMS),
        wrong="this is no JSON-LD ({error})",
        shown="The message without parts of its graph.",
        mend="mend or remove that value",
        source=f"{JSON_LD}#expansion-algorithms",
    ),
    "blank-node-reused": Rule(
        wrong="{name} is also another node's @id ({other}), and the last one is shown for all, so that a "
        "label may be lowered",
        shown="The last label of this @id in the place of the others.",
        mend="give each node an @id of its own",
        source=BLANK_NODES_TS,
    ),
    "blank-node-cycle": Rule(
        wrong="{name} refers to itself through other nodes, so that the message is not shown",
        shown="Nothing.",
        mend="remove the reference",
        source=BLANK_NODES_TS,
    ),
    "graph-too-deep": Rule(
        wrong="nodes stand more than {most} deep inside each other, and the reader's browser hangs",
        shown="A tab that doesn't respond.",
        mend="flatten them",
        source=BLANK_NODES_TS,
    ),
    "keyword-not-a-string": Rule(
        wrong="only strings are looked for, and this is none",
        shown="No notice of AI, and no button to copy.",
        mend="write the keyword itself",
        source=f"{CITATION_MD}#message-object",
    ),
    "keyword-spelling": Rule(
        wrong="{word!r} is not recognised",
        shown="No notice of AI, and no button to copy.",
        mend="write [{wanted}]",
        source=f"{CITATION_MD}#message-object",
    ),
    "ai-keyword": Rule(
        clients=(MAIN,),
        wrong="Web Chat shows no notice of AI for additionalType, which Teams reads",
        shown="An answer of a model without “AI-generated content may be incorrect”.",
        mend='write "AIGeneratedContent" into keywords, too',
        source=f"{CITATION_MD}#message-object",
    ),
    "vote-about-nothing": Rule(
        wrong="a vote comes back as this action and nothing else, so that the bot can't tell what was rated",
        shown="Thumbs as ever; only the bot's log shows the loss.",
        mend="give the action an @id with the answer's",
        source=VOTES_TSX,
    ),
    "duplicate-action-id": Rule(
        wrong="{other} has the same @id, and newer Web Chat takes both for pressed",
        shown="Two pressed thumbs after one click.",
        mend="give each its own",
        source=VOTES_TSX,
    ),
    "second-code": Rule(
        clients=(MAIN,),
        wrong="only the first isBasedOn is shown",
        shown="No button for this query.",
        mend="put the query there",
        source="seen in Web Chat main (4.18.1-main.20251101)",
    ),
    "code-without-text": Rule(
        clients=(MAIN,),
        wrong="no button opens a query without a text",
        shown="No button.",
        mend="put the query into text",
        source="seen in Web Chat main (4.18.1-main.20251101)",
    ),
}
