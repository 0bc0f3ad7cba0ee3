"""The labels file: TOML that is read to its end, so that every fault is told at once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

from .errors import LabelFormatError
from .url import safe_url

Table = Mapping[str, Any]

_TOP: Final[Mapping[str, type]] = {"label": list, "default": str, "ceiling": dict, "rule": list}
_LABEL: Final[Mapping[str, type]] = {
    "id": str,
    "name": str,
    "priority": int,
    "description": str,
    "color": str,
    "encrypted": bool,
}
_RULE: Final[Mapping[str, type]] = {"label": str, "id": str, "url_prefix": str, "file": str}
_KINDS: Final[Mapping[type, str]] = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "an array of tables",
    dict: "a table",
}
_COLOR: Final = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|[A-Za-z]{3,30}")


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelFile:
    """The tables of a labels file without a fault: required keys are there, every id is known."""

    labels: Sequence[Table]
    default: str | None
    ceilings: Mapping[str, str]
    rules: Sequence[Table]


def is_color(color: str) -> bool:
    """Whether ``color`` may be a label's: ``#rgb``, ``#rgba``, ``#rrggbb``, ``#rrggbbaa`` or a name.

    Web Chat puts it into an SVG ``fill``, where ``url(…)`` would make every reader's browser fetch
    something.
    """
    return _COLOR.fullmatch(color) is not None


def read_label_file(text: str) -> LabelFile:
    """Read TOML; raises :class:`LabelFormatError` with every fault, in the order of the file's parts."""
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise LabelFormatError((f"not TOML: {error}",)) from None
    faults: list[str] = []
    top = _checked(document, "top level", _TOP, (), faults)
    labels = _labels(top.get("label", []), faults)
    known = [label["id"] for label in labels if "id" in label]
    ceilings = {
        channel: label
        for channel, label in top.get("ceiling", {}).items()
        if _is_known(label, f"ceiling.{channel}", known, faults)
    }
    default = top.get("default")
    if default is not None:
        _is_known(default, "default", known, faults)
    rules = _rules(top.get("rule", []), known, faults)
    if faults:
        raise LabelFormatError(tuple(faults))
    return LabelFile(labels=labels, default=default, ceilings=ceilings, rules=rules)


def _labels(tables: list[Any], faults: list[str]) -> list[Table]:
    labels: list[Table] = []
    for number, table in enumerate(tables, 1):
        place = f"label {number}"
        label = _checked(table, place, _LABEL, ("id", "name", "priority"), faults)
        if label.get("priority", 0) < 0:
            faults.append(f"{place}: priority is {label['priority']}; the lowest is 0")
        if "color" in label and not is_color(label["color"]):
            faults.append(f"{place}: color {label['color']!r} is neither #rrggbb nor a CSS colour's name")
        labels.append(label)
    if not labels:
        faults.append("no [[label]] is given")
    for key in ("id", "priority"):
        _find_twice(labels, key, faults)
    return labels


def _find_twice(labels: Sequence[Table], key: str, faults: list[str]) -> None:
    first: dict[Any, int] = {}
    for number, label in enumerate(labels, 1):
        if key in label and first.setdefault(label[key], number) != number:
            faults.append(f"label {number}: {key} {label[key]!r} is label {first[label[key]]}'s already")


def _rules(tables: list[Any], known: Sequence[str], faults: list[str]) -> list[Table]:
    rules: list[Table] = []
    for number, table in enumerate(tables, 1):
        place = f"rule {number}"
        rule = _checked(table, place, _RULE, ("label",), faults)
        if "label" in rule:
            _is_known(rule["label"], f"{place}: label", known, faults)
        # What a key is, not whether its value is right: that is a fault of its own.
        given = [key for key in ("id", "url_prefix", "file") if isinstance(table, dict) and key in table]
        if len(given) != 1:
            faults.append(f"{place}: give one of id, url_prefix and file, not {len(given)}")
        if "url_prefix" in rule and safe_url(rule["url_prefix"]) is None:
            faults.append(f"{place}: url_prefix {rule['url_prefix']!r} is not an http or https URL")
        rules.append(rule)
    return rules


def _checked(
    table: Any, place: str, kinds: Mapping[str, type], required: Sequence[str], faults: list[str]
) -> dict[str, Any]:
    """The keys of ``table`` whose values are right; the others are faults."""
    if not isinstance(table, dict):
        faults.append(f"{place}: must be a table")
        return {}
    right: dict[str, Any] = {}
    for key, value in table.items():
        if key not in kinds:
            faults.append(_unknown_key(key, place, kinds))
        elif type(value) is not kinds[key]:
            faults.append(f"{place}: {key} must be {_KINDS[kinds[key]]}, not {value!r:.60}")
        elif isinstance(value, str) and not value.strip():
            faults.append(f"{place}: {key} is empty")
        else:
            right[key] = value
    faults.extend(f"{place}: {key} is missing" for key in required if key not in table)
    return right


def _unknown_key(key: str, place: str, kinds: Mapping[str, type]) -> str:
    if key in _TOP:
        # TOML reads a key below a [[label]] as that label's.
        return f"{place}: {key!r} belongs to the top of the file, above the first [[label]]"
    close = get_close_matches(key, kinds, n=1)
    return f"{place}: unknown key {key!r}" + (f"; did you mean {close[0]!r}?" if close else "")


def _is_known(label: Any, place: str, known: Sequence[str], faults: list[str]) -> bool:
    if isinstance(label, str) and label in known:
        return True
    faults.append(f"{place} is {label!r:.60}, which is no label's id")
    return False
