"""A model of the SDK's as JSON.

msrest walks through it four times: it copies it, checks it, looks for where each value goes, and writes it.
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
    """msrest's serialiser, which writes models as above."""

    def body(self, data: Any, data_type: str, **kwargs: Any) -> Any:
        """The JSON of a request's body, as msrest would have written it; nothing is checked in it."""
        try:
            return to_json(data)
        except UnusualValue:
            return super().body(data, data_type, **kwargs)  # type: ignore[no-untyped-call]


def to_json(model: Any) -> dict[str, Any]:
    """``model`` as JSON. Raises :class:`UnusualValue`."""
    if not isinstance(model, Model):
        raise UnusualValue
    fields: dict[str, Any] = {}
    for name, key, kind in _attributes_of(type(model)):  # type: ignore[arg-type] # a class has a hash
        value = getattr(model, name)
        if value is None:
            continue
        if key:
            fields[key] = _value(value, kind)
        else:
            fields.update(value)
    return fields


@cache
def _attributes_of(model: type[Any]) -> tuple[tuple[str, str, str], ...]:
    """The attributes of a class, the names under which they are sent, and their types."""
    described = model._attribute_map.items()
    if any(
        "." in one["key"] or (not one["key"] and name != "additional_properties") for name, one in described
    ):
        raise UnusualValue
    readonly = {name for name, rule in model._validation.items() if rule.get("readonly")}
    return tuple((name, one["key"], one["type"]) for name, one in described if name not in readonly)


def _value(value: Any, kind: str) -> Any:
    found = type(value)
    if found is _PLAIN.get(kind):
        return value
    if kind == "object":
        return _object(value)
    if kind == "str" and isinstance(value, Enum):
        return value.value
    if kind == "iso-8601" and found is datetime:
        return Serializer.serialize_iso(value)  # type: ignore[no-untyped-call]
    if kind[0] == "[" and found is list:
        return [None if one is None else _value(one, kind[1:-1]) for one in value]
    return to_json(value)


def _object(value: Any) -> Any:
    """A value of any type."""
    found = type(value)
    if found in _SAME:
        return value
    if found is dict:
        return {_key(name): _object(one) for name, one in value.items()}
    if found is list:
        return [_object(one) for one in value]
    return to_json(value)


def _key(name: Any) -> str:
    if type(name) is not str:
        raise UnusualValue
    return name
