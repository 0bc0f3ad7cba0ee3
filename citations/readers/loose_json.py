"""Reads foreign JSON whose fields may be missing, null, of another type, or spelled in two ways.

The readers of providers that cite by place use it: a citation may be lost by a changed field, an answer
never. REST responses have ``startIndex`` where SDKs have ``start_index``, and int64 values are strings.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Final, TypeVar

from ..model.errors import AnswerFormatError
from .conversion import kind_of

Members = Mapping[str, object]
"""A JSON object."""
_T = TypeVar("_T")
_NONE: Final[Members] = {}
_LEVELS: Final = 8
"""How deep in plain values an SDK's object is looked for: messages stand in the output of an event's data."""
_DIGITS: Final = 18
"""The longest number in a string that is read. No offset has more digits."""


def members(value: object) -> Members:
    """``value`` if it is an object, else an empty one."""
    # The check of a protocol takes ten times as long.
    return value if type(value) is dict or isinstance(value, Mapping) else _NONE


def items(value: object) -> Sequence[object]:
    """``value`` if it is an array, else an empty one."""
    return value if isinstance(value, list | tuple) else ()


def objects(value: object) -> Iterator[Members]:
    """The objects in the array ``value``."""
    return (one for one in items(value) if isinstance(one, Mapping))


def member(data: object, *names: str) -> object:
    """The first member of ``data`` with one of ``names`` that is not null.

    Each name is in snake case, and also found in camel case.
    """
    found = members(data)
    for name in names:
        for spelling in _spellings(name):
            if (value := found.get(spelling)) is not None:
                return value
    return None


def inner(data: object, *names: str) -> Members:
    """The object under the first of ``names`` that ``data`` has, else an empty one."""
    return members(member(data, *names))


def first_inner(data: Members) -> Members:
    """The first nonempty object in ``data``, else ``data``: a union is an object with one member."""
    return next((one for one in map(members, data.values()) if one), data)


def text(data: object, *names: str) -> str:
    """The first nonempty string under one of ``names``; ``""`` if there is none."""
    return next((found for name in names if isinstance(found := member(data, name), str) and found), "")


def answer_text(data: Members, name: str, path: str) -> str:
    """The text of an answer under ``name``, which may be null.

    Raises :class:`AnswerFormatError` for anything else: a citation may be lost, an answer never.
    """
    found = data.get(name)
    if found is not None and not isinstance(found, str):
        raise AnswerFormatError(f"expected a text, got {kind_of(found)}", f"{path}.{name}")
    return found or ""


def title(data: object, *names: str) -> str | None:
    """The first string under one of ``names`` that has more than white space."""
    found = (text(data, name) for name in names)
    return next((one for one in found if one.strip()), None)


def number(data: object, *names: str) -> int | None:
    """The first whole number under one of ``names``; int64 values are strings in Google's JSON."""
    return next((one for name in names if (one := _whole(member(data, name))) is not None), None)


def score(data: object, name: str) -> float | None:
    """The finite number under ``name``. JSON may have a whole number that is too large for a ``float``."""
    value = member(data, name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def page_number(data: object, *names: str) -> int | None:
    """The first number under one of ``names`` that can be a page, which counts from 1."""
    return next((one for name in names if (one := number(data, name)) is not None and one > 0), None)


def pages(data: object, first: str, behind: str) -> tuple[int | None, int | None]:
    """The first and the last page of a passage; ``behind`` is the page behind it, as Anthropic counts."""
    start, end = page_number(data, first), page_number(data, behind)
    return start, end and end - 1


def pick(listed: Sequence[_T], indices: object) -> list[_T]:
    """The items of ``listed`` that the array ``indices`` names, from 0."""
    numbers = (_whole(one) for one in items(indices))
    return [listed[one] for one in numbers if one is not None and 0 <= one < len(listed)]


def plain(data: object, levels: int = _LEVELS) -> object:
    """The JSON of an SDK's response: a Pydantic model becomes a ``dict``, wherever it stands.

    So does a dataclass, such as a response of LlamaIndex or an item of OpenAI's Agents SDK. All else stays
    as it is.
    """
    if callable(dump := getattr(data, "model_dump", None)):
        # What is newer than the SDK is no surprise, of which Pydantic would warn. Its version 1 does not.
        quiet = {"warnings": False} if hasattr(data, "__pydantic_serializer__") else {}
        return dump(mode="json", **quiet)
    if is_dataclass(data) and not isinstance(data, type):
        data = {one.name: getattr(data, one.name, None) for one in fields(data)}
    if isinstance(data, list | tuple) and levels:
        return [plain(one, levels - 1) for one in data]
    if isinstance(data, Mapping) and levels:
        return {name: plain(one, levels - 1) for name, one in data.items()}
    return data


def documents_of(data: object) -> Iterator[Members]:
    """The documents in ``data``: one object, or an array of them, such as saved events.

    Raises :class:`AnswerFormatError` if there is none.
    """
    data = plain(data)
    if not isinstance(data, list):
        if not isinstance(data, Mapping):
            raise AnswerFormatError(f"expected a JSON object, got {kind_of(data)}")
        yield data
        return
    found = list(objects(data))
    if not found:
        raise AnswerFormatError("expected an array of JSON objects")
    yield from found


def _whole(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, str) and len(value) <= _DIGITS and value.isascii() and value.isdecimal():
        return int(value)
    return value if isinstance(value, int) else None


@lru_cache(maxsize=512)
def _spellings(name: str) -> tuple[str, ...]:
    first, *others = name.split("_")
    camel = first + "".join(one.capitalize() for one in others)
    return (name,) if camel == name else (name, camel)
