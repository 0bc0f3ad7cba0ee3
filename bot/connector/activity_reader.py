"""A fast deserializer of inbound activities. msrest's reads each field both as JSON and as XML."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from botbuilder import schema
from msrest.serialization import Model

_MODELS: Final[Mapping[str, Any]] = {
    name: model
    for name, model in vars(schema).items()
    if isinstance(model, type) and issubclass(model, Model)
}


def read_activity(body: Mapping[str, Any]) -> Any:
    """Deserialize an inbound activity into the SDK's model, and the objects in it into theirs.

    A value of another type than its class declares stays as it is: :mod:`bot.http.shape` has checked the
    fields that the bot reads. Times stay text.
    """
    return _read_model("Activity", body)


def _read_model(model: str, body: Mapping[str, Any]) -> Any:
    attributes = _attributes_of(model)
    fields: dict[str, Any] = {}
    unknown: dict[str, Any] = {}
    for key, value in body.items():
        name, kind = attributes.get(key, ("", ""))
        if not name:
            unknown[key] = value
        elif value is not None:
            fields[name] = _read_value(value, kind)
    instance = _MODELS[model](**fields)
    instance.additional_properties = unknown
    return instance


@cache
def _attributes_of(model: str) -> dict[str, tuple[str, str]]:
    """The names and types of a class's attributes, by JSON key."""
    attributes = _MODELS[model]._attribute_map.items()
    return {entry["key"]: (name, entry["type"]) for name, entry in attributes if entry["key"]}


def _read_value(value: Any, kind: str) -> Any:
    if kind in _MODELS and isinstance(value, Mapping):
        return _read_model(kind, value)
    if kind.startswith("[") and isinstance(value, list):
        return [_read_value(item, kind[1:-1]) for item in value]
    return value
