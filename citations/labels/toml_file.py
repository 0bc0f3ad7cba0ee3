"""The labels file, in TOML. All its faults are reported at once, each with its line."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..model.channel_id import EVERY_CHANNEL, channel_ids, nearest_channel
from ..model.errors import LabelFormatError
from ..model.sensitivity_label import is_color
from ..text.line import clean_name
from ..text.name import did_you_mean
from ..text.url import safe_url
from .rule import CRITERIA

Table = Mapping[str, Any]

_TOP: Final[Mapping[str, type]] = {
    "label": list,
    "default": str,
    "unknown": str,
    "ceiling": dict,
    "rule": list,
}
_LABEL: Final[Mapping[str, type]] = {
    "id": str,
    "name": str,
    "priority": int,
    "description": str,
    "color": str,
    "encrypted": bool,
}
_RULE: Final[Mapping[str, type]] = {"label": str, **dict.fromkeys(CRITERIA, str)}
_KINDS: Final[Mapping[type, str]] = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "an array of tables",
    dict: "a table",
}
_NOT_TOML: Final = re.compile(r"(?P<fault>.*) \(at line (?P<line>\d+), column (?P<column>\d+)\)")
Path = tuple[str | int, ...]
"""A path such as ``("rule", 1, "file")``: the key ``file`` of the second ``[[rule]]``."""
_TOKEN: Final = re.compile(
    r'#[^\n]*|"""(?:\\.|[^\\])*?"{3,5}|'
    r"'''.*?'{3,5}|"
    r'"(?:\\.|[^"\\\n])*"|'
    r"'[^'\n]*'|\n|[\[\]{}=,.]|[^\s#\"'\[\]{}=,.]+",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class LabelFile:
    """The tables of a valid labels file: required keys are present and every id is known.

    ``rule_lines`` are the lines of ``rules``, counted from 1.
    """

    labels: Sequence[Table]
    default: str | None
    unknown: str | None
    ceilings: Mapping[str, str]
    rules: Sequence[Table]
    rule_lines: Sequence[int | None]


def read_label_file(text: str) -> LabelFile:
    """Read TOML; raises :class:`LabelFormatError` with every fault, in the order of lines."""
    # "Newline means LF (0x0A) or CRLF (0x0D 0x0A)" (TOML 1.0).
    text = text.replace("\r\n", "\n")
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise LabelFormatError((_not_toml(str(error), text),)) from None
    lines = read_lines(text)
    faults = _Faults(lines)
    top = _check(document, (), _TOP, (), faults)
    labels = _labels(top.get("label", []), faults)
    known = [label["id"] for label in labels if "id" in label]
    default, unknown = (
        top[key] if key in top and _is_known(top[key], (key,), known, faults) else None
        for key in ("default", "unknown")
    )
    ceilings = _ceilings(top.get("ceiling", {}), known, faults)
    rules = _rules(top.get("rule", []), known, faults)
    faults.tell()
    rule_lines = [line_of(("rule", index), lines) for index in range(len(rules))]
    return LabelFile(labels, default, unknown, ceilings, rules, rule_lines)


class _Faults:
    """The faults of a file, each with its line."""

    def __init__(self, lines: Mapping[Path, int]) -> None:
        self._lines = lines
        self._found: list[tuple[int, str]] = []

    def add(self, path: Path, fault: str) -> None:
        """Add a fault of the value at ``path``."""
        line = line_of(path, self._lines)
        place = _place(path)
        message = f"{place}: {fault}" if place else fault
        self._found.append((line or 1, f"line {line}: {message}" if line else message))

    def tell(self) -> None:
        """Raise :class:`LabelFormatError` if there are any faults."""
        if self._found:
            faults = sorted(self._found, key=lambda found: found[0])
            raise LabelFormatError(tuple(fault for _, fault in faults))


def _place(path: Path) -> str:
    """A table in a person's words: ``rule 2``."""
    return f"{path[0]} {path[1] + 1}" if len(path) > 1 and isinstance(path[1], int) else ""


def _not_toml(error: str, text: str) -> str:
    found = _NOT_TOML.fullmatch(error)
    if found is None:  # "at end of document"
        return f"line {text.rstrip().count(chr(10)) + 1}: not TOML: {error}"
    return f"line {found['line']}: not TOML: {found['fault']} (column {found['column']})"


def _labels(tables: list[Any], faults: _Faults) -> list[Table]:
    labels: list[Table] = []
    first: dict[str, int] = {}
    ranks: dict[int, int] = {}
    for index, table in enumerate(tables):
        path = ("label", index)
        label = _check(table, path, _LABEL, ("id", "name", "priority"), faults)
        if label.get("priority", 0) < 0:
            faults.add((*path, "priority"), f"priority is {label['priority']}; the lowest is 0")
        if "priority" in label and (same := ranks.setdefault(label["priority"], index)) != index:
            both = f"{labels[same].get('name')!r} and {label.get('name')!r}"
            taken = f"priority {label['priority']} is label {same + 1}'s already"
            faults.add((*path, "priority"), f"{taken}; of {both} one must be higher")
        if "color" in label and not is_color(label["color"]):
            fault = f"color {label['color']!r} is neither #rrggbb nor a CSS colour's name"
            faults.add((*path, "color"), fault)
        if "name" in label and not clean_name(label["name"]):
            faults.add((*path, "name"), "name has no character that can be seen")
        if "id" in label and (before := first.setdefault(label["id"], index)) != index:
            faults.add((*path, "id"), f"id {label['id']!r} is label {before + 1}'s already")
        labels.append(label)
    if not labels:
        faults.add(("label",), "no [[label]] is given")
    return labels


