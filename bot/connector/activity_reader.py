"""JSON as a model of the SDK's.

msrest copies what it knows of a class for every object, and tries each field in the ways of JSON and
of XML.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, Final

from botbuilder import schema
from msrest import Deserializer

from .errors import UnusualValue

_MODELS: Final = {name: kind for name, kind in vars(schema).items() if isinstance(kind, type)}
_TIME: Final = re.compile(r"[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)", re.ASCII)
"""A time of RFC 3339, as channels write it."""
_PLAIN: Final = {"str": str, "bool": bool, "int": int}


def from_json(model: str, body: Mapping[str, Any]) -> Any:
    """The model of that name in ``body``, as msrest would have read it; raises what msrest raises."""
    try:
        return _model(_MODELS[model], body)
    except UnusualValue:
        return _READER(model, dict(body), "application/json")


_READER: Final = Deserializer(_MODELS)  # type: ignore[no-untyped-call]


def _model(model: Any, body: Any) -> Any:
    if not isinstance(body, Mapping):
        raise UnusualValue
    known = _attributes_of(model)
    fields: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for key, value in body.items():
        name, kind = known.get(key, ("", ""))
        if not name:
            others[key] = value
        elif value is not None:
            fields[name] = _value(value, kind)
    read = model(**fields)
    read.additional_properties = others
    return read


@cache
def _attributes_of(model: Any) -> dict[str, tuple[str, str]]:
    """The attributes of a class and their types, by the names under which they come."""
    described = {name: one for name, one in model._attribute_map.items() if one["key"]}
    if any("." in one["key"] for one in described.values()) or model._subtype_map:
        raise UnusualValue
    return {one["key"]: (name, one["type"]) for name, one in described.items()}


def _value(value: Any, kind: str) -> Any:
    if kind == "object" or type(value) is _PLAIN.get(kind):
        return value
    if kind in _MODELS:
        return _model(_MODELS[kind], value)
    if kind == "iso-8601":
        return _time(value)
    if kind[0] == "[" and type(value) is list:
        return [None if one is None else _value(one, kind[1:-1]) for one in value]
    raise UnusualValue


def _time(value: Any) -> datetime:
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        raise UnusualValue
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        raise UnusualValue from None
