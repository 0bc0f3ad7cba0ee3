"""Citations for bots on Microsoft's Teams SDK (``pip install '…[teams]'``).

No handler of this SDK sees what a bot sends. So a message is cited where it is sent::

    await ctx.send(cited_message("Set a proxy [1].", [Reference(id="1", name="Proxy settings", url="https://…")]))
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from microsoft_teams.api import MessageActivity, MessageActivityInput, MessageEntity
from microsoft_teams.apps import FastAPIAdapter
from microsoft_teams.apps.plugins.streamer import StreamerProtocol

from ..channels import Channel, channel
from ..labels.ranking import LabelRanking
from ..model.answer_event import AnswerEvent, ReferencesFound, TextDelta
from ..model.rendering import Rendering
from ..renderer import render
from ..streaming import RenderingStream
from .content import clear_content, join_graph, set_graph_aside
from .turn_messages import Cites, cite_message, references_of

__all__ = ["CitedStream", "GraphKeepingAdapter", "cited_message", "raw_message", "to_activity"]
_TEAMS: Final = channel("msteams")


def cited_message(
    text: str,
    cites: Cites | None,
    *,
    channel: Channel = _TEAMS,
    ranking: LabelRanking | None = None,
    live_hosts: frozenset[str] = frozenset(),
) -> MessageActivityInput:
    """A message with its citations, for ``ctx.send``, ``ctx.reply``, ``app.send`` or an update."""
    return to_activity(render(cite_message(text, cites), channel, ranking=ranking, live_hosts=live_hosts))


def to_activity(rendering: Rendering) -> MessageActivityInput:
    """The activity of a rendering for Teams, where one message has all of it."""
    fields: dict[str, Any] = rendering.to_activity()
    if rendering.suggestions:
        # The SDK's model requires the persons who see the buttons; in an empty list they are all.
        fields["suggestedActions"] = {"to": []} | fields["suggestedActions"]
    activity = MessageActivityInput.model_validate({**fields, "entities": None})
    # An entity that is validated is refused, or has fields that the graph doesn't have.
    activity.entities = [MessageEntity.model_construct(**node) for node in rendering.entities]
    return activity


class CitedStream:
    """Streams an answer: ``stream = CitedStream(ctx.stream, references)``, ``feed`` it, and ``end`` it.

    What nothing can change any more is shown. The final has the graph. Later references are fed, too.
    """

    def __init__(
        self,
        stream: StreamerProtocol,
        cites: Cites | None = (),
        *,
        channel: Channel = _TEAMS,
        **options: Any,
    ) -> None:
        self._sdks = stream
        self._stream = RenderingStream(channel, **options)
        self._shown = ""
        if references := references_of(cites):
            self._stream.feed(ReferencesFound(references, complete=True))

    def feed(self, event: AnswerEvent | str) -> None:
        """Take the next piece of the text, or another event of the answer."""
        self._stream.feed(TextDelta(event) if isinstance(event, str) else event)
        interim = self._stream.interim()
        if interim:
            self._sdks.emit(self._take_rest(interim))

    def end(self, activity: MessageActivityInput | None = None) -> Rendering:
        """Show the rest with the graph. The SDK closes its stream when the handler returns.

        ``activity`` has what else the message shows, such as suggested actions or a card. Where the answer
        is withheld, that may repeat it, so that it is not sent.
        """
        rendering = self._stream.close()
        written = to_activity(rendering)
        final = activity or MessageActivityInput()
        if rendering.is_withheld:
            rendering = replace(rendering, problems=(*rendering.problems, *clear_content(final)))
        final.text, final.text_format = self._take_rest(rendering), written.text_format
        final.channel_data = final.channel_data or written.channel_data
        final.suggested_actions = final.suggested_actions or written.suggested_actions
        # The SDK keeps the entities of the last activity.
        final.entities = [*(written.entities or ()), *(final.entities or ())]
        self._sdks.emit(final)
        return rendering

    def _take_rest(self, rendering: Rendering) -> str:
        """The text that isn't shown yet: the SDK appends it to what is."""
        before, self._shown = self._shown, rendering.text
        return rendering.text[len(before) :]


class GraphKeepingAdapter(FastAPIAdapter):  # type: ignore[misc] # the SDK isn't installed everywhere
    """An ``http_server_adapter`` for ``App``: :func:`raw_message` has the graphs that its models refuse."""

    def register_route(self, method: Any, path: str, handler: Any) -> None:
        """Register a route, whose handler gets activities without graphs."""

        async def handle(request: Any) -> Any:
            return await handler({**request, "body": set_graph_aside(request["body"])})

        super().register_route(method, path, handle)


def raw_message(activity: MessageActivity) -> dict[str, Any]:
    """The JSON of a message that another bot sent, for :func:`citations.read_message`."""
    data = activity.channel_data
    return join_graph(activity.text, activity.text_format, data.model_extra if data else None)
