"""The service URLs to which the bot sends answers.

An activity's ``serviceUrl`` is the destination of its answer, and of the bot's access token. A channel's
token confirms that URL. Without one, as with a stored conversation reference, only the host is checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Annotated, Final

from pydantic import AfterValidator, Field

from .loopback import is_loopback, service_host

_HOST: Final = re.compile(r"(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*|[0-9a-f:]*:[0-9a-f:]+", re.IGNORECASE)
_PRINTABLE: Final = re.compile(r"[!-~]{1,2048}")
"""Printable ASCII."""
_SPECIAL: Final = frozenset("{}?#\\")
"""The SDK's URL templates use braces, and the other characters end the path."""
_NAT64: Final = ip_network("64:ff9b::/96")
_INTERNAL: Final = (
    ip_network("::/96"),  # IPv4-compatible, deprecated (RFC 4291 § 2.5.5.1)
    ip_network("64:ff9b:1::/48"),  # a network's own NAT64 (RFC 8215)
    ip_network("168.63.129.16/32"),  # Azure's services for a virtual machine
)
"""Addresses in the bot's own network that the IANA registry counts as global."""


@dataclass(frozen=True, slots=True)
class ServiceUrls:
    """The hosts to which answers may be sent; ``.example.com`` means every name below ``example.com``.

    ``channels`` are the hosts of a cloud's channels. The operator configures those in ``named``. Without
    either the bot is local: only this machine is allowed.
    """

    channels: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()

    @property
    def local(self) -> bool:
        """Whether answers stay on this machine."""
        return not self.channels and not self.named

    def allows(self, url: str) -> bool:
        """Whether answers may be sent to ``url``: an https URL without userinfo, of one of the hosts.

        This machine's own URL may be http.

        >>> urls = ServiceUrls(frozenset({".botframework.com"}))
        >>> urls.allows("https://webchat.botframework.com/"), urls.allows("http://webchat.botframework.com/")
        (True, False)
        """
        host = service_host(url)
        if host is None or not _PRINTABLE.fullmatch(url) or _SPECIAL & set(url):
            return False
        # "[fd00::1%.botframework.com]" ends like a channel's host, but is an address with a zone (RFC 6874).
        if not _HOST.fullmatch(host):
            return False
        if is_loopback(host):
            return self.local or host in self.named
        return url.lower().startswith("https:") and _matches(host, self.channels | self.named)

    def allows_address(self, host: str, address: str) -> bool:
        """Whether ``host`` may resolve to ``address``.

        A channel's host must have a public address. A host that the operator configured may have any.
        """
        return is_loopback(host) or _matches(host, self.named) or _is_public(address)


Host = Annotated[
    str,
    Field(pattern=rf"^(?i:\.?(?:{_HOST.pattern}))$"),
    AfterValidator(lambda host: host.lower().removeprefix("*")),
]
"""A host of service URLs; ``*.example.com`` means every name below ``example.com``."""


def _matches(host: str, allowed: Iterable[str]) -> bool:
    return any(host.endswith(name) if name.startswith(".") else host == name for name in allowed)


def _is_public(address: str) -> bool:
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address):
        # These forms contain an IPv4 address (RFC 4291 § 2.5.5.2, RFC 6052, RFC 3056).
        ip = ip.ipv4_mapped or ip.sixtofour or (ip_address(int(ip) & 0xFFFFFFFF) if ip in _NAT64 else ip)
    return ip.is_global and not ip.is_multicast and not any(ip in network for network in _INTERNAL)
