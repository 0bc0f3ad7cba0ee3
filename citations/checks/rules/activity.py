"""Rules of the whole activity, whatever shows it."""

from __future__ import annotations

from typing import Final

from .rule import (
    ACTIVITY_MD,
    AI_PAGE,
    CITATION_MD,
    CONNECTOR,
    FORMAT_PAGE,
    MAIN,
    MESSAGE_TS,
    PLAYGROUND,
    STABLE,
    TEAMS,
    Rule,
    RuleTable,
    playground_rule,
)

_EACH: Final = (STABLE, MAIN, TEAMS, PLAYGROUND)

ROWS: RuleTable = {
    "not-an-activity": Rule(
        clients=(CONNECTOR,),
        wrong="an activity is a JSON object, and this is none",
        shown="Nothing: the connector refuses the request.",
        mend="give the whole message, with its type and its text",
        source=ACTIVITY_MD,
    ),
    "activity-type": Rule(
        clients=(CONNECTOR,),
        wrong="no channel shows it, for its type is no type of activity",
        shown="Nothing.",
        mend='type must be a string such as "message", in small letters; a graph belongs into its entities',
        source=ACTIVITY_MD,
    ),
    "message-empty": Rule(
        clients=(CONNECTOR,),
        wrong="the message has no words, and nothing else to show",
        shown="An empty bubble in Web Chat. Teams refuses the message (400).",
        mend="say in a sentence why there is no answer, or send nothing",
        source=ACTIVITY_MD,
    ),
    "too-deep": Rule(
        clients=(CONNECTOR,),
        wrong="values stand more than {most} deep inside each other",
        shown="Nothing: .NET's readers of JSON, the connector's among them, refuse the activity.",
        mend="flatten them",
        source="https://learn.microsoft.com/en-us/dotnet/api/system.text.json.jsonserializeroptions.maxdepth",
    ),
    "not-unicode": Rule(
        clients=(CONNECTOR,),
        wrong="half of a surrogate pair can't be sent as UTF-8",
        shown="Nothing, or U+FFFD in the place of the character: many SDKs raise an error.",
        mend="remove it, and cut text by characters",
        source="https://www.rfc-editor.org/rfc/rfc8259#section-8.2",
    ),
    "too-large": Rule(
        clients=(CONNECTOR,),
        wrong="{size} bytes, and the connector takes {most}",
        shown="Nothing: the connector and Direct Line refuse the activity (413, MessageSizeTooBig).",
        mend="shorten the passages first, labels never",
        source="https://github.com/microsoft/botframework-sdk/issues/6669",
    ),
    "text-not-a-string": Rule(
        clients=_EACH,
        wrong="the text isn't one",
        shown="No text and no citation, or no message at all.",
        mend="text must be a string",
        source=ACTIVITY_MD,
    ),
    "text-missing": Rule(
        clients=_EACH,
        wrong="no citation is shown without a text",
        shown="A message without text, badges and list.",
        mend="write one that cites each source",
        source=f"{CITATION_MD}#activity-text",
    ),
    "text-format": Rule(
        wrong="definitions are shown as text, and no citation is",
        shown="Brackets, URLs and titles as they were written, and no list.",
        mend='textFormat must be "markdown" or absent',
        source=f"{CITATION_MD}#activity-text",
    ),
    "entities-not-an-array": Rule(
        wrong="the message isn't shown, for its entities are no array",
        shown="Nothing: Web Chat takes them for an array, and fails.",
        mend="entities must be an array, with the Message in it",
        source=MESSAGE_TS,
    ),
    "graph-elsewhere": Rule(
        clients=_EACH,
        wrong="clients read the graph in entities only, and not here",
        shown="The text alone: bare links in Web Chat, brackets in Teams, no passage and no label.",
        mend="move the Message into entities",
        source=MESSAGE_TS,
    ),
    "message-emptied": Rule(
        clients=_EACH,
        wrong="an SDK has dropped all of this Message but its type",
        shown="An empty bubble in Web Chat, and no citation or a refused message in Teams.",
        mend="with botbuilder for Python, send a subclass of Entity whose _attribute_map has "
        '"additional_properties": {{"key": "", "type": "{{object}}"}}',
        source="https://github.com/microsoft/botbuilder-python/issues/2208",
    ),
}

TEAMS_ROWS: RuleTable = {
    "text-format": playground_rule(
        wrong="Teams doesn't know this format",
        shown="A refused message, or its marks as they were written.",
        mend="textFormat must be one of {formats}",
        source=FORMAT_PAGE,
    ),
    "entities-not-an-array": playground_rule(
        wrong="Teams refuses the message (400), for its entities are no array",
        shown="Nothing.",
        mend="entities must be an array, with the Message in it",
        source=AI_PAGE,
    ),
}
