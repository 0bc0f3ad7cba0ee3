"""The HTTP proxy between the bot and the internet.

aiohttp's own option (``trust_env``) would read ``~/.netrc`` for every request.
"""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from .loopback import is_loopback


def proxy_for(url: str) -> str | None:
    """The proxy for ``url`` by ``HTTPS_PROXY`` or the system's settings; None for this machine."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if is_loopback(host) or proxy_bypass(host):
        return None
    return _proxies().get(parts.scheme)


def proxy_hosts() -> frozenset[str]:
    """The hosts of all proxies, which are often in the bot's own network."""
    return frozenset(host for proxy in _proxies().values() if (host := urlsplit(proxy).hostname))


def _proxies() -> dict[str, str]:
    return {
        scheme: proxy if "://" in proxy else f"http://{proxy}"
        for scheme, proxy in getproxies().items()
        if scheme in ("http", "https") and proxy
    }
