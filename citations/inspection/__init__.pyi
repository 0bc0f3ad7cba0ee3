# The public names, each with its module, which is loaded when one of them is used first.

from . import activities as activities
from . import checks as checks
from .activities import BadgeReader as BadgeReader
from .activities import read_activity as read_activity
from .activities import read_message as read_message
from .checks import CLIENTS as CLIENTS
from .checks import MAX_BYTES as MAX_BYTES
from .checks import MAX_DEPTH as MAX_DEPTH
from .checks import RULES as RULES
from .checks import rules_of as rules_of
from .outcome import Definition as Definition
from .outcome import LeafBlock as LeafBlock
from .outcome import Link as Link
from .outcome import MarkdownReading as MarkdownReading
from .outcome import read_leaves as read_leaves
from .outcome import read_markdown as read_markdown
from .problems import check as check
from .problems import check_transcript as check_transcript
