"""Reads and writes JSON, more strictly than Python's own module and with clearer errors."""

from __future__ import annotations

import json
import math
from typing import Any

from ..model.errors import AnswerFormatError
from ..text.encoding import decode_text


def loads(data: bytes) -> Any:
    """Decode one JSON document, in UTF-8 unless a byte order mark says otherwise.

    Raises :class:`AnswerFormatError` for invalid JSON (RFC 8259), and for JSON that readers take
    differently. That is a duplicate key, ``NaN``, or a number beyond a float.
    """
    try:
        text = decode_text(data)
    except ValueError as error:
        raise AnswerFormatError(str(error)) from None
    if not text.strip():
        raise AnswerFormatError("expected JSON, got nothing")
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)
    except json.JSONDecodeError as error:
        looks = " (an HTML page?)" if text.lstrip()[:1] == "<" else ""
        if error.msg == "Extra data" and text[error.pos - 1] == "\n":
            looks = " (JSON lines?)"
        elif text.lstrip().startswith(("data:", "event:")):
            looks = " (server-sent events?)"
        raise AnswerFormatError(
            f"not JSON{looks}: {error.msg}, line {error.lineno} column {error.colno}"
        ) from None
    except RecursionError:
        raise AnswerFormatError("nested too deeply") from None
    except ValueError:
        # Python refuses whole numbers of more than some thousand digits.
        raise AnswerFormatError("a number has too many digits") from None


def dumps(value: object) -> str:
    """Encode ``value`` in one line, without escapes for characters outside ASCII."""
    return json.dumps(value, ensure_ascii=False)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise AnswerFormatError(f"the key {json.dumps(key[:80])} stands twice in one object")
        made[key] = value
    return made


def _constant(name: str) -> Any:
    raise AnswerFormatError(f"{name} is no JSON value")


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise AnswerFormatError(f"the number {digits[:40]} is too large")
    return number
