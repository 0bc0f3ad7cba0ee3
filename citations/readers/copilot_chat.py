"""Microsoft 365 Copilot's Chat API: markers ``[^1^]`` number the attributions that are citations.

Governing source: Microsoft 365 Copilot APIs, ``copilotConversationResponseMessage`` and "chatOverStream". Its
events are the conversation, whose message grows. A label is that of the whole message. Copilot itself shows
people nothing that they may not extract (Microsoft Purview, "Considerations for Microsoft 365 Copilot").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..model.answer import Dialect
from ..model.answer_event import AnswerEvent, ReferencesFound
from ..model.reference import Reference
from .chat_completion import ChatText
from .conversion import new_references
from .loose_json import Members, inner, member, objects, text, title
from .purview_label import read_purview_label
from .shaped_events import ShapedEvents, ShapeReader
from .source_address import describe_source

_TAGGED: Final = re.compile(r"<(?P<kind>[A-Z][A-Za-z]{1,20})>(?P<words>[^<>]*)</(?P=kind)>")
"""An annotated name: ``<Person>John Doe</Person>``."""
_OPEN: Final = re.compile(r"<(?:[A-Z][A-Za-z]{0,20}(?:>[^<>]*(?:</?[A-Za-z]{0,20})?)?)?\Z")
"""What may become one."""


class CopilotChatEvents(ShapedEvents):
    """Reads a ``copilotConversation``, the response to ``/chat``: the answer is its last message.

    Raises :class:`AnswerFormatError`.
    """

    def __init__(self) -> None:
        super().__init__("copilot-chat", lambda _: _CopilotReader(), dialect=Dialect.NUMBERED)


class _CopilotReader(ShapeReader):
    provider = "Microsoft 365 Copilot"
    dialect = Dialect.NUMBERED

    def __init__(self) -> None:
        super().__init__()
        self._text = ChatText()
        self._found: set[Reference] = set()
        self._held = ""

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one state of the conversation, whose last message is the answer so far."""
        messages = list(objects(member(data, "messages")))
        if not messages or not (whole := text(messages[-1], "text")):
            return
        message = messages[-1]
        # Until it is finished, a state has the answer alone; then the question stands before it.
        self.finish.note("stop" if messages[1:] else None)
        label = read_purview_label(inner(message, "sensitivity_label"))
        own = (Reference(id="message", label=label, extract=True, ordinal=True),) if label else ()
        if new := new_references((*_references(message), *own), self._found):
            yield ReferencesFound(new)
        named = _TAGGED.sub(r"\g<words>", whole)
        shown = _OPEN.sub("", named)
        self._held = named[len(shown) :]
        yield from self._text.replace(shown)

    def close(self) -> Iterator[AnswerEvent]:
        """The text that was held back, because it might have become a name."""
        yield from self._text.add(self._held)
        yield from self._text.close()


def _references(message: Members) -> Iterator[Reference]:
    """The attributions that are citations, in their order, which the markers count."""
    cited = (
        one for one in objects(member(message, "attributions")) if text(one, "attribution_type") == "citation"
    )
    return (
        describe_source(
            text(one, "see_more_web_url").strip(),
            title(one, "provider_display_name"),
            key=str(number),
            ordinal=True,
        )
        for number, one in enumerate(cited, 1)
    )
