# The public names, each with its module, which is loaded when one of them is used first.

from ..model.answer import answer_of as answer_of
from ..model.answer import text_of as text_of
from .ai_sdk import AiSdkStream as AiSdkStream
from .ai_sdk import read_ai_sdk as read_ai_sdk
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
from .answer_stream import whole_answer as whole_answer
from .anthropic import AnthropicStream as AnthropicStream
from .anthropic import read_anthropic as read_anthropic
from .azure_on_your_data import (
    AzureOnYourDataStream as AzureOnYourDataStream,
)
from .azure_on_your_data import (
    read_azure_on_your_data as read_azure_on_your_data,
)
from .azure_search import AzureSearchStream as AzureSearchStream
from .azure_search import read_azure_search as read_azure_search
from .bedrock import BedrockStream as BedrockStream
from .bedrock import read_bedrock as read_bedrock
from .chat_completion import finish_reason_of as finish_reason_of
from .cohere import CohereStream as CohereStream
from .cohere import read_cohere as read_cohere
from .copilot_chat import CopilotChatStream as CopilotChatStream
from .copilot_chat import read_copilot_chat as read_copilot_chat
from .copilot_retrieval import read_retrieval_hits as read_retrieval_hits
from .formats import (
    FORMATS as FORMATS,
)
from .formats import (
    READERS as READERS,
)
from .formats import (
    STREAM_READERS as STREAM_READERS,
)
from .formats import (
    ProviderFormat as ProviderFormat,
)
from .gemini import GeminiStream as GeminiStream
from .gemini import read_gemini as read_gemini
from .json_stream import JsonEvents as JsonEvents
from .langchain import LangChainStream as LangChainStream
from .langchain import read_langchain as read_langchain
from .llamaindex import (
    LlamaIndexLines as LlamaIndexLines,
)
from .llamaindex import (
    LlamaIndexStream as LlamaIndexStream,
)
from .llamaindex import (
    read_llamaindex as read_llamaindex,
)
from .mistral import MistralStream as MistralStream
from .mistral import read_mistral as read_mistral
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
from .open_webui import (
    OpenWebUIStream as OpenWebUIStream,
)
from .open_webui import (
    read_open_webui as read_open_webui,
)
from .openai import OpenAIStream as OpenAIStream
from .openai import read_openai as read_openai
from .perplexity import PerplexityStream as PerplexityStream
from .perplexity import read_perplexity as read_perplexity
from .ragflow import RagflowStream as RagflowStream
from .ragflow import read_ragflow as read_ragflow
from .sse import ServerSentEvent as ServerSentEvent
from .sse import ServerSentEvents as ServerSentEvents
from .surrogates import SurrogatePairs as SurrogatePairs
from .thoughts import VisibleText as VisibleText
from .thoughts import hide_thoughts as hide_thoughts
from .writer import read_writer as read_writer

__all__: list[str]
