"""This module puts a line before the text of an answer, such as how its question was understood."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator

from citations import AnswerEvent, TextDelta, TextReplaced


async def prepend_notice(
    events: AsyncGenerator[AnswerEvent, None], notice: str
) -> AsyncGenerator[AnswerEvent, None]:
    """Yield the events of an answer, with the Markdown paragraph ``notice`` before its first text.

    An answer without a text gets no notice, and neither does any answer if ``notice`` is empty.
    """
    begun = not notice
    async with contextlib.aclosing(events):
        async for event in events:
            if isinstance(event, TextReplaced) and event.text and notice:
                begun = True
                yield TextReplaced(f"{notice}\n\n{event.text}")
                continue
            if not begun and isinstance(event, TextDelta) and event.text:
                begun = True
                yield TextDelta(f"{notice}\n\n")
            yield event
