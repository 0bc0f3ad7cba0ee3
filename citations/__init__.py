"""Turn an answer with markers or spans into text and a Schema.org graph that agree with each other.

:func:`cite` finds the markers, places the spans and numbers the sources. :func:`render` writes the text
and the graph for a channel. :func:`read_message` reads any bot's activity, so that it can be rendered for
another channel. :func:`check` finds the problems of any activity. Here are the names that most programs
need. The packages have the others:

- :mod:`.readers`: a provider's response or stream becomes an :class:`Answer` or its events.
- :mod:`.markers`: markers, spans, the positions of sources, and the sources of an answer without either.
- :mod:`.doubts`: numbers, quotations and sources that do not fit what is cited.
- :mod:`.labels`: sensitivity labels and the rules that give them.
- :mod:`.graph`: the Schema.org graph and the events of votes.
- :mod:`.channels`: how each channel writes text, and its limits.
- :mod:`.renderer`: whole and streamed renderings, and quotations.
- :mod:`.markdown`: what CommonMark sees in a text, and how a text is sanitized.
- :mod:`.checks`: the problems of an activity, for each client.
- :mod:`.activities`: any bot's activity as an answer.
- :mod:`.model` and :mod:`.text`: values, and plain text.

>>> from citations import Answer, Reference, channel, cite, render
>>> proxy = Reference(id="1", name="Proxy settings", url="https://example.com/proxy")
>>> rendering = render(cite(Answer(text="Set a proxy [1].", references=(proxy,))), channel("webchat"))
>>> print(rendering.text)
Set a proxy [1].
<BLANKLINE>
[1]: https://example.com/proxy "Proxy settings"
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .loading import load_on_use

if TYPE_CHECKING:
    from .activities import read_message
    from .channels import Channel, channel
    from .checks import check
    from .graph import read_vote
    from .labels import LabelRanking, SensitivityLabel
    from .markers import cite
    from .model import (
        Answer,
        AnswerEvent,
        AnswerFormatError,
        AnswerKind,
        Citation,
        CitationError,
        CitedAnswer,
        Cut,
        Dialect,
        EventStreamError,
        LabelFormatError,
        Origin,
        OriginKnown,
        Problem,
        QueryKnown,
        Reference,
        ReferencesFound,
        Rendering,
        SourceCode,
        Span,
        SpanFound,
        TextCut,
        TextDelta,
        TextReplaced,
        Wording,
    )
    from .readers import read_answer, read_llamaindex, read_open_webui, read_writer
    from .renderer import RenderingStream, quote, render

__all__ = [
    "Answer",
    "AnswerEvent",
    "AnswerFormatError",
    "AnswerKind",
    "Channel",
    "Citation",
    "CitationError",
    "CitedAnswer",
    "Cut",
    "Dialect",
    "EventStreamError",
    "LabelFormatError",
    "LabelRanking",
    "Origin",
    "OriginKnown",
    "Problem",
    "QueryKnown",
    "Reference",
    "ReferencesFound",
    "Rendering",
    "RenderingStream",
    "SensitivityLabel",
    "SourceCode",
    "Span",
    "SpanFound",
    "TextCut",
    "TextDelta",
    "TextReplaced",
    "Wording",
    "channel",
    "check",
    "cite",
    "quote",
    "read_answer",
    "read_llamaindex",
    "read_message",
    "read_open_webui",
    "read_vote",
    "read_writer",
    "render",
]

_NAMES: Final = {
    "activities": "read_message",
    "channels": "Channel channel",
    "checks": "check",
    "graph": "read_vote",
    "labels": "LabelRanking SensitivityLabel",
    "markers": "cite",
    "model": """
        Answer AnswerEvent AnswerFormatError AnswerKind Citation CitationError CitedAnswer Cut Dialect
        EventStreamError LabelFormatError Origin OriginKnown Problem QueryKnown Reference ReferencesFound
        Rendering SourceCode Span SpanFound TextCut TextDelta TextReplaced Wording
    """,
    "readers": "read_answer read_llamaindex read_open_webui read_writer",
    "renderer": "RenderingStream quote render",
    "doubts": "",
    "markdown": "",
    "text": "",
}
"""The names of each package that are also names of ``citations``."""

if not TYPE_CHECKING:  # a type checker would accept any name
    __getattr__ = load_on_use(__name__, _NAMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_NAMES})
