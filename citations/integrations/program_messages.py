"""A checked answer for programs that take no activity: a UI message stream of the AI SDK, or an A2A message.

Governing sources: ``packages/ai/src/ui-message-stream/ui-message-chunks.ts`` of vercel/ai; A2A 1.0,
"Message". An A2A message has no members for sources: its ``metadata`` have attributions and a label in the
form of ``copilotConversationResponseMessage`` (Microsoft 365 Copilot's Chat API).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from uuid import uuid4

from ..channels import email
from ..channels.shape import Channel
from ..labels.ranking import NO_CATALOGUE, LabelRanking, citation_labels, message_label
from ..model.citation import CitedAnswer
from ..model.link_definition import LinkDefinition
from ..model.reference import Reference
from ..model.rendering import Rendering
from ..model.sensitivity_label import SensitivityLabel
from ..renderer.renderings import Renderer

AI_SDK: Final = "ai-sdk"
A2A: Final = "a2a"
"""What these messages are called where a labels file names channels with a ceiling."""
_MEDIA_TYPE: Final = "application/octet-stream"
"""Of a document whose own is unknown: the AI SDK wants one (RFC 2046 § 4.5.1)."""


@dataclass(frozen=True, slots=True)
class _Source:
    position: int
    reference: Reference
    definition: LinkDefinition
    label: SensitivityLabel | None


def write_ui_message(
    cited: CitedAnswer, *, ranking: LabelRanking | None = None, live_hosts: frozenset[str] = frozenset()
) -> tuple[Rendering, list[dict[str, object]]]:
    """The chunks of a UI message stream, and the rendering, which has the problems.

    The text is Markdown, in which a badge is a link, ``[(1)](URL)``, or ``(1)`` for a source without one.
    The sources come before it, each with its position as ``sourceId``. A server sends each chunk as an
    event, then ``[DONE]``, with the header ``x-vercel-ai-ui-message-stream: v1``.
    """
    rendering, sources, _ = _render(AI_SDK, cited, ranking, live_hosts)
    chunks: list[dict[str, object]] = [
        {"type": "start"},
        *map(_write_source, sources),
        {"type": "text-start", "id": "answer"},
        {"type": "text-delta", "id": "answer", "delta": rendering.text},
        {"type": "text-end", "id": "answer"},
        {"type": "finish"},
    ]
    return rendering, chunks


def write_a2a_message(
    cited: CitedAnswer, *, ranking: LabelRanking | None = None, live_hosts: frozenset[str] = frozenset()
) -> tuple[Rendering, dict[str, object]]:
    """The message of an agent, and the rendering, which has the problems. Badges are links, as above."""
    rendering, sources, label = _render(A2A, cited, ranking, live_hosts)
    metadata: dict[str, object] = {"attributions": list(map(_write_attribution, sources))}
    if label:
        metadata["sensitivityLabel"] = _write_label(label)
    return rendering, {
        "role": "ROLE_AGENT",
        "messageId": str(uuid4()),
        "parts": [{"text": rendering.text, "mediaType": "text/markdown"}],
        "metadata": metadata,
    }


def _render(
    name: str, cited: CitedAnswer, ranking: LabelRanking | None, live_hosts: frozenset[str]
) -> tuple[Rendering, tuple[_Source, ...], SensitivityLabel | None]:
    # The answer alone: its sources are beside it.
    shape = Channel(name, "markdown", None, email.write, lambda body, *_: body, opens_pages=True)
    renderer = Renderer(shape, ranking, live_hosts, None)
    shown = renderer.prepare(cited)
    known = ranking or NO_CATALOGUE
    described = zip(shown.citations, renderer.define(shown), citation_labels(shown, known), strict=True)
    sources = tuple(
        _Source(one.position, one.reference, definition, label) for one, definition, label in described
    )
    return renderer.finish(shown, renderer.write(shown)), sources, message_label(cited, known)


def _write_source(source: _Source) -> dict[str, object]:
    definition = source.definition
    found: dict[str, object] = {"sourceId": str(source.position), "title": definition.title}
    if definition.is_url:
        found = {"type": "source-url", "url": definition.destination, **found}
    else:
        found = {"type": "source-document", "mediaType": source.reference.media_type or _MEDIA_TYPE, **found}
    about = dict(_describe(source))
    return {**found, "providerMetadata": {"citations": about}} if about else found


def _describe(source: _Source) -> Iterator[tuple[str, object]]:
    if source.reference.text:
        yield "text", source.reference.text
    if source.label:
        yield "sensitivityLabel", _write_label(source.label)


def _write_attribution(source: _Source) -> dict[str, object]:
    definition = source.definition
    return {
        "attributionType": "citation",
        "attributionSource": "grounding",
        "providerDisplayName": definition.title,
        **({"seeMoreWebUrl": definition.destination} if definition.is_url else {}),
    }


def _write_label(label: SensitivityLabel) -> dict[str, object]:
    """A label as Microsoft Graph's ``searchSensitivityLabelInfo``."""
    found = {
        "sensitivityLabelId": label.id,
        "displayName": label.name,
        "tooltip": label.description,
        "priority": label.priority,
        "color": label.color,
        "isEncrypted": label.encrypted,
    }
    return {name: value for name, value in found.items() if value is not None}
