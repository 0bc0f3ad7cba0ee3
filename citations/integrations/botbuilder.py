"""Citations for bots on botbuilder-python (``pip install '…[botbuilder]'``).

After ``adapter.use(CitationMiddleware())``, a bot leaves references, and sends its message as ever::

    context.turn_state["references"] = [Reference(id="1", name="Proxy settings", url="https://…")]
    await context.send_activity("Set a proxy [1].")
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ClassVar

from botbuilder.core import BotAdapter
from botbuilder.schema import Activity, ActivityTypes, ChannelAccount

from ..model.rendering import Rendering
from .botbuilder_entity import WholeEntity
from .turn_messages import OutgoingMessages, is_targeted, targeted_client

__all__ = ["CitationMiddleware", "WholeEntity", "raw_message", "to_activities"]


class _TargetedAccount(ChannelAccount):  # type: ignore[misc] # the SDK ships no types
    """The one person who sees a message: the SDK's model has no field for the mark."""

    _attribute_map: ClassVar[dict[str, dict[str, str]]] = {
        **ChannelAccount._attribute_map,
        "is_targeted": {"key": "isTargeted", "type": "bool"},
    }

    def __init__(self, person: Any) -> None:
        super().__init__(id=person.id, name=person.name, aad_object_id=person.aad_object_id, role=person.role)
        self.is_targeted = True


class CitationMiddleware(OutgoingMessages):
    """Messages and updates for which references were left get citations.

    References in ``context.turn_state["references"]`` are those of the next message with text. A turn with
    several messages leaves them in each activity: ``channel_data={"references": …}``, which is not sent.
    """

    _to_entity = WholeEntity

    async def on_turn(self, context: Any, logic: Callable[[], Awaitable[Any]]) -> None:
        """Run the turn, and write its messages as they are sent."""
        context.on_send_activities(self.send)
        context.on_update_activity(self.update)
        connector = context.turn_state.get(BotAdapter.BOT_CONNECTOR_CLIENT_KEY)
        if connector and is_targeted(context.activity):
            targeted = targeted_client(connector, "conversations")
            context.turn_state[BotAdapter.BOT_CONNECTOR_CLIENT_KEY] = targeted
        await logic()

    def address(self, activity: Any) -> Any:
        """Name the person in ``activity``. The turn's client sends it to that person alone."""
        if activity.type == ActivityTypes.typing:
            # The SDK raises for an empty list, and sends no trace to Teams.
            activity.type = ActivityTypes.trace
        activity.recipient = _TargetedAccount(activity.recipient)
        return activity


def to_activities(rendering: Rendering) -> list[Any]:
    """The activities of a rendering, in the order of sending."""
    return [_to_activity(fields) for fields in rendering.to_activities()]


def _to_activity(fields: Mapping[str, object]) -> Any:
    activity = Activity.deserialize({name: value for name, value in fields.items() if name != "entities"})
    activity.entities = [WholeEntity(node) for node in fields["entities"]]  # type: ignore[attr-defined]
    return activity


def raw_message(activity: Any) -> dict[str, Any]:
    """The JSON of a message that another bot sent, for :func:`citations.read_message`.

    The SDK reads all properties of an entity, and writes none but ``type`` when the message is passed on.
    """
    nodes = [{"type": one.type, **one.additional_properties} for one in activity.entities or ()]
    return {"type": "message", "text": activity.text, "textFormat": activity.text_format, "entities": nodes}
