"""Which service URLs answers go to, and our token with them."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.config.cloud import PUBLIC, US_GOVERNMENT
from bot.config.service_urls import ServiceUrls
from bot.connector.resolver import ChannelResolver

LOCAL = ServiceUrls()
CLOUD = ServiceUrls(frozenset(PUBLIC.service_hosts))
GOVERNMENT = ServiceUrls(frozenset(US_GOVERNMENT.service_hosts))
NAMED = ServiceUrls(
    frozenset(PUBLIC.service_hosts), frozenset({"127.0.0.1", "bots.example.com", ".corp.example"})
)

OURS = [
    (LOCAL, "http://localhost:3978/"),
    (LOCAL, "http://127.0.0.1:50000/"),
    (LOCAL, "https://[::1]:3978/v3/directline"),
    (CLOUD, "https://smba.trafficmanager.net/amer/0c3d4b55-1111-4222-8333-000000000001/"),
    (CLOUD, "https://smba.trafficmanager.net/teams/"),
    (CLOUD, "https://SMBA.trafficmanager.net/emea/"),
    (CLOUD, "https://webchat.botframework.com/"),
    (CLOUD, "https://directline.botframework.com/"),
    (CLOUD, "https://europe.directline.botframework.com/"),
    (CLOUD, "https://sms.botframework.com/"),
    (CLOUD, "https://email.botframework.com/"),
    (CLOUD, "https://slack.botframework.com"),
    (CLOUD, "https://telegram.botframework.com/"),
    (CLOUD, "https://facebook.botframework.com/"),
    (CLOUD, "https://smba.infra.gcc.teams.microsoft.com/teams"),
    (GOVERNMENT, "https://smba.infra.gov.teams.microsoft.us/gcch/"),
    (GOVERNMENT, "https://smba.infra.dod.teams.microsoft.us/dod/"),
    (GOVERNMENT, "https://directline.botframework.azure.us/"),
    (NAMED, "https://webchat.botframework.com/"),
    (NAMED, "https://bots.example.com:8443/connector/"),
    (NAMED, "https://a.b.corp.example/"),
    (NAMED, "http://127.0.0.1:5000/"),
]

FOREIGN = [
    (LOCAL, "https://webchat.botframework.com/"),
    (LOCAL, "http://localhost.evil.test/"),
    (LOCAL, "http://10.0.0.1/"),
    (LOCAL, "http://0.0.0.0:3978/"),
    (CLOUD, "http://webchat.botframework.com/"),
    (CLOUD, "https://evil.test/"),
    (CLOUD, "https://botframework.com.evil.test/"),
    (CLOUD, "https://evilbotframework.com/"),
    (CLOUD, "https://evil-smba.trafficmanager.net/"),
    (CLOUD, "https://a.smba.trafficmanager.net/"),
    (CLOUD, "https://smba.trafficmanager.net@evil.test/"),
    (CLOUD, "https://user:pw@smba.trafficmanager.net/"),
    (CLOUD, "https://evil.test\\@smba.trafficmanager.net/"),
    (CLOUD, "https://evil.test#@smba.trafficmanager.net/"),
    (CLOUD, "https://smba.trafficmanager.net/#"),
    (CLOUD, "https://smba.trafficmanager.net/?to="),
    (CLOUD, "https://smba.trafficmanager.net/{conversationId}"),
    (CLOUD, "https://smba.trafficmanager.net/\n"),
    (CLOUD, "https://smba.trafficmanager\u3002net/"),
    (CLOUD, "https://smba.trafficmanager.net:99999/"),
    (CLOUD, "https:smba.trafficmanager.net"),
    (CLOUD, "https:///teams"),
    (CLOUD, "https://[fd00::1%.botframework.com]/"),
    (CLOUD, "https://[fd00::1%25.botframework.com]/"),
    (CLOUD, "https://evil.test%2f.botframework.com/"),
    (CLOUD, "https://evil.test%00.botframework.com/"),
    (CLOUD, "https://evil.test;.botframework.com/"),
    (CLOUD, "https://.botframework.com/"),
    (CLOUD, "//smba.trafficmanager.net/teams/"),
    (CLOUD, "ftp://smba.trafficmanager.net/"),
    (CLOUD, "http://127.0.0.1:5000/"),
    (CLOUD, "https://localhost/"),
    (CLOUD, "https://169.254.169.254/metadata/instance"),
    (CLOUD, "https://smba.infra.gov.teams.microsoft.us/"),
    (CLOUD, ""),
    (GOVERNMENT, "https://smba.trafficmanager.net/teams/"),
    (NAMED, "http://bots.example.com/"),
    (NAMED, "http://localhost:5000/"),
    (NAMED, "https://corp.example/"),
]  # fmt: skip


@pytest.mark.parametrize(("urls", "url"), OURS)
def test_answers_go_there(urls: ServiceUrls, url: str) -> None:
    assert urls.allows(url)


@pytest.mark.parametrize(("urls", "url"), FOREIGN)
def test_answers_do_not_go_there(urls: ServiceUrls, url: str) -> None:
    assert not urls.allows(url)


@given(
    st.text(max_size=80)
    | st.from_regex(r"https://[a-z.@:/\\#?\[\]]{0,40}smba\.trafficmanager\.net[ -~]{0,20}")
)
def test_only_the_host_decides(url: str) -> None:
    if CLOUD.allows(url):
        assert url.lower().startswith(
            ("https://smba.trafficmanager.net/", "https://smba.trafficmanager.net:")
        ) or (url.lower().rstrip("/") == "https://smba.trafficmanager.net")


ADDRESSES = [
    ("20.50.2.1", True),
    ("2603:1030::1", True),
    ("::ffff:20.50.2.1", True),
    ("64:ff9b::1432:201", True),  # NAT64 of 20.50.2.1
    ("10.0.0.5", False),
    ("172.16.3.4", False),
    ("192.168.1.1", False),
    ("127.0.0.1", False),
    ("0.0.0.0", False),
    ("169.254.169.254", False),
    ("100.64.0.1", False),
    ("224.0.0.1", False),
    ("255.255.255.255", False),
    ("::1", False),
    ("::", False),
    ("fe80::1%eth0", False),
    ("fd00::1", False),
    ("ff02::1", False),
    ("::ffff:127.0.0.1", False),
    ("64:ff9b::a9fe:a9fe", False),  # NAT64 of 169.254.169.254
    ("2002:7f00:1::", False),  # 6to4 of 127.0.0.1
    ("::127.0.0.1", False),
    ("::20.50.2.1", False),
    ("64:ff9b:1::1432:201", False),
    ("64:ff9b:1:ffff::a9fe:a9fe", False),
    ("168.63.129.16", False),
    ("64:ff9b::a83f:8110", False),  # NAT64 of 168.63.129.16
    ("::ffff:168.63.129.16", False),
    ("168.63.129.17", True),
]


@pytest.mark.parametrize(("address", "public"), ADDRESSES)
def test_a_channels_name_stands_for_a_public_address(address: str, public: bool) -> None:
    assert NAMED.allows_address("webchat.botframework.com", address) is public
    assert NAMED.allows_address("bots.example.com", address), "whoever named it knows where it is"
    assert NAMED.allows_address("127.0.0.1", address)


async def test_a_channels_name_that_leads_into_our_network_is_not_resolved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = {
        "webchat.botframework.com": ["10.0.0.5", "127.0.0.1"],
        "sms.botframework.com": ["20.50.2.1", "10.0.0.5"],
    }

    def getaddrinfo(host: str, port: int, *others: Any, **more: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in known[host]]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    resolver = ChannelResolver(CLOUD)
    with pytest.raises(OSError, match="not a channel's"):
        await resolver.resolve("webchat.botframework.com", 443)
    found = await resolver.resolve("sms.botframework.com", 443)
    assert [one["host"] for one in found] == ["20.50.2.1"]
