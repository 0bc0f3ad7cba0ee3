# The public names, each with its package, which is loaded when one of them is used first.

from . import doubts as doubts
from . import markdown as markdown
from . import text as text
from .channels import Channel as Channel
from .channels import channel as channel
from .graph import read_vote as read_vote
from .inspection import check as check
from .inspection import read_message as read_message
from .labels import LabelRanking as LabelRanking
from .labels import SensitivityLabel as SensitivityLabel
from .markers import cite as cite
from .model import (
    Answer as Answer,
)
from .model import (
    AnswerEvent as AnswerEvent,
)
from .model import (
    AnswerFormatError as AnswerFormatError,
)
from .model import (
    AnswerKind as AnswerKind,
)
from .model import (
    Citation as Citation,
)
from .model import (
    CitationError as CitationError,
)
from .model import (
    CitedAnswer as CitedAnswer,
)
from .model import (
    Cut as Cut,
)
from .model import (
    Dialect as Dialect,
)
from .model import (
    EventStreamError as EventStreamError,
)
from .model import (
    LabelFormatError as LabelFormatError,
)
from .model import (
    Origin as Origin,
)
from .model import (
    OriginKnown as OriginKnown,
)
from .model import (
    Problem as Problem,
)
from .model import (
    QueryKnown as QueryKnown,
)
from .model import (
    Reference as Reference,
)
from .model import (
    ReferencesFound as ReferencesFound,
)
from .model import (
    Rendering as Rendering,
)
from .model import (
    SourceCode as SourceCode,
)
from .model import (
    Span as Span,
)
from .model import (
    SpanFound as SpanFound,
)
from .model import (
    TextCut as TextCut,
)
from .model import (
    TextDelta as TextDelta,
)
from .model import (
    TextReplaced as TextReplaced,
)
from .model import (
    Wording as Wording,
)
from .readers import (
    read_answer as read_answer,
)
from .renderer import quote as quote
from .renderer import render as render
from .streaming import RenderingStream as RenderingStream

__all__: list[str]
