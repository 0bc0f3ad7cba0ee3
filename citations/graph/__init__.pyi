# The public names, each with its module, which is loaded when one of them is used first.

from .feedback import VOTE_EVENT as VOTE_EVENT
from .feedback import VOTE_INVOKE as VOTE_INVOKE
from .feedback import Reaction as Reaction
from .feedback import Vote as Vote
from .feedback import read_vote as read_vote
from .message import describe as describe
from .schema_org import CARD_TYPE as CARD_TYPE
from .schema_org import Graph as Graph
