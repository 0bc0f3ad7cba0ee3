"""Host names and URLs of this machine."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit


@lru_cache(maxsize=256)
def is_loopback(name: str) -> bool:
    """Whether a host name or address, without a port, always means this machine.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("localhost.example.com")
    (True, True, False)
    """
    if name.lower() == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def host_of_authority(authority: str) -> str | None:
    """The host of a ``Host`` header such as ``localhost:3978`` or ``[::1]:3978``; None if it is invalid."""
    try:
        parts = urlsplit(f"//{authority}")
        parts.port  # noqa: B018 - this raises for an invalid port
    except ValueError:
        return None
    invalid = parts.path or parts.query or parts.fragment or "@" in authority
    return None if invalid else parts.hostname


def service_host(url: str) -> str | None:
    """The host of an ``Activity.serviceUrl``; None unless it is http or https, without userinfo.

    The SDK would turn ``user:password@`` into an ``Authorization: Basic`` header.
    """
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - this raises for an invalid port
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or "@" in parts.netloc or "\\" in url:
        return None
    return parts.hostname
