"""Foreign JSON becomes typed values, or an error with its JSON path. This module wraps msgspec."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, TypeVar

import msgspec

from ..model.errors import AnswerFormatError
from ..model.reference import Reference

_T = TypeVar("_T")
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d(T[\d:.+Z-]+)?", re.ASCII)


def convert(data: object, kind: type[_T], path: str = "$") -> _T:
    """``data`` as ``kind``, without unknown keys; raises :class:`AnswerFormatError`.

    ``path`` is the path of ``data`` in the provider's response.
    """
    if isinstance(data, str):
        raise AnswerFormatError(f"expected a JSON object, got {kind_of(data)}", path)
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        fault, placed, place = str(error).rpartition(" - at `")
        where = place.removesuffix("`").removeprefix("$") if placed else ""
        raise AnswerFormatError(_sentence(fault or place), path + where) from None
    except UnicodeEncodeError:
        # RFC 8259 § 8.2: JSON can contain half of a surrogate pair, which readers treat differently.
        raise AnswerFormatError("a key, or a name, has half of a surrogate pair", path) from None


def kind_of(value: object) -> str:
    """What a value is that was to be an object."""
    if isinstance(value, str):
        return "an HTML page" if value.lstrip()[:1] == "<" else "text"
    return "null" if value is None else type(value).__name__


def none_if_blank(text: str | None) -> str | None:
    """A nonempty text; None for ``""``, which providers write for unknown values."""
    return text if text and text.strip() else None


def iso_date(found: object) -> str | None:
    """A date, or a date and a time, of ISO 8601; None for anything else."""
    return found if isinstance(found, str) and _DATE.fullmatch(found) else None


def others(values: Iterable[object], *known: str | None) -> tuple[str, ...]:
    """The texts among ``values``, without duplicates and without ``known``: a reference's aliases.

    Providers write ids as numbers, too.
    """
    texts = (str(value) for value in values if isinstance(value, str | int) and not isinstance(value, bool))
    return tuple(dict.fromkeys(text for text in texts if text.strip() and text not in known))


def new_references(references: Iterable[Reference], found: set[Reference]) -> tuple[Reference, ...]:
    """Those among ``references`` that were not ``found`` yet; then they are."""
    new = tuple(one for one in dict.fromkeys(references) if one not in found)
    found.update(new)
    return new


def _sentence(fault: str) -> str:
    return fault[:1].lower() + fault[1:].replace("`", "")
