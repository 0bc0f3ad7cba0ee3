"""Citations for bots on botbuilder-python (``pip install '…[botbuilder]'``).

After ``adapter.use(CitationMiddleware())``, a bot leaves references, and sends its message as ever::

    context.turn_state["references"] = [Reference(id="1", name="Proxy settings", url="https://…")]
    await context.send_activity("Set a proxy [1].")
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ClassVar

from botbuilder.schema import Activity, Entity

from ..model.rendering import Rendering
from .turn_messages import OutgoingMessages

__all__ = ["CitationMiddleware", "WholeEntity", "raw_message", "to_activities"]


class WholeEntity(Entity):  # type: ignore[misc] # the SDK ships no types
    """An entity, such as a Schema.org node, that is serialized with all its properties.

    The SDK serializes only the attributes that a class declares, which is ``type`` for an ``Entity``. An
    empty ``key`` in the attribute map makes it write ``additional_properties`` at the top level.
    """

    _attribute_map: ClassVar[dict[str, dict[str, str]]] = {
        "type": {"key": "type", "type": "str"},
        "additional_properties": {"key": "", "type": "{object}"},
    }

    def __init__(self, node: Mapping[str, object]) -> None:
        super().__init__(type=node["type"])
        self.additional_properties = {name: value for name, value in node.items() if name != "type"}


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
        await logic()


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
