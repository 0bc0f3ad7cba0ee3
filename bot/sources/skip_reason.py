"""Why a file of a folder is not read, in the language of the turn.

:mod:`bot.retrieval` writes its reasons in English, for the log. They are the keys of ``skip_reasons.toml``,
as in gettext. A reason that is not in there stays in English.
"""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from typing import Final

from ..languages import say_key

_REASONS: Final = tuple(
    (re.compile(pattern), key)
    for pattern, key in tomllib.loads(
        (resources.files(__package__) / "skip_reasons.toml").read_text("utf-8")
    ).items()
)


def explain_skip(reason: str) -> str:
    """Write a reason of :mod:`bot.retrieval` as a sentence."""
    for pattern, key in _REASONS:
        if found := pattern.fullmatch(reason):
            values = found.groupdict()
            count = {"count": int(values["count"])} if "count" in values else {}
            return say_key(key, **values | count)
    return f"{reason[:1].upper()}{reason[1:]}."
