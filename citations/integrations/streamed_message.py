"""A message that the Agents SDK streams: each of its activities has all text so far."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final

from ..channels import Channel, InterimMode
from ..labels.ranking import LabelRanking
from ..model.answer_event import ReferencesFound, TextDelta
from ..model.reference import Reference
from ..model.rendering import Rendering
from ..renderer import render
from ..streaming import RenderingStream
from .turn_messages import Cites, cite_message, references_of

_MAY_CHANGE: Final = re.compile(r"\[(?:d|do|docs?\d*)?\Z", re.IGNORECASE)
"""The end of a text that the SDK may still change: it writes ``[1]`` for ``[doc1]`` once that is whole."""


class StreamedMessage:
    """Shows as much of a message as can't change, if its references were left before its first chunk.

    A stream whose references come later is shown as it is, unless a label may withhold it: then nothing is
    shown before its final. The final gets its citations, but where they would change text that Teams has
    shown. There it has the labels alone.
    """

    def __init__(self, channel: Channel, ranking: LabelRanking | None, live_hosts: frozenset[str]) -> None:
        self.channel = channel
        self._ranking = ranking
        self._live_hosts = live_hosts
        self._stream: RenderingStream | None = None
        self._fed = ""
        self._interim: Rendering | None = None
        self._shown = ""
        """The text that was shown as it is."""
        self.references: tuple[Reference, ...] | None = None
        self._broken = False
        self.sent = 0
        """The number of activities that were sent."""

    def add(self, cites: Cites | None) -> None:
        """Add references. An empty list says that they will follow."""
        if not self._shown and self._stream is None:
            self._stream = RenderingStream(self.channel, ranking=self._ranking, live_hosts=self._live_hosts)
        references = references_of(cites)
        self.references = (*(self.references or ()), *references)
        if self._stream:
            self._stream.feed(ReferencesFound(references, complete=bool(references)))

    def show(self, text: str) -> Rendering | None:
        """The rendering of a chunk; None where the chunk is shown as it is. It may have no text yet."""
        if self._stream is None and not self._may_withhold:
            self._shown = text
            return None
        if self._stream:
            self._feed(_MAY_CHANGE.sub("", text))
            self._interim = self._stream.interim() or self._interim
        return self._interim or Rendering(text="", text_format=self.channel.text_format)

    def break_off(self) -> None:
        """Note that the text ends too early. What a label may withhold needs references even then."""
        self._broken = True
        if self._may_withhold and self._stream is None:
            self.add(())

    def close(self, text: str) -> Rendering | None:
        """The rendering of the final; None where it is sent as it is."""
        if self._stream:
            self._feed(text)
            return self._stream.interrupt("") if self._broken else self._stream.close()
        self._fed = text
        if self.references is None:
            return None
        cited = cite_message(text, self.references)
        whole = render(cited, self.channel, ranking=self._ranking, live_hosts=self._live_hosts)
        # Teams, "Stream bot messages": the final begins with what was shown, or is refused.
        if self.channel.interim is InterimMode.APPEND_ONLY and not whole.text.startswith(self._shown):
            nodes = ({name: node[name] for name in node if name != "citation"} for node in whole.entities)
            return replace(whole, text=text, entities=tuple(nodes))
        return whole

    def is_in(self, activity: Any) -> bool:
        """Whether a message has the text so far: the SDK sends one if the channel ends the stream."""
        return activity.type == "message" and bool(self._fed) and (activity.text or "").startswith(self._fed)

    @property
    def _may_withhold(self) -> bool:
        return bool(self._ranking and self._ranking.may_withhold(self.channel.id))

    def _feed(self, text: str) -> None:
        if self._stream:
            self._stream.feed(TextDelta(text[len(self._fed) :]))
        self._fed = text
