"""Any bot's activity, as ``python -m citations check`` reads it: judged, and never an exception.

An input is the JSON of an activity.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from markdown_it.utils import read_fixture_file

from citations import AnswerFormatError, check
from citations.readers import json_text

from ..check_corpus import CORPUS, SAMPLE, TEAMS, changed, claim, message

WORDS = (
    *(f'"{key}": ' for key in (
        "type", "text", "textFormat", "entities", "@context", "@id", "@type", "citation", "position", "appearance", "name", "url",
        "usageInfo", "pattern", "termCode", "keywords", "abstract", "encodingFormat", "claimInterpreter", "isBasedOn", "channelData",
        "streamType", "streamId", "streamSequence", "potentialAction", "actionOption", "attachments", "@reverse", "@graph", "@set", "@list",
        "@value", "@language", "@included", "@nest", "@index", "@direction", "@json", "image",
    )),
    '"https://schema.org"', '"https://schema.org/Message"', '"Claim"', '"_:a"', '"cite:1"', '"streaming"', '"final"', '"informative"', "[1]",
    "\\n\\n[1]: cite:1", "\\ud800", "null", "{}", "[]", "1e9",
)  # fmt: skip
LONGEST = 2000
"""Bytes of an input."""


def promise(data: bytes) -> None:
    """It has problems or none, each in one line with a path, and the same ones if it is asked again."""
    try:
        activity = json_text.loads(data)
    except AnswerFormatError:
        return
    for channel_id in ("webchat", "msteams", "email"):
        found = check(activity, channel_id=channel_id)
        assert found == check(activity, channel_id=channel_id)
        for problem in found:
            assert problem.path.startswith("$")
            assert "\n" not in str(problem)


walk = promise


def seeds() -> Iterator[bytes]:
    """The corpus of mistakes."""
    yield json.dumps(SAMPLE).encode()
    graph = message(claim("1", "One"), claim("2", "Two"))
    for _, _, text, _ in read_fixture_file(CORPUS / "text.md"):
        yield json.dumps({"type": "message", "text": text, "entities": [graph]}).encode()
    for _, _, changes, _ in read_fixture_file(CORPUS / "graph.md"):
        yield json.dumps(changed(changes)).encode()
    for _, _, changes, _ in read_fixture_file(CORPUS / "teams.md"):
        yield json.dumps(changed(changes, TEAMS)).encode()
    for _, _, text, _ in read_fixture_file(CORPUS / "live.md"):
        yield json.dumps({"type": "message", "text": text}).encode()