def _ceilings(table: Table, known: Sequence[str], faults: _Faults) -> dict[str, str]:
    """The ceilings by channel id, in lower case."""
    ceilings: dict[str, str] = {}
    for channel, label in table.items():
        path = ("ceiling", channel)
        if channel.lower() not in (*channel_ids(), EVERY_CHANNEL):
            faults.add(path, _unknown_channel(channel))
        if channel.lower() in ceilings:
            faults.add(path, f"ceiling.{channel} is given twice: letters of both sizes are one channel")
        elif _is_known(label, path, known, faults):
            ceilings[channel.lower()] = label
    return ceilings


def _unknown_channel(channel: str) -> str:
    nearest = nearest_channel(channel)
    known = f"did you mean {nearest!r}?" if nearest else f"known are {', '.join(channel_ids())}"
    return f"ceiling is for {channel!r:.60}, which is no channel's id; {known}"


def _rules(tables: list[Any], known: Sequence[str], faults: _Faults) -> list[Table]:
    rules: list[Table] = []
    for index, table in enumerate(tables):
        path = ("rule", index)
        rule = _check(table, path, _RULE, ("label",), faults)
        if "label" in rule:
            _is_known(rule["label"], (*path, "label"), known, faults)
        # Only the keys count here: a wrong value is a fault of its own.
        given = [key for key in CRITERIA if isinstance(table, dict) and key in table]
        if len(given) != 1:
            *others, last = CRITERIA
            faults.add(path, f"give one of {', '.join(others)} and {last}, not {len(given)}")
        if "url_prefix" in rule and safe_url(rule["url_prefix"]) is None:
            message = f"url_prefix {rule['url_prefix']!r} is not an http or https URL"
            faults.add((*path, "url_prefix"), message)
        rules.append(rule)
    return rules


def _check(
    table: Any, path: Path, kinds: Mapping[str, type], required: Sequence[str], faults: _Faults
) -> dict[str, Any]:
    """The keys of ``table`` with valid values. The others become faults."""
    if not isinstance(table, dict):
        faults.add(path, "must be a table")
        return {}
    right: dict[str, Any] = {}
    for key, value in table.items():
        if key not in kinds:
            faults.add((*path, key), _unknown_key(key, path, kinds))
        elif type(value) is not kinds[key]:
            faults.add((*path, key), f"{key} must be {_KINDS[kinds[key]]}, not {value!r:.60}")
        elif isinstance(value, str) and not value.strip():
            faults.add((*path, key), f"{key} is empty")
        else:
            right[key] = value
    for key in required:
        if key not in table:
            faults.add(path, f"{key} is missing")
    return right


def _unknown_key(key: str, path: Path, kinds: Mapping[str, type]) -> str:
    if path and key in _TOP:
        # In TOML a key below a [[label]] belongs to that label.
        return f"{key!r} belongs to the top of the file, above the first [[label]]"
    return f"unknown key {key!r}{did_you_mean(key, kinds)}"


def _is_known(label: Any, path: Path, known: Sequence[str], faults: _Faults) -> bool:
    if isinstance(label, str) and label in known:
        return True
    name = ".".join(str(step) for step in path if path[0] == "ceiling") or path[-1]
    faults.add(path, f"{name} is {label!r:.60}, which is no label's id")
    return False


def read_lines(text: str) -> Mapping[Path, int]:
    """The line of each table and key of ``text``, valid TOML: ``tomllib`` does not keep them.

    What stands in an inline table, or in an array of them, has the line of its key.
    """
    lines: dict[Path, int] = {}
    tables: Counter[str] = Counter()
    table: Path = ()
    for line, statement in _statements(text):
        if statement[:2] == ["[", "["]:
            name = _name(statement[2])
            table = (name, tables[name])
            tables[name] += 1
            _begin(table, line, lines)
        elif statement[0] == "[":
            table = tuple(map(_name, statement[1:-1:2]))
            _begin(table, line, lines)
        else:
            keys = statement[: statement.index("=")]
            _begin((*table, *map(_name, keys[::2])), line, lines)
    return lines


def _begin(path: Path, line: int, lines: dict[Path, int]) -> None:
    """Note a table's line. ``ceiling.sms = "general"`` also begins the table ``ceiling``."""
    for length in range(1, len(path) + 1):
        lines.setdefault(path[:length], line)


def line_of(path: Path, lines: Mapping[Path, int]) -> int | None:
    """The line of ``path``, or of its nearest known parent; None for the whole file."""
    return next((lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in lines), None)


def _statements(text: str) -> Iterator[tuple[int, list[str]]]:
    """The table headers and key-value pairs as tokens, each with its first line."""
    line, begun, depth = 1, 1, 0
    statement: list[str] = []
    for found in _TOKEN.finditer(text):
        sign = found[0]
        if sign == "\n" and statement and depth == 0:
            yield begun, statement
            statement = []
        elif sign != "\n" and not sign.startswith("#"):
            begun = begun if statement else line
            statement.append(sign)
            depth += (sign in "[{") - (sign in "]}")
        line += sign.count("\n")
    if statement:
        yield begun, statement


def _name(token: str) -> str:
    """A key without its quotes. A key with escapes is not found; its table's line replaces it."""
    return token[1:-1] if token[:1] in ('"', "'") else token
