"""Citations for bots on the Microsoft 365 Agents SDK (``pip install '…[agents]'``).

After ``adapter.use(CitationMiddleware())``, a bot leaves references, and sends or streams as ever::

    context.turn_state["references"] = [Reference(id="1", name="Proxy settings", url="https://…")]
    context.streaming_response.queue_text_chunk("Set a proxy [1].")
    await context.streaming_response.end_stream()
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import suppress
from typing import Any, Final

from microsoft_agents.activity import Activity, Entity, StreamInfo
from microsoft_agents.hosting.core import TurnContext
from microsoft_agents.hosting.core.connector import ConnectorClientBase
from microsoft_agents.hosting.core.connector.client import ConnectorClient

from ..channels import InterimMode
from ..model.rendering import Rendering
from .content import REFERENCES, KeptGraph, channel_data_of, join_graph
from .streamed_message import StreamedMessage
from .turn_messages import Cites, OutgoingMessages, is_targeted, targeted_client

__all__ = ["CitationMiddleware", "KeptGraph", "raw_message", "to_activities"]
_STREAM: Final = "citations.stream"
_METADATA: Final = ("streamType", "streamId", "streamSequence")


def _to_entity(node: Mapping[str, Any]) -> Any:
    """An entity that is sent as it is: one that is validated loses fields, or has some of them twice."""
    return Entity.model_construct(**node)


class CitationMiddleware(OutgoingMessages):
    """Messages, updates and streams get citations. References are left as for botbuilder's middleware.

    Those of a stream are left before its first chunk. An empty list then says that they will follow.
    """

    _to_entity = staticmethod(_to_entity)

    async def on_turn(self, context: TurnContext, logic: Callable[[TurnContext], Awaitable[Any]]) -> None:
        """Run the turn, and write its messages as they are sent."""
        context.on_send_activities(self.send)
        context.on_update_activity(self.update)
        connector = context.services.get(ConnectorClientBase)
        if isinstance(connector, ConnectorClient) and is_targeted(context.activity):
            context.services.set(ConnectorClientBase, targeted_client(connector, "_conversations"))
        try:
            await logic(context)
        except GeneratorExit:  # nothing can be awaited any more
            raise
        except BaseException:  # a turn that is cancelled, too
            await self._end_stream(context)
            raise

    async def _end_stream(self, context: TurnContext) -> None:
        """End the stream of a turn that fails or is cancelled: without a final, its bubble stays open."""
        response = context.streaming_response
        # The SDK raises for a stream that has ended, or can't be. The turn's own error is the one to report.
        with suppress(Exception):
            await response.wait_for_queue()
            streamed: StreamedMessage | None = context.turn_state.get(_STREAM)
            if streamed and streamed.sent and response.get_message():
                streamed.break_off()
                await response.end_stream()

    async def send(self, context: Any, activities: list[Any], following: Callable[[], Awaitable[Any]]) -> Any:
        """Handle ``on_send_activities``. A bot may send messages beside the activities of a stream."""
        written: list[Any] = []
        for activity in activities:
            info = next((one for one in activity.entities or () if isinstance(one, StreamInfo)), None)
            if info is None:
                written += self.messages_of(context, activity)
            elif activity.type == "typing" and is_targeted(context.activity):
                continue  # what one person alone sees has no stream
            elif self._write_streamed(context, activity, info):
                written.append(activity)
            # A chunk of which nothing can be shown yet is left out: Teams wants text in each.
        activities[:] = written
        return await self.send_written(context, activities, following)

    def address(self, activity: Activity) -> Activity | None:
        """Mark ``activity`` as targeted: the SDK's client then sends it to its recipient alone."""
        return None if activity.type == "typing" else activity.make_targeted_activity()

    def _write_streamed(self, context: TurnContext, activity: Activity, info: StreamInfo) -> bool:
        """Write an activity of a stream. Returns whether there is anything to send."""
        state: dict[str, Any] = context.turn_state
        if info.stream_sequence == 1 or _STREAM not in state:
            state[_STREAM] = StreamedMessage(self.channel_of(context), self._ranking, self._live_hosts)
        streamed: StreamedMessage = state[_STREAM]
        cites = REFERENCES in state or streamed.references is not None
        final = activity.type == "message"
        if info.stream_type != "informative":
            if REFERENCES in state:
                streamed.add(state.pop(REFERENCES))
            rendering = streamed.close(activity.text or "") if final else streamed.show(activity.text or "")
            if rendering:
                self.fill(activity, rendering)
            if rendering and final:
                self.report_problems(rendering)
        if final and not streamed.sent:
            activity.entities.remove(info)  # there is no stream that it could end
        elif not final:
            streamed.sent += bool(activity.text)
            info.stream_sequence = streamed.sent  # Teams: it grows by one with each activity
        if cites and streamed.sent and streamed.channel.interim is InterimMode.REPLACING:
            activity.channel_data = _add_metadata(channel_data_of(activity), info)
        return final or bool(activity.text)

    def take(self, turn_state: MutableMapping[str, Any], activity: Activity) -> Cites | None:
        """Take what ``activity`` cites: that of the stream, where it has the text of one that broke off."""
        cites = super().take(turn_state, activity)
        if activity.channel_data is None:
            activity.model_fields_set.discard("channel_data")  # updates are sent with their nulls
        streamed: StreamedMessage | None = turn_state.get(_STREAM)
        return streamed.references if cites is None and streamed and streamed.is_in(activity) else cites


def _add_metadata(data: dict[str, Any], info: StreamInfo) -> dict[str, Any]:
    """Add what the entity says of a stream to ``channelData``: Web Chat 4.18.1 reads nothing else."""
    said = (info.stream_type, info.stream_id, info.stream_sequence)
    return {**data, **{key: one for key, one in zip(_METADATA, said, strict=True) if one}}


def to_activities(rendering: Rendering) -> list[Activity]:
    """The activities of a rendering, in the order of sending."""
    return [_to_activity(fields) for fields in rendering.to_activities()]


def _to_activity(fields: Mapping[str, Any]) -> Activity:
    activity = Activity.model_validate({**fields, "entities": []})
    activity.entities = [_to_entity(node) for node in fields["entities"]]
    return activity


def raw_message(activity: Activity) -> dict[str, Any]:
    """The JSON of a message that another bot sent, for :func:`citations.read_message`."""
    return join_graph(activity.text, activity.text_format, activity.channel_data)
