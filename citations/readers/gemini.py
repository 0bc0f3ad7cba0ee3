"""Google's answers with citations: Gemini and Vertex AI, Interactions, and Vertex AI Search.

They are told apart by their shape. REST has camel case, the Python SDK snake case. Offsets are documented as
bytes of UTF-8, and wrong in some answers, so words are found by themselves where Google sends them.

Governing sources: Gemini API reference, ``GroundingMetadata``; google-genai's types of Interactions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..model.answer import AnswerKind
from ..model.answer_event import AnswerEvent, KindKnown
from .grounding import cite_grounding, grounding_sources, retrieved_sources
from .interaction import InteractionReader
from .loose_json import Members, inner, items, member, number, objects, text
from .shaped_events import PlaceReader, ShapedEvents, ShapeReader
from .spanned_text import TextPart
from .vertex_search import VertexSearchReader

_SEARCH_FIELDS: Final = ("answer", "answerText", "answer_text", "claims", "summary")
_INTERACTION_FIELDS: Final = ("steps", "outputs", "interaction", "event_type", "step", "delta")


class GeminiEvents(ShapedEvents):
    """Reads a response of ``generateContent``, an interaction, or an answer of Vertex AI Search.

    ``data`` may also be an array of a stream's responses or events. Raises :class:`AnswerFormatError`.
    """

    def __init__(self) -> None:
        super().__init__("gemini", _reader_of)


def _reader_of(data: Members) -> ShapeReader:
    if "candidates" not in data:
        if not data.keys().isdisjoint(_SEARCH_FIELDS):
            return VertexSearchReader()
        if not data.keys().isdisjoint(_INTERACTION_FIELDS) or text(data, "object") == "interaction":
            return InteractionReader()
    return GroundedTextReader()


_CUTS: Final = {2: "max_tokens", 3: "safety", 4: "recitation"}
"""Values of the enumeration ``FinishReason``, which some programs save."""


class GroundedTextReader(PlaceReader):
    """One answer of ``generateContent``. The metadata of a stream come once, on one of its last chunks."""

    provider = "Gemini"

    def __init__(self) -> None:
        super().__init__()
        self._all = TextPart(0)
        """The text of the whole answer, from whose start a stream's offsets count."""
        self._parts: list[TextPart] = []
        self._grounding: list[Members] = []
        self._chunks = 0
        self._is_piece = False
        """Whether the last event of the Agent Development Kit was a piece of its text."""

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one response."""
        # Batches and some SDKs put the response into another object.
        data = inner(data, "response") if "candidates" not in data and "response" in data else data
        candidates = items(member(data, "candidates"))
        # An event of the Agent Development Kit has the fields of a candidate.
        candidate = self.finish.follow(candidates) if candidates else data
        content = member(candidate, "content")
        if text(content, "role") == "user":
            return
        reason = member(candidate, "finish_reason")
        if isinstance(reason, int) and reason:
            reason = _CUTS.get(reason, "stop")
        if reason in ("STOP", "stop") and any(
            member(one, "function_call") for one in objects(member(content, "parts"))
        ):
            reason = "function_call"
        self.finish.note(reason if isinstance(reason, str) else None)
        if text(inner(data, "prompt_feedback"), "block_reason"):
            self.finish.note("content_filter")
        self._chunks += 1
        self._parts = []
        parts = member(content, "parts")
        if not isinstance(parts, list | tuple):
            parts = [{"text": content} if isinstance(content, str) else content]
        # Behind the pieces of a stream, the Agent Development Kit repeats all of the text.
        if not (self._is_piece and member(data, "partial") is not True):
            for part in objects(parts):
                yield from self._read_part(part)
        self._is_piece = member(data, "partial") is True
        if grounding := inner(candidate, "grounding_metadata"):
            self._grounding.append(grounding)
        read = retrieved_sources(inner(candidate, "url_context_metadata"))
        yield from self._answer.find(list(grounding_sources(grounding)) or read)

    def close(self) -> Iterator[AnswerEvent]:
        """The citations. They come behind the text, because only then their words can be found."""
        yield from super().close()
        if self.finish.pictured and not self._answer.length:
            yield KindKnown(AnswerKind.ANSWERED)
        for grounding in self._grounding:
            yield from cite_grounding(self._answer, grounding, self._part_of, self._all)

    def _read_part(self, part: Members) -> Iterator[AnswerEvent]:
        said = text(part, "text")
        self.finish.pictured |= text(inner(part, "inline_data", "file_data"), "mime_type").startswith(
            "image/"
        )
        self._parts.append(TextPart(self._all.length))
        if said and member(part, "thought") is not True:
            self._parts[-1].add(said)
            self._all.add(said)
            yield from self._answer.add(said)

    def _part_of(self, segment: Members) -> TextPart:
        """The part that a segment counts in. A missing ``partIndex`` is 0, also where that is a thought."""
        index = number(segment, "part_index") or 0
        if self._chunks > 1 or not 0 <= index < len(self._parts) or not self._parts[index].length:
            return self._all
        return self._parts[index]
