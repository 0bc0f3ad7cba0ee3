"""The regular expressions of ``citations`` and ``bot``, and what is done with them."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import pkgutil
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("citations", "bot")
_CALLS: Final = ("compile", "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")
_ANYTHING: Final = "w"
"""Stands for a part of an expression that is known only while the program runs: words, mostly."""


class Expression(NamedTuple):
    """An expression, where it is written (``citations/text/url.py``, a line), and its name there, if it has one.

    ``searched`` says whether it begins at several places of a text, ``whole`` whether it must match all of it.
    """

    module: str
    line: int
    name: str
    pattern: str
    flags: int
    searched: bool
    whole: bool


@cache
def expressions() -> tuple[Expression, ...]:
    """All expressions, in the order of their modules."""
    compiled = _compiled()
    calls = _uses()
    found: list[Expression] = []
    for module, nodes in _nodes().items():
        names = dict(_names(nodes))
        for call in _calls(nodes):
            method = call.func.attr  # type: ignore[attr-defined]
            name = names.get(call, "")
            used = (
                calls[_key(module, name)]
                if method == "compile" and name
                else {("*", 2)}
                if method == "compile"
                else {(method, 1)}
            )
            patterns = compiled.get((module, call.lineno), []) if method == "compile" else []
            for pattern, flags in patterns or _written(call, module):
                searched = any(one != "fullmatch" and (one != "match" or count > 1) for one, count in used)
                whole = any(one == "fullmatch" for one, _ in used)
                found.append(Expression(module, call.lineno, name, pattern, flags, searched, whole))
    return tuple(dict.fromkeys(found))


@cache
def _nodes() -> dict[str, list[ast.AST]]:
    """The nodes of the syntax tree of each module, by its path."""
    paths = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return {
        path.relative_to(ROOT).as_posix(): [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
        for path in paths
    }


def _calls(nodes: list[ast.AST]) -> Iterator[ast.Call]:
    for node in nodes:
        match node:
            case ast.Call(ast.Attribute(ast.Name("re"), method), [_, *_]) if method in _CALLS:
                yield node


def _names(nodes: list[ast.AST]) -> Iterator[tuple[ast.Call, str]]:
    """The name that the value of each call has, if it is assigned."""
    for node in nodes:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name):
                yield node.value, target.id
        elif isinstance(node, ast.FunctionDef):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Return) and isinstance(inner.value, ast.Call):
                    yield inner.value, node.name


def _key(module: str, name: str) -> str:
    """The name by which an expression is known: a private one in its own module alone."""
    return f"{module}:{name}" if name.startswith("_") else name


@cache
def _uses() -> defaultdict[str, set[tuple[str, int]]]:
    """The methods that are called of each name, with their number of arguments; ``*`` for any other use."""
    found: defaultdict[str, set[tuple[str, int]]] = defaultdict(set)
    for module, nodes in _nodes().items():
        methods: set[ast.AST] = set()
        for node in nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                of = node.func.value.func if isinstance(node.func.value, ast.Call) else node.func.value
                if isinstance(of, ast.Name):
                    found[_key(module, of.id)].add((node.func.attr, len(node.args)))
                    methods.add(of)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                if node.attr == "fullmatch":
                    found[_key(module, node.value.id)].add((node.attr, 1))
                if node.attr in ("fullmatch", "pattern"):
                    methods.add(node.value)
        for node in nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node not in methods:
                found[_key(module, node.id)].add(("*", 2))
    return found


def _written(call: ast.Call, module: str) -> Iterator[tuple[str, int]]:
    """The expression of a call as it is written, as far as its module knows the parts of it."""
    names = vars(
        importlib.import_module(module.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    )
    pattern = _text(call.args[0], names)
    flags = [one.value for one in call.keywords if one.arg == "flags"] + call.args[1:3]
    value = 0
    for one in flags:
        try:
            known = eval(compile(ast.Expression(one), module, "eval"), names)
        except NameError:
            continue
        value |= int(known) if isinstance(known, re.RegexFlag) else 0
    yield pattern, value


def _text(node: ast.expr, names: dict[str, Any]) -> str:
    try:
        found = eval(compile(ast.Expression(node), "", "eval"), dict(names))
    except (NameError, AttributeError):
        found = None
    if isinstance(found, bytes):
        return found.decode("latin-1")
    if isinstance(found, str):
        return found
    if isinstance(node, ast.JoinedStr):
        return "".join(str(_text(one, names)) for one in node.values)
    if isinstance(node, ast.FormattedValue):
        return _text(node.value, names)
    if isinstance(node, ast.BinOp):
        return f"{_text(node.left, names)}{_text(node.right, names)}"
    return _ANYTHING


@cache
def _compiled() -> dict[tuple[str, int], list[tuple[str, int]]]:
    """The expressions that are compiled in a new process while all modules are imported, by module and line."""
    done = subprocess.run([sys.executable, "-m", __name__], cwd=ROOT, capture_output=True, check=True)
    found: dict[tuple[str, int], list[tuple[str, int]]] = {}
    for module, line, pattern, flags in json.loads(done.stdout):
        found.setdefault((module, line), []).append((pattern, flags))
    return found


def _record() -> None:
    """Import every module, call what a module computes once, and print the expressions."""
    found: dict[tuple[str, int, str, int], None] = {}
    compile_ = re.compile

    def recorded(pattern: Any, flags: int = 0) -> re.Pattern[Any]:
        frame = sys._getframe(1)
        path = Path(frame.f_code.co_filename)
        if isinstance(pattern, str | bytes) and path.is_relative_to(ROOT) and "tests" not in path.parts:
            text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
            found[path.relative_to(ROOT).as_posix(), frame.f_lineno, text, int(flags)] = None
        return compile_(pattern, flags)

    re.compile = recorded
    for package in PACKAGES:
        for module in pkgutil.walk_packages([str(ROOT / package)], f"{package}."):
            if not module.name.endswith("__main__"):
                try:
                    _compute(importlib.import_module(module.name))
                except ImportError:
                    continue
    print(json.dumps([*found]))


def _compute(module: Any) -> None:
    for value in list(vars(module).values()):
        own = getattr(value, "__module__", None) == module.__name__
        is_kept = own and hasattr(value, "cache_info") and not inspect.signature(value).parameters
        if is_kept and "re.compile(" in inspect.getsource(value):
            value()


if __name__ == "__main__":
    _record()
