# The public names, each with its module, which is loaded when one of them is used first.

from .growing_text import MAX_HELD as MAX_HELD
from .interim_text import KEPT as KEPT
from .label_ceiling import withholds_any as withholds_any
from .quotation import Quotation as Quotation
from .quotation import list_sources as list_sources
from .quotation import quote as quote
from .remarks import Remark as Remark
from .renderings import render as render
from .stream import RenderingStream as RenderingStream
