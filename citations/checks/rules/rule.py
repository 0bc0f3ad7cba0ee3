"""The form of a row in the tables of ``check``, the clients that the rows name, and their sources."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from string import Formatter
from typing import Final, NamedTuple, TypeAlias

from ...model.channel_id import Client
from ...model.errors import Problem

_SPACES: Final = re.compile(r"\s+")
_LONGEST: Final = 200
"""Characters of a value that a message quotes."""


class ClientVersion(NamedTuple):
    """A client that a rule holds for; ``kind`` is None where every channel refuses the activity."""

    kind: Client | None
    name: str


CONNECTOR: Final = ClientVersion(None, "every channel, through the Bot Connector")
STABLE: Final = ClientVersion(Client.WEB_CHAT, "Web Chat 4.18.1")
MAIN: Final = ClientVersion(Client.WEB_CHAT, "Web Chat main (4.18.1-main.20251101)")
TEAMS: Final = ClientVersion(Client.TEAMS, "Microsoft Teams (documentation of September 2026)")
PLAYGROUND: Final = ClientVersion(Client.TEAMS, "Agents Playground 0.2.28")
MAIL: Final = ClientVersion(Client.EMAIL, "mail readers")

WEB_CHAT: Final = (STABLE, MAIN)
MARKDOWN: Final = (STABLE, MAIN, PLAYGROUND, MAIL)
"""Clients that show Markdown, in one of the engines that are read back."""

_REPOSITORY: Final = "https://github.com/microsoft/BotFramework-WebChat/blob/main"
CITATION_MD: Final = f"{_REPOSITORY}/docs/CITATION.md"
MESSAGE_TS: Final = f"{_REPOSITORY}/packages/core/src/utils/getOrgSchemaMessage.ts"
THING_TS: Final = f"{_REPOSITORY}/packages/core/src/types/external/OrgSchema/Thing.ts"
CLAIM_TS: Final = f"{_REPOSITORY}/packages/core/src/types/external/OrgSchema/Claim.ts"
BLANK_NODES_TS: Final = f"{_REPOSITORY}/packages/component/src/Utils/JSONLinkedData/dereferenceBlankNodes.ts"
TEXT_TSX: Final = f"{_REPOSITORY}/packages/component/src/Attachment/Text/private/MarkdownTextContent.tsx"
LABEL_TSX: Final = f"{_REPOSITORY}/packages/component/src/Attachment/Text/private/MessageSensitivityLabel.tsx"
RENDER_TS: Final = f"{_REPOSITORY}/packages/bundle/src/markdown/renderMarkdown.ts"
LINKS_TS: Final = f"{_REPOSITORY}/packages/bundle/src/markdown/private/betterLinkDocumentMod.ts"
MATH_TS: Final = f"{_REPOSITORY}/packages/bundle/src/markdown/mathExtension/tokenizer.ts"
NAMES_TS: Final = f"{_REPOSITORY}/packages/bundle/src/markdown/markdownItPlugins/ariaLabel.ts"
STREAM_TS: Final = f"{_REPOSITORY}/packages/core/src/utils/getActivityLivestreamingMetadata.ts"
VOTES_TSX: Final = f"{_REPOSITORY}/packages/component/src/ActivityFeedback/ActivityFeedback.tsx"
ACTIVITY_MD: Final = "https://github.com/microsoft/botframework-sdk/blob/main/specs/botframework-activity/botframework-activity.md"
COMMONMARK: Final = "https://spec.commonmark.org/0.31.2/"
JSON_LD: Final = "https://www.w3.org/TR/json-ld11/"
_TEAMS_PAGES: Final = "https://learn.microsoft.com/en-us/microsoftteams/platform/bots"
AI_PAGE: Final = f"{_TEAMS_PAGES}/how-to/bot-messages-ai-generated-content"
FORMAT_PAGE: Final = f"{_TEAMS_PAGES}/how-to/format-your-bot-messages"
STREAM_PAGE: Final = f"{_TEAMS_PAGES}/streaming-ux"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One row: what is wrong, for which clients, what their readers see, and how to mend it.

    ``wrong`` and ``mend`` have the problem's own values in braces. Together they are its message.
    ``source`` is where the rule is from: a URL, a report, or what was seen in the client itself.
    """

    code: str = ""
    """The key of its table."""
    clients: tuple[ClientVersion, ...] = WEB_CHAT
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


RuleTable: TypeAlias = Mapping[str, Rule]
"""Rules by their codes."""
teams_rule: Final = partial(Rule, clients=(TEAMS,))
playground_rule: Final = partial(Rule, clients=(TEAMS, PLAYGROUND))
"""A rule of Teams that the Agents Playground has, too."""
