"""How many tokens an address may have: each costs a request to Direct Line."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

from aiohttp import web

AT_ONCE: Final = 30
"""Tokens that an address may have at once. An office often has one address for all its people."""
EVERY: Final = 2.0
"""Seconds until an address may have one more."""
_MOST: Final = 10_000
"""The most addresses that are known; the oldest is forgotten first."""


class AddressLimit:
    """Counts what each address has taken. ``clock`` is in seconds."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """What an address may still have, and when it was counted."""

    def admit(self, address: str) -> bool:
        """Whether ``address`` may have one more now, which is then taken."""
        now = self._clock()
        left, counted = self._left.pop(address, (AT_ONCE, now))
        left = min(AT_ONCE, left + (now - counted) / EVERY)
        admitted = left >= 1
        self._left[address] = left - admitted, now
        if len(self._left) > _MOST:
            self._left.popitem(last=False)
        return admitted


def address_of(request: web.Request) -> str:
    """The address that a request came from; of IPv6 its network, which is one subscriber's.

    A request from an address that is not public comes from a proxy of one's own. It has put the address
    that it saw at the end of ``X-Forwarded-For``; what stands before that, anybody may have written.
    """
    hops = ",".join(request.headers.getall("X-Forwarded-For", [])).split(",")
    address = request.remote or ""
    while (ip := _read(address)) and not ip.is_global and hops and _read(hops[-1]):
        address = hops.pop()
    return str(ip_network((ip, 64), strict=False) if isinstance(ip, IPv6Address) else ip)


def _read(address: str) -> IPv4Address | IPv6Address | None:
    """The address, which some proxies write with a port; None where it is no address."""
    address = address.strip()
    host = address.partition(":")[0] if address.count(":") == 1 else address.lstrip("[").partition("]")[0]
    try:
        return ip_address(host)
    except ValueError:
        return None
