# The public names, each with its module, which is loaded when one of them is used first.

from .growing_text import MAX_HELD as MAX_HELD
from .interim_text import KEPT as KEPT
from .remarks import Remark as Remark
from .stream import RenderingStream as RenderingStream
