"""Rules of streamed answers: the metadata of each activity, and what only a whole transcript shows."""

from __future__ import annotations

from typing import Final

from .rule import STABLE, STREAM_PAGE, STREAM_TS, TEAMS, Rule, RuleTable, teams_rule

_REFUSED: Final = "The answer up to here, and nothing after it: Teams refuses the activity."
_SPLIT: Final = "Several bubbles for one answer; the first ones stay unfinished."

ROWS: RuleTable = {
    "stream-channel-data": Rule(
        clients=(STABLE,),
        wrong="Web Chat 4.18 reads channelData only, so that each piece becomes a bubble",
        shown=_SPLIT,
        mend="say the same in channelData",
        source=STREAM_TS,
    ),
    "stream-disagrees": Rule(
        wrong="channelData.{key} says something else",
        shown="Another order or another bubble, depending on the version.",
        mend="make them equal",
        source=STREAM_TS,
    ),
    "stream-type": Rule(
        wrong="no version of Web Chat knows this piece's kind",
        shown=_SPLIT,
        mend="streamType must be one of {kinds}",
        source=STREAM_TS,
    ),
    "stream-activity-type": Rule(
        wrong="a {kind} piece must be of type {wanted}, or its bubble stays unfinished or apart",
        shown=_SPLIT,
        mend="set type to {wanted}",
        source=STREAM_TS,
    ),
    "stream-id": Rule(
        wrong="without it this piece is a bubble of its own",
        shown=_SPLIT,
        mend="set streamId to the id of the stream's first activity",
        source=STREAM_TS,
    ),
    "stream-sequence": Rule(
        wrong="the pieces don't become one bubble",
        shown=_SPLIT,
        mend="streamSequence must be a whole number from 1 on",
        source=STREAM_TS,
    ),
    "stream-after-final": Rule(
        clients=(STABLE, TEAMS),
        wrong="this piece comes after the final one ({final})",
        shown="In Web Chat 4.18.1 this unfinished text in the place of the answer. Teams refuses it.",
        mend="send nothing after the final, and wait for each interim's response",
        source="seen in Web Chat 4.18.1; its main build ignores the piece",
    ),
}

TEAMS_ROWS: RuleTable = {
    "stream-entity": teams_rule(
        wrong="each piece is lost or a message of its own, for Teams reads no channelData",
        shown="Several messages, or none.",
        mend='say streamType, streamId and streamSequence in an entity of type "streaminfo"',
        source=STREAM_PAGE,
    ),
    "stream-type": teams_rule(
        wrong="Teams refuses the piece (400)",
        shown=_REFUSED,
        mend="streamType must be one of {kinds}",
        source=STREAM_PAGE,
    ),
    "stream-activity-type": teams_rule(
        wrong="a {kind} piece must be of type {wanted}, or Teams refuses it",
        shown=_REFUSED,
        mend="set type to {wanted}",
        source=STREAM_PAGE,
    ),
    "stream-id": teams_rule(
        wrong="Teams refuses the piece or shows a second message",
        shown="The answer twice, or half of it.",
        mend="set streamId to the id of the stream's first activity",
        source=STREAM_PAGE,
    ),
    "stream-sequence": teams_rule(
        wrong="Teams refuses the piece (400)",
        shown=_REFUSED,
        mend="streamSequence must be a whole number, one more each time",
        source=STREAM_PAGE,
    ),
    "stream-not-personal": teams_rule(
        wrong='"Streaming bot messages are supported only in one-on-one chats"',
        shown="Nothing: Teams refuses each piece.",
        mend="send one message here",
        source=STREAM_PAGE,
    ),
    "stream-final-sequence": teams_rule(
        wrong='"For the final message, streamSequence must not be set", and Teams refuses it (400)',
        shown=_REFUSED,
        mend="omit it",
        source=STREAM_PAGE,
    ),
    "card-in-stream": teams_rule(
        wrong="Teams fails (500) on a card in the last message of a stream",
        shown=_REFUSED,
        mend="omit text and encodingFormat",
        source="https://github.com/microsoft/botbuilder-js/issues/4880",
    ),
    "stream-without-text": teams_rule(
        wrong='"Start streaming activities should include text" (400)',
        shown="Nothing of the stream.",
        mend="write one",
        source=STREAM_PAGE,
    ),
    "informative-too-long": teams_rule(
        wrong='"Informative messages must not be more than 1 kb or 1000 characters", not {size}',
        shown="No progress, or the end of the stream.",
        mend="shorten it",
        source=STREAM_PAGE,
    ),
    "stream-too-early": teams_rule(
        wrong="Teams takes it in the last message of a stream only",
        shown="The message without it, or the end of the stream.",
        mend="send it there",
        source=STREAM_PAGE,
    ),
    "stream-not-growing": teams_rule(
        wrong="its text doesn't begin with that of {before}: \"Request streamed content should contain the "
        'previously streamed content" (403)',
        shown=_REFUSED,
        mend="only add text; don't renumber, rewrite or remove what was sent",
        source=STREAM_PAGE,
    ),
}
