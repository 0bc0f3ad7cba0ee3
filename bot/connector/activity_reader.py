"""A fast deserializer of the SDK's models, with msrest's own as the fallback.

msrest's copies a class's attribute map for every object, and reads each field both as JSON and as XML.
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

_MODELS: Final = {name: model for name, model in vars(schema).items() if isinstance(model, type)}
_TIME: Final = re.compile(r"[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)", re.ASCII)
"""The form of RFC 3339 that channels write."""
_PLAIN: Final = {"str": str, "bool": bool, "int": int}


def from_json(model: str, body: Mapping[str, Any]) -> Any:
    """Deserialize ``body`` into the model of that name, with msrest's result and msrest's errors."""
    try:
        return _read_model(_MODELS[model], body)
    except UnusualValue:
        return _READER(model, dict(body), "application/json")


_READER: Final = Deserializer(_MODELS)  # type: ignore[no-untyped-call]


def _read_model(model: Any, body: Any) -> Any:
    if not isinstance(body, Mapping):
        raise UnusualValue
    attributes = _attributes_of(model)
    fields: dict[str, Any] = {}
    unknown: dict[str, Any] = {}
    for key, value in body.items():
        name, kind = attributes.get(key, ("", ""))
        if not name:
            unknown[key] = value
        elif value is not None:
            fields[name] = _read_value(value, kind)
    instance = model(**fields)
    instance.additional_properties = unknown
    return instance


@cache
def _attributes_of(model: Any) -> dict[str, tuple[str, str]]:
    """The names and types of a class's attributes, by JSON key."""
    attributes = {name: entry for name, entry in model._attribute_map.items() if entry["key"]}
    if any("." in entry["key"] for entry in attributes.values()) or model._subtype_map:
        raise UnusualValue
    return {entry["key"]: (name, entry["type"]) for name, entry in attributes.items()}


def _read_value(value: Any, kind: str) -> Any:
    if kind == "object" or type(value) is _PLAIN.get(kind):
        return value
    if kind in _MODELS:
        return _read_model(_MODELS[kind], value)
    if kind == "iso-8601":
        return _read_time(value)
    if kind[0] == "[" and type(value) is list:
        return [None if item is None else _read_value(item, kind[1:-1]) for item in value]
    raise UnusualValue


def _read_time(value: Any) -> datetime:
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        raise UnusualValue
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        raise UnusualValue from None
