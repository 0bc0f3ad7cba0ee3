"""Conversations: each message gets one reply, whatever fails.

:mod:`.handler` gets each activity, :mod:`.activity_log` drops duplicates, and :mod:`.question` reads what is
asked. :mod:`.delivery` gives a question a ticket of :mod:`.queue` and a task, which :mod:`.turns` runs within
its request or after it. The task is an answer (:mod:`.answer_task` explains how it works, with its
:mod:`.answer_reader` and :mod:`.answer_presenter`) or a follow-up (:mod:`.follow_up_task`). An
:mod:`.outcome` says why an answer broke off, and :mod:`.outbox` keeps what no channel took.
"""

from __future__ import annotations

from .delivery import Delivery

__all__ = ["Delivery"]
