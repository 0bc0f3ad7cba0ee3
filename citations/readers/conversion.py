"""Foreign JSON becomes typed values, or an error that names the place: here msgspec is met."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, TypeVar

import msgspec

from ..model.errors import AnswerFormatError

_T = TypeVar("_T")
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d(T[\d:.+Z-]+)?", re.ASCII)
_PLACED: Final = re.compile(r"(?P<fault>.*) - at `(?P<path>.*)`", re.DOTALL)


def convert(data: object, kind: type[_T], path: str = "$") -> _T:
    """``data`` as ``kind``, unknown keys ignored; raises :class:`AnswerFormatError`.

    ``path`` is where ``data`` itself stands in what the provider sent.
    """
    if isinstance(data, str):
        looks = "an HTML page" if data.lstrip()[:1] == "<" else "text"
        raise AnswerFormatError(f"expected a JSON object, got {looks}", path)
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        placed = _PLACED.fullmatch(str(error))
        fault, place = (placed["fault"], placed["path"]) if placed else (str(error), "$")
        raise AnswerFormatError(_sentence(fault), path + place.removeprefix("$")) from None
    except UnicodeEncodeError:
        # RFC 8259 § 8.2: JSON can write half of a surrogate pair, and what readers make of it differs.
        raise AnswerFormatError("a key, or a name, has half of a surrogate pair", path) from None


def none_if_blank(text: str | None) -> str | None:
    """A text that is there: providers write ``""`` for what they don't know."""
    return text if text and text.strip() else None


def iso_date(found: object) -> str | None:
    """A date, or a date and a time, of ISO 8601; None for anything else."""
    return found if isinstance(found, str) and _DATE.fullmatch(found) else None


def others(values: Iterable[object], *known: str | None) -> tuple[str, ...]:
    """The texts among ``values``, each once, without those that are ``known``: a reference's aliases.

    Providers write an id as a number, too.
    """
    texts = (str(value) for value in values if isinstance(value, str | int) and not isinstance(value, bool))
    return tuple(dict.fromkeys(text for text in texts if text.strip() and text not in known))


def _sentence(fault: str) -> str:
    return fault[:1].lower() + fault[1:].replace("`", "")
