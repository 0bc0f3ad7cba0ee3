"""What an activity has in the models of three SDKs: what it says beside its text, and its graph set aside.

The models of the Agents SDK and of the Teams SDK refuse graphs with other fields than their own. The sample
of Web Chat's CITATION.md is one of them. The turn fails before any code of the bot runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ..model.errors import Problem

REFERENCES: Final = "references"
"""The key, in ``turn_state`` or in an activity's ``channel_data``, of what a message cites."""
_ENVELOPE: Final = frozenset(
    """type id timestamp local_timestamp local_timezone service_url channel_id from_property from_
    conversation recipient locale input_hint importance expiration delivery_mode reply_to_id relates_to
    caller_id request_id attachment_layout text_format text entities""".split()
)
"""The fields that say where a message goes and how it is shown. Text and entities are written anew."""
_DELIVERY: Final = frozenset({"streaminfo", "activityTreatment"})
"""The types of the entities without which a stream has no end, and what is for one person is for all."""


def clear_content(activity: Any) -> Iterator[Problem]:
    """Clear all that ``activity`` says, as it may repeat an answer that is withheld.

    Its envelope and the entities that say how it is delivered stay. Each field that is cleared is a problem.
    """
    extra = _extra(activity)
    for name in [name for name, value in vars(activity).items() if value and name not in _ENVELOPE]:
        setattr(activity, name, {} if name == "additional_properties" else None)
        getattr(activity, "model_fields_set", set()).discard(name)  # updates are sent with their nulls
        yield _withheld(name)
    for name in [name for name in extra if name not in _ENVELOPE]:
        del extra[name]
        yield _withheld(name)
    entities = activity.entities or []
    activity.entities = [one for one in entities if getattr(one, "type", None) in _DELIVERY]
    if len(activity.entities) < len(entities):
        yield _withheld("entities")


def channel_data_of(activity: Any) -> dict[str, Any]:
    """The properties of ``activity.channel_data``: a mapping, or a model of the SDK's or of the bot's own.

    What else a channel takes, such as Telegram's array of methods, has none.
    """
    data = activity.channel_data
    if data is None or isinstance(data, Mapping):
        return dict(data or {})
    own = getattr(data, "__dict__", {}) | _extra(data)
    dump = getattr(data, "model_dump", None)
    if not callable(dump):
        return {name: value for name, value in own.items() if value is not None}
    # References are values of this library, which no model has to write.
    written: dict[str, Any] = dump(mode="json", by_alias=True, exclude_none=True, exclude={REFERENCES})
    return written | {name: own[name] for name in own if name == REFERENCES}


def _extra(model: Any) -> dict[str, Any]:
    """The fields of a pydantic model that its class does not declare."""
    return getattr(model, "__pydantic_extra__", None) or {}


def _withheld(name: str) -> Problem:
    first, *others = name.split("_")
    field = first + "".join(map(str.title, others))
    return Problem("field-withheld", f"$.{field}", "the answer is withheld, so that this field is not sent")


GRAPH: Final = "graph"
"""The property of ``channelData`` that has the nodes which were set aside."""


def set_graph_aside(body: Mapping[str, Any]) -> dict[str, Any]:
    """An activity's JSON with its linked data in ``channelData``, which no SDK checks."""
    entities, data = body.get("entities"), body.get("channelData") or {}
    if not isinstance(entities, list) or not isinstance(data, dict):
        return dict(body)
    own = [one for one in entities if _is_sdks(one)]
    nodes = [one for one in entities if not _is_sdks(one)]
    return {**body, "entities": own, "channelData": {**data, GRAPH: nodes}} if nodes else dict(body)


def _is_sdks(entity: object) -> bool:
    """Whether it is an entity of the Bot Framework, such as ``mention``; others have an IRI as their type."""
    return isinstance(entity, dict) and ":" not in str(entity.get("type", ":"))


def join_graph(text: str | None, text_format: str | None, channel_data: object) -> dict[str, Any]:
    """The JSON of a message whose graph was set aside, for :func:`citations.read_message`."""
    nodes = channel_data.get(GRAPH, []) if isinstance(channel_data, dict) else []
    return {"type": "message", "text": text, "textFormat": text_format, "entities": nodes}


class KeptGraph:
    """A request whose graph the SDK doesn't read: ``await adapter.process(KeptGraph(request), agent)``.

    The SDK's model refuses graphs such as that of CITATION.md. :func:`raw_message` has it in the turn.
    """

    def __init__(self, request: Any) -> None:
        self._request = request

    def __getattr__(self, name: str) -> Any:
        return getattr(self._request, name)

    async def json(self) -> dict[str, Any]:
        """The activity's JSON, with its graph where the SDK leaves it as it is."""
        return set_graph_aside(await self._request.json())
