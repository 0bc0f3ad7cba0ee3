"""What axe-core finds on a page that is open in Chromium."""

from __future__ import annotations

from typing import Any, Final

from playwright.async_api import Page

from tests.npm_package import npm_package

_VERSION: Final = "4.14.1"
_INTEGRITY: Final = (
    "sha512-FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ=="
)
_RUN: Final = "axe.run({ resultTypes: ['violations'] })"


async def find_faults(page: Page) -> list[str]:
    """What axe finds on all of the page: rule and element."""
    if not await page.evaluate("'axe' in window"):
        package = npm_package("axe-core", _VERSION, _INTEGRITY)
        await page.evaluate((package / "axe.min.js").read_text(encoding="utf-8"))
    # Of the rules that are met, one element each is enough to know that it looked.
    found: dict[str, Any] = await page.evaluate(_RUN)
    assert found["passes"], "axe looked at nothing"
    return [
        f"{violation['id']}: {node['html']}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]
