# The public names, each with its module, which is loaded when one of them is used first.

from .label_ceiling import withholds_any as withholds_any
from .quotation import Quotation as Quotation
from .quotation import list_sources as list_sources
from .quotation import quote as quote
from .renderings import render as render
