"""One answer into one conversation, and never nothing.

A question has a place in the order of arrival (:mod:`.admission`), and what is said to it is said in
its turn or after it (:mod:`.turns`). That is an answer (:mod:`.answering`): read from its source
(:mod:`.reading`), shown as far as it is written (:mod:`.showing`, :mod:`.livestream`,
:mod:`.continued`), and sent (:mod:`.final`). Or it is more of the last one (:mod:`.following_up`).
:mod:`.ending` is why an answer breaks off, :mod:`.channel_refusal` why a channel takes none, and
:mod:`.undelivered` keeps what none has taken.
"""

from __future__ import annotations

from .delivery import Delivery

__all__ = ["Delivery"]
