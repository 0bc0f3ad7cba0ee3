"""Handles conversations: each message gets one reply, even where something fails.

:mod:`.handler` gets each activity. :mod:`.activity_log` drops duplicates, and :mod:`.question` extracts the
question. :mod:`.delivery` gives a question a ticket of :mod:`.queue` and a task. :mod:`.turns` runs the task
within its request or after it. :mod:`.answer_task` explains how it works, with its :mod:`.answer_reader`
and :mod:`.answer_presenter`. An :mod:`.outcome` is the reason why an answer ended early.
:mod:`.outbox` stores what no channel accepted.
"""

from __future__ import annotations

from .delivery import Delivery

__all__ = ["Delivery"]
