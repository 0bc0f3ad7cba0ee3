"""The Schema.org graph of an answer, in the form of each client, and people's votes on the answer.

:func:`describe` writes the graph. :func:`read_vote` reads what a channel sends when a person votes.
"""

from __future__ import annotations

from .feedback import VOTE_EVENT, VOTE_INVOKE, Reaction, Vote, read_vote
from .message import describe
from .schema_org import Graph

__all__ = ["VOTE_EVENT", "VOTE_INVOKE", "Graph", "Reaction", "Vote", "describe", "read_vote"]
