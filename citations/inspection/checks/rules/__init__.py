"""Every rule of ``check`` as a row of a table: what is wrong, for which clients, and how to mend it.

Each file beside this module is a section; :data:`SECTIONS` has their order. A problem's sentences are its
rule's. A code has one row, or one for each kind of client that it means something else in.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from string import Formatter
from typing import Final, NamedTuple

from ....model.channel_id import Client
from ....model.errors import Problem

__all__ = ["RULES", "SECTIONS", "CheckRule", "problem", "rules_of", "teams_problem"]

_SPACES: Final = re.compile(r"\s+")
_LONGEST: Final = 200
"""Characters of a value that a message quotes."""


class ClientVersion(NamedTuple):
    """A client that a rule holds for; ``kind`` is None where every channel refuses the activity."""

    kind: Client | None
    name: str


_CLIENTS: Final = {
    "connector": ClientVersion(None, "every channel, through the Bot Connector"),
    "web-chat": ClientVersion(Client.WEB_CHAT, "Web Chat 4.18.1"),
    "web-chat-main": ClientVersion(Client.WEB_CHAT, "Web Chat main (4.18.1-main.20251101)"),
    "teams": ClientVersion(Client.TEAMS, "Microsoft Teams (documentation of September 2026)"),
    "playground": ClientVersion(Client.TEAMS, "Agents Playground 0.2.28"),
    "mail": ClientVersion(Client.EMAIL, "mail readers"),
}
"""The clients, by their names in the files."""
_WEB_CHAT: Final = ("web-chat", "web-chat-main")
"""The clients of a rule that names none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRule:
    """One row: what is wrong, for which clients, what their readers see, and how to mend it.

    ``wrong`` and ``mend`` have the problem's own values in braces. Together they are its message.
    ``source`` is where the rule is from: a URL, a report, or what was seen in the client itself.
    """

    code: str
    clients: tuple[ClientVersion, ...]
    wrong: str
    shown: str
    mend: str
    source: str

    def problem(self, path: str, /, **values: object) -> Problem:
        """A problem of this rule at ``path``; ``values`` fill the braces."""
        fields = {
            key: _SPACES.sub(" ", value[:_LONGEST]) if isinstance(value, str) else value
            for key, value in values.items()
        }
        return Problem(self.code, path, f"{self.wrong}: {self.mend}".format(**fields))

    @property
    def kinds(self) -> frozenset[Client | None]:
        """The clients, whatever their versions."""
        return frozenset(client.kind for client in self.clients)

    def explain(self) -> dict[str, object]:
        """The row as JSON, with the names of the fields for their values."""
        return {
            "code": self.code,
            "clients": [client.name for client in self.clients],
            "wrong": _named(self.wrong),
            "shown": self.shown,
            "mend": _named(self.mend),
            "source": self.source,
        }


def _named(template: str) -> str:
    """A template with the names of its fields, in capitals."""
    parts = Formatter().parse(template)
    return "".join(f"{text}{(field or '').upper()}" for text, field, _, _ in parts)


def _read_sections(*names: str) -> Iterator[tuple[str, tuple[CheckRule, ...]]]:
    for name in names:
        section = tomllib.loads((resources.files(__name__) / f"{name}.toml").read_text("utf-8"))
        yield (
            section["title"],
            tuple(
                CheckRule(clients=tuple(_CLIENTS[client] for client in row.pop("clients", _WEB_CHAT)), **row)
                for row in section["rule"]
            ),
        )


SECTIONS: Final[Mapping[str, tuple[CheckRule, ...]]] = dict(
    _read_sections("activity", "message", "claims", "labels", "text", "stream", "doubts", "teams")
)
RULES: Final = tuple(rule for rows in SECTIONS.values() for rule in rows)

_FIRST: Final = {rule.code: rule for rule in reversed(RULES)}
_OF_TEAMS: Final = {rule.code: rule for rule in RULES if Client.TEAMS in rule.kinds}


def problem(code: str, path: str, /, **values: object) -> Problem:
    """A problem of the first row of ``code``, which is Web Chat's where several clients have one."""
    return _FIRST[code].problem(path, **values)


def teams_problem(code: str, path: str, /, **values: object) -> Problem:
    """A problem of the row that ``code`` has for Teams."""
    return _OF_TEAMS[code].problem(path, **values)


def rules_of(code: str) -> tuple[CheckRule, ...]:
    """The rows of a code, none if it is unknown."""
    return tuple(rule for rule in RULES if rule.code == code)
