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
    WEB_CHAT,
    Rule,
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

ROWS: Final = (
    Rule(
        "entity-not-an-object",
        WEB_CHAT,
        wrong=_LOST_WITH_IT,
        shown=_FATAL,
        mend="remove this entity or make it an object",
        source=MESSAGE_TS,
    ),
    Rule(
        "entity-type",
        WEB_CHAT,
        wrong="the message isn't shown if this stands before the Message, and newer Web Chat shows nothing "
        "after it either",
        shown=_FATAL,
        mend="type must be a string",
        source=MESSAGE_TS,
    ),
    Rule(
        "context",
        WEB_CHAT,
        wrong=_LOST,
        shown=_FATAL,
        mend='@context must be exactly "https://schema.org", without a slash at its end and without http',
        source=THING_TS,
    ),
    Rule(
        "root-without-type",
        WEB_CHAT,
        wrong=_LOST,
        shown=_FATAL,
        mend="@type must be one string",
        source=THING_TS,
    ),
    Rule(
        "root-id",
        WEB_CHAT,
        wrong=_LOST,
        shown=_FATAL,
        mend="@id must be a string",
        source=THING_TS,
    ),
    Rule(
        "message-type",
        WEB_CHAT,
        wrong="the graph is overlooked, labels and passages with it",
        shown=_OVERLOOKED,
        mend='type must be "https://schema.org/Message"',
        source=MESSAGE_TS,
    ),
    Rule(
        "message-id",
        WEB_CHAT,
        wrong="the graph is overlooked, labels and passages with it",
        shown=_OVERLOOKED,
        mend='@id must be "", which is this message itself',
        source=f"{CITATION_MD}#message-thing",
    ),
    Rule(
        "message-subclass",
        WEB_CHAT,
        wrong='"Subclasses are not supported"',
        shown="What Web Chat 4.18.1 shows of a Message. Other versions and clients may overlook it.",
        mend='type must be "https://schema.org/Message" and @type "Message"',
        source=f"{CITATION_MD}#message-object",
    ),
    Rule(
        "second-message",
        WEB_CHAT,
        wrong="only the first Message is read, and Teams refuses two",
        shown="Citations and labels of the first Message alone.",
        mend="keep one, with all citations",
        source=MESSAGE_TS,
    ),
    Rule(
        "root-claim",
        WEB_CHAT,
        wrong="claims outside the Message are no longer read",
        shown="In Web Chat 4.18.1 a badge that does nothing, in newer Web Chat a bare link.",
        mend="move it into citation of the Message",
        source=f"{CITATION_MD}#message-object",
    ),
    Rule(
        "extra-root",
        WEB_CHAT,
        wrong="Web Chat parses this thing with the Message, and its fault would be both's",
        shown="Nothing of the message, once this thing has a fault.",
        mend="drop it, or give it another type",
        source=MESSAGE_TS,
    ),
    Rule(
        "key-without-at",
        WEB_CHAT,
        wrong="Web Chat reads {wanted}, and not {key}",
        shown=_OVERLOOKED,
        mend="write {wanted}; the Agents SDK for Python drops the @, so build its Entity by model_construct",
        source="seen on the wire: microsoft-agents-activity 1.9.0 writes id, atId, atType and atContext",
    ),
    Rule(
        "node-without-type",
        WEB_CHAT,
        wrong="Web Chat drops this node, for it has no type",
        shown="What the node says is missing: a citation, its passage, its label or the colour.",
        mend="@type must be a string",
        source=THING_TS,
    ),
    Rule(
        "json-ld-keyword",
        (STABLE, MAIN, TEAMS),
        wrong="only plain nested objects are read, so that {key} loses what it says",
        shown="A message without what stands below the keyword.",
        mend="remove it, and nest the nodes",
        source=f"{CITATION_MD}#message-object",
    ),
    Rule(
        "null-value",
        WEB_CHAT,
        wrong="null counts as a value in one reader and as none in the next",
        shown="In Web Chat a value that is missing; in Teams and the Agents Playground a refused message.",
        mend="omit it",
        source="seen in the Agents Playground 0.2.28, which refuses null (400)",
    ),
    Rule(
        "empty-string",
        WEB_CHAT,
        wrong="an empty string is shown as an empty row or link",
        shown="A row without words in the list, or a citation that opens nothing.",
        mend="omit it",
        source=CITATION_MD,
    ),
    Rule(
        "unknown-term",
        (STABLE, MAIN, TEAMS, PLAYGROUND),
        wrong="Schema.org has no {name!r}, and nothing reads it",
        shown="A message without what the misspelt name says.",
        mend="{meant}",
        source="https://schema.org/docs/schemas.html",
    ),
    Rule(
        "lost-value",
        (STABLE, MAIN, TEAMS),
        wrong="a JSON-LD reader gets no such value",
        shown="A message without it.",
        mend="write it plainly, or omit it",
        source=f"{JSON_LD}#value-expansion",
    ),
    Rule(
        "json-ld",
        (STABLE, MAIN, TEAMS),
        wrong="this is no JSON-LD ({error})",
        shown="The message without parts of its graph.",
        mend="mend or remove that value",
        source=f"{JSON_LD}#expansion-algorithms",
    ),
    Rule(
        "blank-node-reused",
        WEB_CHAT,
        wrong="{name} is also another node's @id ({other}), and the last one is shown for all, so that a "
        "label may be lowered",
        shown="The last label of this @id in the place of the others.",
        mend="give each node an @id of its own",
        source=BLANK_NODES_TS,
    ),
    Rule(
        "blank-node-cycle",
        WEB_CHAT,
        wrong="{name} refers to itself through other nodes, so that the message is not shown",
        shown="Nothing.",
        mend="remove the reference",
        source=BLANK_NODES_TS,
    ),
    Rule(
        "graph-too-deep",
        WEB_CHAT,
        wrong="nodes stand more than {most} deep inside each other, and the reader's browser hangs",
        shown="A tab that doesn't respond.",
        mend="flatten them",
        source=BLANK_NODES_TS,
    ),
    Rule(
        "keyword-not-a-string",
        WEB_CHAT,
        wrong="only strings are looked for, and this is none",
        shown="No notice of AI, and no button to copy.",
        mend="write the keyword itself",
        source=f"{CITATION_MD}#message-object",
    ),
    Rule(
        "keyword-spelling",
        WEB_CHAT,
        wrong="{word!r} is not recognised",
        shown="No notice of AI, and no button to copy.",
        mend="write [{wanted}]",
        source=f"{CITATION_MD}#message-object",
    ),
    Rule(
        "ai-keyword",
        (MAIN,),
        wrong="Web Chat shows no notice of AI for additionalType, which Teams reads",
        shown="An answer of a model without “AI-generated content may be incorrect”.",
        mend='write "AIGeneratedContent" into keywords, too',
        source=f"{CITATION_MD}#message-object",
    ),
    Rule(
        "vote-about-nothing",
        WEB_CHAT,
        wrong="a vote comes back as this action and nothing else, so that the bot can't tell what was rated",
        shown="Thumbs as ever; only the bot's log shows the loss.",
        mend="give the action an @id with the answer's",
        source=VOTES_TSX,
    ),
    Rule(
        "duplicate-action-id",
        WEB_CHAT,
        wrong="{other} has the same @id, and newer Web Chat takes both for pressed",
        shown="Two pressed thumbs after one click.",
        mend="give each its own",
        source=VOTES_TSX,
    ),
    Rule(
        "second-code",
        (MAIN,),
        wrong="only the first isBasedOn is shown",
        shown="No button for this query.",
        mend="put the query there",
        source="seen in Web Chat main (4.18.1-main.20251101)",
    ),
    Rule(
        "code-without-text",
        (MAIN,),
        wrong="no button opens a query without a text",
        shown="No button.",
        mend="put the query into text",
        source="seen in Web Chat main (4.18.1-main.20251101)",
    ),
)
