# The public names, each with its module, which is loaded when one of them is used first.

from .citation_stream import CitationStream as CitationStream
from .citation_stream import cite as cite
from .source_identity import distinct_sources as distinct_sources
from .source_list import AnswerSoFar as AnswerSoFar
from .source_list import list_uncited as list_uncited
