"""One answer into one conversation, whatever fails.

A question gets a place (:mod:`.admission`), and is said in a turn or after it (:mod:`.turns`): as an answer
(:mod:`.answering`) that is read from its source (:mod:`.reading`), shown while it is written
(:mod:`.livestream`, :mod:`.continued`) and sent as a whole (:mod:`.final`), or as more of the last one
(:mod:`.following_up`). :mod:`.ending` is why there isn't more, :mod:`.channel_refusal` why a channel did not
take it.
"""

from __future__ import annotations

from .delivery import Delivery

__all__ = ["Delivery"]
