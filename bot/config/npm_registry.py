"""The registry of npm's packages. npm itself is not needed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

NPM_REGISTRY: Final = "https://registry.npmjs.org/"
"""npm's own."""
_VARIABLES: Final = ("npm_config_registry", "NPM_CONFIG_REGISTRY")
"""npm reads its variables in any case."""


def npm_registry(environ: Mapping[str, str] = os.environ) -> str:
    """The address of the registry, with a slash at its end.

    Raises ``ValueError`` for what is no address, and for one with a name and a password. A log may show it.

    >>> npm_registry({"npm_config_registry": "http://127.0.0.1:4873"})
    'http://127.0.0.1:4873/'
    """
    given = next((value for name in _VARIABLES if (value := environ.get(name, "").strip())), NPM_REGISTRY)
    parts = urlsplit(given)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("npm_config_registry is no http or https address")
    if "@" in parts.netloc:
        raise ValueError("npm_config_registry has a user name, which only npm itself understands")
    return given.rstrip("/") + "/"
