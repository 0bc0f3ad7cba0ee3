# The public names, each with its module, which is loaded when one of them is used first.

from ..model.answer_event import answer_of as answer_of
from ..model.answer_event import text_of as text_of
from ..text.encoding import SurrogatePairs as SurrogatePairs
from .anchor import (
    OffsetUnit as OffsetUnit,
)
from .anchor import (
    TextRange as TextRange,
)
from .anchor import (
    anchor_words as anchor_words,
)
from .anchor import (
    not_placed as not_placed,
)
from .anchor import (
    place_span as place_span,
)
from .answer_stream import AnswerStream as AnswerStream
from .chat_completion import finish_reason_of as finish_reason_of
from .copilot_retrieval import read_retrieval_hits as read_retrieval_hits
from .formats import (
    FORMATS as FORMATS,
)
from .formats import (
    ProviderFormat as ProviderFormat,
)
from .json_stream import JsonEvents as JsonEvents
from .llamaindex import (
    LlamaIndexLines as LlamaIndexLines,
)
from .neutral import (
    read_answer as read_answer,
)
from .neutral import (
    read_documents as read_documents,
)
from .neutral import (
    write_answer as write_answer,
)
from .numbered_chat import ChatCompletionEvents as ChatCompletionEvents
from .open_webui import (
    OpenWebUIEvents as OpenWebUIEvents,
)
from .sse import ServerSentEvent as ServerSentEvent
from .sse import ServerSentEvents as ServerSentEvents
from .thoughts import VisibleText as VisibleText
from .thoughts import hide_thoughts as hide_thoughts

__all__: list[str]
