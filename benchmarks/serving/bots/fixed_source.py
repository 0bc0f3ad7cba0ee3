"""An answer source that always says the same, at once: the sample of Web Chat's CITATION.md."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Final

from bot.sources import AnswerSource
from citations import AnswerEvent, LabelRanking, Reference, ReferencesFound, TextDelta

TEXT: Final = (
    "Sure, you should override the default proxy settings[1][2], "
    "when your proxy server requires authentication[3]."
)
REFERENCES: Final = (
    Reference(
        id="1",
        name="Use a proxy server in Windows",
        url="https://support.microsoft.com/en-us/windows/use-a-proxy-server-in-windows-03096c53-0554-4ffe-b6ab-8b1deee8dae1",
        media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        label="general",
    ),
    Reference(
        id="2",
        name="Configure proxy server settings - Windows Server",
        url="https://learn.microsoft.com/en-us/troubleshoot/windows-server/networking/configure-proxy-server-settings",
        media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        modified="2024-03-01T15:56:27.000-0800",
        editor="William Wong",
    ),
    Reference(
        id="3",
        name="Sample Citation From File",
        text="Aute Lorem id laboris Lorem do dolor mollit. Officia dolore dolor do culpa nostrud velit "
        "officia magna ut aute pariatur excepteur ut cupidatat.",
        media_type="text/markdown",
        label="confidential",
    ),
)
LABELS: Final = LabelRanking.from_toml("""
[[label]]
id = "general"
name = "General"
priority = 0

[[label]]
id = "confidential"
name = 'Confidential\\Any User (No Protection)'
priority = 1
color = "orange"
description = "Data is classified as Confidential but is NOT PROTECTED to allow access by approved NDA business partners. If a higher level of protection is needed please change the sensitivity level of the cited content."
""")  # noqa: E501 - as the sample has it


class FixedSource(AnswerSource):
    """Answers whatever is asked with :data:`TEXT`."""

    title = "Proxy settings"

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:  # noqa: ARG002
        yield ReferencesFound(REFERENCES)
        yield TextDelta(TEXT)
