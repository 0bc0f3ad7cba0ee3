# The public names, each with its module, which is loaded when one of them is used first.

from .controls import printable as printable
from .controls import printable_json as printable_json
from .controls import printable_lines as printable_lines
from .controls import without_turns as without_turns
from .encoding import BYTE_ORDER_MARKS as BYTE_ORDER_MARKS
from .encoding import SURROGATE as SURROGATE
from .encoding import decode_text as decode_text
from .gsm import Segments as Segments
from .gsm import sms_segments as sms_segments
from .name import clean_spelling as clean_spelling
from .name import did_you_mean as did_you_mean
from .name import fold_loosely as fold_loosely
from .name import fold_name as fold_name
from .name import nearest as nearest
from .small_digits import SMALL_DIGITS as SMALL_DIGITS
