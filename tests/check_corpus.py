"""Activities to check: the samples that the corpus of mistakes changes, and how a case changes them."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).parent / "corpus" / "check"
SAMPLE: dict[str, Any] = json.loads((CORPUS / "sample.json").read_text(encoding="utf-8"))
TEAMS: dict[str, Any] = json.loads((CORPUS / "teams.json").read_text(encoding="utf-8"))
_STEP = re.compile(r"\.?(@?\w+)|\[(\d+)\]")


def claim(position: str, name: str) -> dict[str, Any]:
    url = f"https://example.com/{position}"
    appearance = {"@type": "DigitalDocument", "name": name, "url": url}
    return {"@id": url, "@type": "Claim", "appearance": appearance, "position": position}


def message(*claims: dict[str, Any]) -> dict[str, Any]:
    return {
        "@context": "https://schema.org",
        "@id": "",
        "@type": "Message",
        "citation": list(claims),
        "type": "https://schema.org/Message",
    }


def changed(changes: str, sample: dict[str, Any] = SAMPLE) -> dict[str, Any]:
    """The sample activity after the changes of a case in ``graph.md`` or ``teams.md``."""
    activity = copy.deepcopy(sample)
    for line in changes.splitlines():
        delete = line.startswith("delete ")
        target, operator, value = re.fullmatch(r"(?:delete )?(\S+)(?: (\+?=\+?) (.*))?", line).groups()  # type: ignore[union-attr]
        *steps, last = [
            name or int(index) for name, index in _STEP.findall(re.sub("^message", "entities[0]", target))
        ]
        holder: Any = activity
        for step in steps:
            holder = holder[step]
        if delete:
            del holder[last]
        elif operator == "+=":
            holder[last].append(json.loads(value))
        elif operator == "=+":
            holder[last].insert(0, json.loads(value))
        else:
            holder[last] = json.loads(value)
    return activity
