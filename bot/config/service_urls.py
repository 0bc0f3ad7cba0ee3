"""Which service URLs the bot talks to.

An activity says where its answer goes (``serviceUrl``), and our access token goes there with it. A
token of the channel's vouches for that URL; a stored reference or a caller without a token does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from .env import read_ids
from .loopback import is_loopback, service_host

_HOST: Final = re.compile(r"(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*|[0-9a-f:]*:[0-9a-f:]+", re.IGNORECASE)
_WRITTEN: Final = re.compile(r"[!-~]{1,2048}")
"""Printable ASCII."""
_SPECIAL: Final = frozenset("{}?#\\")
"""Braces are places to fill in for the SDK, behind the others there is no path any more."""
_NAT64: Final = ip_network("64:ff9b::/96")
_INSIDE: Final = (
    ip_network("::/96"),  # IPv4-compatible, deprecated (RFC 4291 § 2.5.5.1)
    ip_network("64:ff9b:1::/48"),  # NAT64 of a network's own (RFC 8215)
    ip_network("168.63.129.16/32"),  # Azure's own services, from within each virtual machine
)
"""Addresses that the registry counts as global, and that lead into the network that the bot is in."""


@dataclass(frozen=True, slots=True)
class ServiceUrls:
    """The hosts of the service URLs that answers may go to; ``.example.com`` is every name below it.

    ``channels`` are the hosts of a cloud's channels, ``named`` those that whoever runs the bot has
    named. Without any of both the bot is local: only this machine is allowed.
    """

    channels: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()

    @property
    def local(self) -> bool:
        """Whether answers stay on this machine."""
        return not self.channels and not self.named

    def allows(self, url: str) -> bool:
        """Whether answers may go to ``url``: an https URL without userinfo, of one of the hosts.

        This machine's own may be http.

        >>> urls = ServiceUrls(frozenset({".botframework.com"}))
        >>> urls.allows("https://webchat.botframework.com/"), urls.allows("http://webchat.botframework.com/")
        (True, False)
        """
        host = service_host(url)
        if host is None or not _WRITTEN.fullmatch(url) or _SPECIAL & set(url):
            return False
        # "[fd00::1%.botframework.com]" ends like a channel's name, and is an address with a zone (RFC 6874).
        if not _HOST.fullmatch(host):
            return False
        if is_loopback(host):
            return self.local or host in self.named
        return url.lower().startswith("https:") and _among(host, self.channels | self.named)

    def reaches(self, host: str, address: str) -> bool:
        """Whether ``address`` may be what the name ``host`` stands for.

        A channel's host has a public address; one that whoever runs the bot has named may have any.
        """
        return is_loopback(host) or _among(host, self.named) or _is_public(address)


def read_service_hosts(given: Mapping[str, str], faults: list[str]) -> frozenset[str]:
    """The hosts in ``SERVICE_URL_HOSTS``, where ``*.example.com`` is every name below it."""
    hosts = read_ids("SERVICE_URL_HOSTS", given)
    faults.extend(
        f"SERVICE_URL_HOSTS: {host} is not a host, such as bots.example.com, or *.example.com"
        for host in hosts
        if not _HOST.fullmatch(host)
    )
    return frozenset(host.lower().removeprefix("*") for host in hosts)


def _among(host: str, hosts: Iterable[str]) -> bool:
    return any(host.endswith(one) if one.startswith(".") else host == one for one in hosts)


def _is_public(address: str) -> bool:
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address):
        # Each of these stands for the IPv4 address in it (RFC 4291 § 2.5.5.2, RFC 6052, RFC 3056).
        ip = ip.ipv4_mapped or ip.sixtofour or (ip_address(int(ip) & 0xFFFFFFFF) if ip in _NAT64 else ip)
    return ip.is_global and not ip.is_multicast and not any(ip in network for network in _INSIDE)
