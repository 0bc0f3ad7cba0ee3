"""Writes a cell's value as its number format shows it in Excel.

Governing source: ECMA-376 part 1, 18.8.31 (numFmts). Formats that follow the reader's system, such as the
short date, are written as ISO 8601, and decimals always with a point.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Final

_SYSTEM_DATES: Final = frozenset(("mm-dd-yy", "m/d/yy h:mm", "[$-f800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy"))
"""What openpyxl calls the formats 14 and 22, whose look is the system's, and the system's long date."""
_SECTION: Final = re.compile(r'(?:"[^"]*"|\\.|\[[^\]]*\]|[^;"\\\[])+|(?<=;)(?=;|$)')
_TOKEN: Final = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_.|\*.|\[\$(?P<symbol>[^\]-]*)[^\]]*\]|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<digits>[#0?][#0?.,]*(?:E[+-]0+)?|\.0+)|(?P<percent>%)|(?P<literal>.)"
)
_DATE_TOKEN: Final = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_.|\*.|\[(?P<elapsed>[hms]+)\]|\[[^\]]*\]'
    r"|(?P<half>am/pm|a/p)|(?P<part>y+|m+|d+|h+|s+)(?P<fraction>\.0+)?|(?P<literal>.)",
    re.IGNORECASE,
)
_CODES: Final = {
    "y": ("%y", "%y", "%Y"),
    "m": ("%m", "%m", "%b", "%B"),
    "d": ("%d", "%d", "%a", "%A"),
    "h": ("%H",),
    "half": ("%I",),
    "minute": ("%M",),
    "s": ("%S",),
}
"""The codes of ``strftime`` for a unit, by the number of times that its letter is written."""
_NO_TEXT: Final = re.compile(r'(?:(?:[^;"]|"[^"]*")*;){3}\s*')
"""A format whose fourth section, which is for text, shows nothing: ``;;;`` hides a cell."""
_CONDITION: Final = re.compile(r"[<>=]")
_EXACT: Final = 10**21
"""Larger whole numbers are written with an exponent."""
_LONGEST: Final = 200
"""A longer format is not interpreted."""


def format_value(value: object, number_format: str) -> str:
    """A cell's value as text; an empty cell is empty.

    >>> format_value(1234.5, '#,##0.00 "€"'), format_value(0.125, "0.0%"), format_value(7, "000")
    ('1,234.50 €', '12.5%', '007')
    """
    if value is None or isinstance(value, str):
        return "" if len(number_format) <= _LONGEST and _NO_TEXT.fullmatch(number_format) else value or ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, date | time | timedelta):
        return _format_date(value, number_format)
    if isinstance(value, int | float):
        return _format_number(value, number_format)
    return str(value)


def _format_number(value: float, number_format: str) -> str:
    sections = _SECTION.findall(number_format) if len(number_format) <= _LONGEST else []
    if not sections or any(_CONDITION.search(section) for section in sections):
        return _write_plainly(value)
    # One section is for all numbers; the second is for negative ones, and the third for zero.
    index = 1 if value < 0 and len(sections) > 1 else 2 if value == 0 and len(sections) > 2 else 0
    section = sections[index]
    tokens = list(_TOKEN.finditer(section))
    digits = [token["digits"] for token in tokens if token["digits"]]
    if section.strip().lower() in ("general", "@") or len(digits) > 1 or "/" in section:
        return _write_plainly(value)
    try:
        shown = _fill_digits(abs(value) * 100 ** section.count("%"), digits[0]) if digits else ""
    except (InvalidOperation, ValueError, OverflowError):
        return _write_plainly(value)
    sign = "-" if value < 0 and index != 1 else ""
    written = "".join(_write_token(token, shown) for token in tokens)
    return " ".join(f"{sign}{written}".split())


def _write_token(token: re.Match[str], number: str) -> str:
    written = (token[name] for name in ("quoted", "escaped", "symbol", "percent", "literal"))
    return number if token["digits"] else next(filter(None, written), "")


def _fill_digits(value: float, pattern: str) -> str:
    """Write a number that is not negative into a run of placeholders such as ``#,##0.00``."""
    pattern, _, exponent = pattern.partition("E")
    whole, _, decimals = pattern.partition(".")
    places = sum(decimals.count(sign) for sign in "0#?")
    if exponent:
        mantissa, _, power = f"{value:.{places}e}".partition("e")
        sign = "-" if int(power) < 0 else exponent[0].removeprefix("-")
        return f"{mantissa}E{sign}{abs(int(power)):0{len(exponent) - 1}d}"
    scaled = Decimal(repr(value)) / 1000 ** (len(pattern) - len(pattern.rstrip(",")))
    rounded = scaled.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    is_grouped = "," in whole.rstrip(",")
    before, _, after = f"{rounded:{',' if is_grouped else ''}f}".partition(".")
    required = decimals.count("0")
    after = after[:required] + after[required:].rstrip("0")
    before = before.lstrip("0") if "0" not in whole else before.zfill(whole.count("0"))
    return f"{before}.{after}" if after else before or "0"


def _write_plainly(value: float) -> str:
    """Write a number in the format *General*: up to eleven significant digits, whole ones up to 21."""
    if isinstance(value, int) or (value.is_integer() and abs(value) < _EXACT):
        return str(int(value))
    return f"{value:.11g}".replace("e", "E")


def _format_date(value: date | time | timedelta, number_format: str) -> str:
    pattern = number_format.partition(";")[0]
    is_unknown = len(pattern) > _LONGEST or not re.search("[ymdhs]", pattern, re.IGNORECASE)
    if pattern.lower() in _SYSTEM_DATES or is_unknown:
        return _write_iso(value)
    if isinstance(value, timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        shown = f"{minutes // 60}:{minutes % 60:02d}"
        return f"{shown}:{seconds:02d}" if "s" in pattern else shown
    tokens = list(_DATE_TOKEN.finditer(pattern))
    has_half = any(token["half"] for token in tokens)
    try:
        written = [
            _write_date_token(token, _is_minute(tokens, index), value, has_half=has_half)
            for index, token in enumerate(tokens)
        ]
    except ValueError:
        return _write_iso(value)
    return " ".join("".join(written).split())


def _is_minute(tokens: list[re.Match[str]], index: int) -> bool:
    """Whether an ``m`` is the minute: it stands behind hours or before seconds."""
    parts = [(one["part"] or one["elapsed"] or "").lower() for one in tokens]
    before, after = "".join(parts[:index])[-1:], "".join(parts[index + 1 :])[:1]
    return before == "h" or after == "s"


def _write_date_token(token: re.Match[str], is_minute: bool, value: date | time, *, has_half: bool) -> str:
    if token["half"]:
        return f"{value:%p}"
    part = (token["part"] or token["elapsed"] or "").lower()
    if not part:
        return token["quoted"] or token["escaped"] or token["literal"] or ""
    unit = "minute" if is_minute and part[0] == "m" else "half" if has_half and part[0] == "h" else part[0]
    if unit in "ymd" and isinstance(value, time):
        raise ValueError("a time has no date")
    codes = _CODES[unit]
    written = format(value, codes[min(len(part), len(codes)) - 1])
    return str(int(written)) if len(part) == 1 and unit != "y" else written


def _write_iso(value: date | time | timedelta) -> str:
    if isinstance(value, datetime):
        is_day = value.time() == time()
        return value.date().isoformat() if is_day else value.isoformat(" ", "minutes")
    return str(value)
