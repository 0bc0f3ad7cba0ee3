"""Activities with something in them that no author meant: what a bot's bug or a person's malice makes of them."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from .check_corpus import SAMPLE
from .hop_corpus import hop_cases

_KEYS = (
    "@id", "@type", "@context", "@graph", "@list", "@set", "@value", "@language", "@reverse", "@included", "@index", "@nest",
    "@import", "@vocab", "@base", "@version", "@test", "@", "", "type", "text", "textFormat", "entities", "channelData", "answerKind",
    "citation", "appearance", "position", "usageInfo", "url", "name", "keywords", "pagination", "editor", "isBasedOn", "pattern",
    "termCode", "https://schema.org/url", "a:b", "_:x", "\ud800", "\u202e",
)  # fmt: skip
_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 2**70, 1.5, 1e308, "", "@", "@test", "@id", "@type", "@graph", "@none", "@json", "_:", "_:s1", "http://[",
    "https://example.com/1", "mailto:a@b", "mailto:", "javascript:x", "cite:1", "cite:", "//", "a:b", "a b:c", "%", "\ud800", "\x00",
    "\u202e", "&#x202e;", "1", "01", "９", "[1]", "plain", "xml", "https://schema.org", "https://schema.org/Message", "Message", "Claim",
    "application/vnd.microsoft.card.adaptive", "{", '{"body": 1}', "1-2", "9" * 5000, "[" * 300, [], {}, [[]], [None], {"@id": None},
    {"@id": ["a"]}, {"@value": None}, {"@value": {}}, {"@list": [[1]]}, {"@graph": [{}]}, {"@type": "@id", "@value": 1},
    {"@id": "@x", "name": "y"}, {"@reverse": {"citation": {"@id": "@a"}}}, {"@context": {"@base": None, "url": "@type"}},
    {"@context": {"name": {"@id": "@id"}}}, {"@context": {"@propagate": False}}, {"@included": [{"@type": "Claim"}]},
)  # fmt: skip


def mutated_activity(random: Random) -> Any:
    """One of the activities of the corpus, with one to six changes."""
    cases = [SAMPLE, *(given for given, _ in hop_cases().values())]
    activity: Any = copy.deepcopy(random.choice(cases))
    for _ in range(random.randint(1, 6)):
        if random.random() < 0.9:
            activity["entities"] = _changed(activity["entities"], random)
        else:
            activity = _changed(activity, random)
        if not isinstance(activity, dict) or "entities" not in activity:
            break
    return activity


def _changed(value: Any, random: Random) -> Any:
    """``value`` with one change somewhere in it."""
    if isinstance(value, dict) and value and random.random() < 0.97:
        key = random.choice(list(value))
        if random.random() < 0.05:
            del value[key]
        elif random.random() < 0.1:
            value[random.choice(_KEYS)] = copy.deepcopy(random.choice(_VALUES))
        elif random.random() < 0.07:
            value[random.choice(_KEYS)] = value.pop(key)
        else:
            value[key] = _changed(value[key], random)
        return value
    if isinstance(value, list) and value and random.random() < 0.97:
        place = random.randrange(len(value))
        if random.random() < 0.05:
            value.insert(place, copy.deepcopy(random.choice(_VALUES)))
        elif random.random() < 0.05:
            value.append(copy.deepcopy(value[place]))
        else:
            value[place] = _changed(value[place], random)
        return value
    if isinstance(value, str) and random.random() < 0.3:
        place = random.randint(0, len(value))
        return value[:place] + str(random.choice(_VALUES))[:40] + value[place:]
    return copy.deepcopy(random.choice(_VALUES))
