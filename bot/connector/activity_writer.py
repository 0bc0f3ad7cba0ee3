"""A fast serializer of the SDK's models. msrest's walks through a model four times."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import msgspec
from msrest.serialization import Model

from citations.text import without_turns


def to_json(value: Any) -> bytes:
    """Serialize ``value``, JSON in which there may be models of the SDK, as msrest does.

    Every activity of the bot leaves through here, so that none has a control that turns the writing.
    """
    try:
        written = msgspec.json.encode(value, enc_hook=_collect_fields)
    except UnicodeEncodeError:
        # UTF-8 can't encode a lone surrogate. JSON can escape it (RFC 8259 § 8.2).
        builtins = msgspec.to_builtins(value, enc_hook=_collect_fields)
        written = json.dumps(builtins, ensure_ascii=False).encode("utf-8", "backslashreplace")
    return written if written.isascii() else without_turns(written.decode()).encode()


def _collect_fields(model: Any) -> dict[str, Any]:
    """The fields of a model that have a value, by their JSON keys."""
    if not isinstance(model, Model):
        raise TypeError(f"{type(model).__name__} is no model of the SDK")
    fields: dict[str, Any] = {}
    for name, key in _attributes_of(type(model)):  # type: ignore[arg-type] # a class has a hash
        value = getattr(model, name)
        if value is None:
            continue
        if key:
            fields[key] = value
        else:
            fields.update(value)
    return fields


@cache
def _attributes_of(model: type[Any]) -> tuple[tuple[str, str], ...]:
    """The name and JSON key of each attribute of a class. An empty key is for fields of no attribute."""
    readonly = {name for name, rule in model._validation.items() if rule.get("readonly")}
    attributes = model._attribute_map.items()
    return tuple((name, entry["key"]) for name, entry in attributes if name not in readonly)
