"""This module puts a line before the text of an answer, such as how its question was understood."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from dataclasses import replace

from citations import AnswerEvent, SpanFound, TextDelta, TextReplaced


async def prepend_notice(
    events: AsyncGenerator[AnswerEvent, None], notice: str
) -> AsyncGenerator[AnswerEvent, None]:
    """Yield the events of an answer, with the Markdown paragraph ``notice`` before its first text.

    An answer without a text gets no notice, and neither does any answer if ``notice`` is empty.
    """
    above = f"{notice}\n\n" if notice else ""
    begun = False
    async with contextlib.aclosing(events):
        async for event in events:
            match event:
                case TextReplaced(text):
                    begun = bool(text)
                    yield TextReplaced(f"{above}{text}" if text else "")
                case TextDelta(text) if text and not begun:
                    begun = True
                    yield TextDelta(f"{above}{text}")
                case SpanFound(start, end):
                    yield replace(event, start=start + len(above), end=end + len(above))
                case _:
                    yield event
