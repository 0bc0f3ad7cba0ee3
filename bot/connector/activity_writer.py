"""A fast serializer of the SDK's models, with msrest's own as the fallback.

msrest's walks through a model four times: to copy, validate, map and write it.
"""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, Final

from msrest.serialization import Model, Serializer

from .errors import UnusualValue

_PLAIN: Final = {"str": str, "bool": bool, "int": int, "float": float}
_SAME: Final = frozenset({str, bool, int, float, type(None)})


class ModelSerializer(Serializer):
    """msrest's serializer, with :func:`to_json` for the bodies of requests."""

    def body(self, data: Any, data_type: str, **kwargs: Any) -> Any:
        """Serialize a request's body with msrest's result, but without its validation."""
        try:
            return to_json(data)
        except UnusualValue:
            return super().body(data, data_type, **kwargs)  # type: ignore[no-untyped-call]


def to_json(model: Any) -> dict[str, Any]:
    """Convert ``model`` to JSON. Raises :class:`UnusualValue`."""
    if not isinstance(model, Model):
        raise UnusualValue
    fields: dict[str, Any] = {}
    for name, key, kind in _attributes_of(type(model)):  # type: ignore[arg-type] # a class has a hash
        value = getattr(model, name)
        if value is None:
            continue
        if key:
            fields[key] = _write_value(value, kind)
        else:
            fields.update(value)
    return fields


@cache
def _attributes_of(model: type[Any]) -> tuple[tuple[str, str, str], ...]:
    """The name, JSON key and type of each attribute of a class."""
    attributes = model._attribute_map.items()
    if any(
        "." in entry["key"] or (not entry["key"] and name != "additional_properties")
        for name, entry in attributes
    ):
        raise UnusualValue
    readonly = {name for name, rule in model._validation.items() if rule.get("readonly")}
    return tuple((name, entry["key"], entry["type"]) for name, entry in attributes if name not in readonly)


def _write_value(value: Any, kind: str) -> Any:
    actual = type(value)
    if actual is _PLAIN.get(kind):
        return value
    if kind == "object":
        return _write_object(value)
    if kind == "str" and isinstance(value, Enum):
        return value.value
    if kind == "iso-8601" and actual is datetime:
        return Serializer.serialize_iso(value)  # type: ignore[no-untyped-call]
    if kind[0] == "[" and actual is list:
        return [None if item is None else _write_value(item, kind[1:-1]) for item in value]
    return to_json(value)


def _write_object(value: Any) -> Any:
    """Write a value of msrest's type ``object``, which is JSON of any type."""
    actual = type(value)
    if actual in _SAME:
        return value
    if actual is dict:
        return {_require_string(name): _write_object(item) for name, item in value.items()}
    if actual is list:
        return [_write_object(item) for item in value]
    return to_json(value)


def _require_string(name: Any) -> str:
    if type(name) is not str:
        raise UnusualValue
    return name
