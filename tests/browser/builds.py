"""The builds of Web Chat that answers are tried in: the release that people have, and the main build."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bot.direct_line.bundle import Bundle, find_bundle
from tests.npm_package import npm_package


def _main() -> Bundle:
    package = npm_package(
        "botframework-webchat",
        "4.18.1-main.20251101.54e519d",
        "sha512-+SG3EI5RijXB7+zMMid1x7PEjMIwbKklY2DSubIMzuJQIU2IYQ+W80AcyDSWZdN0PuWoieXCchfOHf1poZ5nAw==",
    )
    return Bundle(package / "dist" / "webchat.js")


BUILDS: Final[dict[str, Callable[[], Bundle]]] = {"stable": find_bundle, "main": _main}
