"""The Schema.org graph of an answer, in the form of each client, and people's votes on the answer.

:func:`describe` writes the graph. :func:`read_vote` reads what a channel sends when a person votes.
"""

from __future__ import annotations

from ..stub import load_on_use

__getattr__, __dir__, __all__ = load_on_use(__name__)
