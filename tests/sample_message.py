"""The sample of Microsoft's documentation: its sources, its labels, its text and its graph."""

from __future__ import annotations

from pathlib import Path

from citations import LabelRanking, Origin, Reference, SensitivityLabel

SAMPLE = Path(__file__).parent / "corpus" / "sample" / "message.json"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


ORIGIN = Origin(
    slogan="Surfaced with Azure OpenAI",
    url="https://www.microsoft.com/en-us/ai/responsible-ai",
    generated=True,
)


PASSAGE = (
    "Aute Lorem id laboris Lorem do dolor mollit. Officia dolore dolor do culpa nostrud velit officia "
    "magna ut aute pariatur excepteur ut cupidatat."
)


RANKING = LabelRanking(
    labels=(
        SensitivityLabel(id="general", name="General", priority=0),
        SensitivityLabel(
            id="confidential",
            name="Confidential\\Any User (No Protection)",
            priority=1,
            description="Data is classified as Confidential but is NOT PROTECTED to allow access by "
            "approved NDA business partners. If a higher level of protection is needed please change the "
            "sensitivity level of the cited content.",
            color="orange",
            encrypted=True,
        ),
        SensitivityLabel(id="secret", name="Secret", priority=2, color="url(https://evil.example/css)"),
    )
)


SOURCES = (
    Reference(
        id="1",
        name="Use a proxy server in Windows",
        url="https://support.microsoft.com/en-us/windows/"
        "use-a-proxy-server-in-windows-03096c53-0554-4ffe-b6ab-8b1deee8dae1",
        media_type=DOCX,
        label="general",
    ),
    Reference(
        id="2",
        name="Configure proxy server settings - Windows Server",
        url="https://learn.microsoft.com/en-us/troubleshoot/windows-server/networking/configure-proxy-server-settings",
        media_type=DOCX,
        modified="2024-03-01T15:56:27.000-0800",
        editor="William Wong",
    ),
    Reference(
        id="3",
        name="Sample Citation From File",
        text=PASSAGE,
        media_type="text/markdown",
        label="confidential",
        extract=True,
    ),
)
