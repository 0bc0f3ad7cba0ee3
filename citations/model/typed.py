"""Values that say at once which of their fields has a value of a wrong type."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

_T = TypeVar("_T")


class TypeChecked:
    """A dataclass that checks the types of its fields, where they would else do harm far from here.

    Raises ``TypeError`` with the class, the field and the value. A list may stand for a tuple. Flags are not
    checked.
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        for name, kinds, items in _fields(type(self)):  # type: ignore[arg-type]  # a class is hashable
            if not isinstance(getattr(self, name), kinds):
                raise self._wrong(name, getattr(self, name), kinds, items)
            for index, one in enumerate(getattr(self, name) if items else ()):
                if not isinstance(one, items):
                    raise self._wrong(f"{name}[{index}]", one, items)

    def _wrong(self, place: str, value: object, kinds: _Kinds, items: _Kinds = ()) -> TypeError:
        expected = f"tuple of {_named(items)}" if items else _named(kinds)
        name = f"{self.__class__.__name__}.{place}"
        return TypeError(f"{name}: expected {expected}, and this is {_shown(value)}")


def expect(value: object, kind: type | UnionType, advice: str) -> None:
    """Raise ``TypeError`` with ``advice`` where ``value`` is no ``kind``."""
    if not isinstance(value, kind):
        raise TypeError(f"{advice}, and this is {_shown(value)}")


def expect_items(given: Iterable[_T], kind: type[_T], name: str) -> tuple[_T, ...]:
    """``given`` as a tuple. Raises ``TypeError`` with ``name`` where it is no list of values of ``kind``."""
    expect(given, Iterable, f"{name}: expected a list of {kind.__name__}")
    found = tuple(given)
    for index, one in enumerate(found):
        expect(one, kind, f"{name}[{index}]: expected {kind.__name__}")
    return found


_Kinds = tuple[type, ...]


@cache
def _fields(of: type[TypeChecked]) -> tuple[tuple[str, _Kinds, _Kinds], ...]:
    """The name of each checked field, what it may be, and what the items of a tuple may be."""
    hints = {name: hint for name, hint in get_type_hints(of).items() if hint is not bool}
    return tuple((name, _kinds(hint), _items(hint)) for name, hint in hints.items())


def _kinds(hint: Any) -> _Kinds:
    if get_origin(hint) is tuple:
        return (tuple, list)
    return tuple(kind for one in get_args(hint) for kind in _kinds(one)) or (hint,)


def _items(hint: Any) -> _Kinds:
    return _kinds(get_args(hint)[0]) if get_origin(hint) is tuple else ()


def _named(kinds: _Kinds) -> str:
    return " or ".join("None" if one is NoneType else one.__name__ for one in kinds)


def _shown(value: object) -> str:
    text = repr(value)
    return f"{type(value).__name__}: {text[:60]}{'…' if len(text) > 60 else ''}"
