"""The examples of the CommonMark specification, read from npm's ``commonmark-spec``.

They are not kept here: their licence (CC BY-SA 4.0) is not ours.
"""

from __future__ import annotations

import functools
import re

from .npm_package import npm_package

_EXAMPLE = re.compile(r"^`{32} example\n(?P<markdown>.*?)^\.\n(?P<html>.*?)^`{32}$", re.DOTALL | re.MULTILINE)


@functools.cache
def examples() -> tuple[tuple[str, str], ...]:
    """All ``(markdown, html)`` pairs of version 0.31.2, 652 of them."""
    package = npm_package(
        "commonmark-spec",
        "0.31.2",
        "sha512-vXKxmclzJPymhOJYD26G0oBjVmIcKC8p5m2DvHIq1A1btr1m0r0dT/PzRA5/nwxUbCAPedMNPEoiQE+zvuOcOw==",
    )
    text = (package / "spec.txt").read_text(encoding="utf-8")
    found = tuple(
        (match["markdown"].replace("→", "\t"), match["html"].replace("→", "\t"))
        for match in _EXAMPLE.finditer(text)
    )
    assert len(found) == 652
    return found


def texts() -> tuple[str, ...]:
    """The Markdown of every example."""
    return tuple(markdown for markdown, _ in examples())
