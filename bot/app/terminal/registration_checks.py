"""What ``doctor`` looks at of a registration: token, secret, keys, clock, and the connection of a sign-in."""

from __future__ import annotations

import datetime as dt
import json
import time
from collections.abc import AsyncIterator
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, Final

import aiohttp
from aiohttp import hdrs
from botbuilder.schema import Activity, ChannelAccount, ConversationAccount

from ...access.entra import Entra
from ...access.exchange import ExchangeReply, send
from ...access.refreshing_value import Unavailable
from ...access.registration import Registration
from ...config.cloud import Cloud
from ...config.credentials import (
    FEDERATED_IDENTITY,
    MANAGED_IDENTITY,
    MULTI_TENANT,
    SINGLE_TENANT,
    Credentials,
)
from ...config.service_urls import ServiceUrls
from ...config.sign_in import SignInOptions
from ...connector import ChannelRefusal, ConnectorError, Connectors
from .finding import Finding, fault, good, note, reason

SOON: Final = 14
"""Days before the end of a secret or a certificate in which it should be renewed."""
_DAY: Final = 24 * 3600
_CLOCK: Final = 120
"""Seconds by which the clock may differ. Tokens are refused from 300 on."""
_UNREACHABLE: Final = (aiohttp.ClientError, TimeoutError, OSError, ValueError)
_PLACE: Final = "Entra ID (App registrations, Certificates & secrets)"
_RENEW: Final = f"Make a new client secret in {_PLACE}, and put its value into MicrosoftAppPassword."
_MENDS: Final = {
    "AADSTS7000215": f"It needs the secret's value, and not its id. {_RENEW}",
    "AADSTS7000222": f"The secret has ended. {_RENEW}",
    "AADSTS700016": "Look whether MicrosoftAppId and MicrosoftAppTenantId belong together.",
    "AADSTS90002": "Look at MicrosoftAppTenantId: there is no such tenant.",
}
_MEND: Final = "Look at MicrosoftAppId, MicrosoftAppPassword, MicrosoftAppType and MicrosoftAppTenantId."
_SIGN_IN_MEND: Final = (
    "Compare SIGN_IN_CONNECTION with the OAuth connection settings of the bot in the Azure portal: "
    "docs/microsoft365.md."
)


async def check_registration(credentials: Credentials, cloud: Cloud) -> AsyncIterator[Finding]:
    """Look at the credentials, and at what else the bot needs of Microsoft's services."""
    if credentials.kind == MULTI_TENANT:
        yield note(
            "No tenant is set (MicrosoftAppTenantId).",
            "That is right only for a multi-tenant bot, which was registered before August 2025.",
        )
    entra = Entra(credentials, cloud)
    try:
        found = await _check_token(entra, cloud)
        yield found or good("The credentials get a token.")
        if not found:
            yield await _check_secret(entra, credentials, cloud)
    finally:
        entra.close()
    for finding in await _check_keys(cloud):
        yield finding


async def _check_token(entra: Entra, cloud: Cloud) -> Finding | None:
    """The fault of the credentials, if there is one."""
    try:
        await entra.acquire_token(cloud.scope)
    except Unavailable as error:
        mend = next((mend for code, mend in _MENDS.items() if code in str(error)), _MEND)
        return fault(f"The credentials get no token: {error}.", mend)
    except Exception as error:  # noqa: BLE001 - MSAL's, too, for a response that it can't parse
        host = cloud.login.removeprefix("https://").strip("/")
        return fault(
            f"{host} does not answer as it should ({reason(error)}).",
            "Let the bot connect to it, or set HTTPS_PROXY.",
        )
    return None


async def _check_secret(entra: Entra, credentials: Credentials, cloud: Cloud) -> Finding:
    if credentials.kind in (MANAGED_IDENTITY, FEDERATED_IDENTITY):
        return good("A managed identity has no secret that ends.")
    end = await _find_end(entra, credentials, cloud) if credentials.kind == SINGLE_TENANT else None
    if end is None:
        return note(
            "When the client secret ends can't be known from here.",
            f"Look in {_PLACE}, and put the day into a calendar: from then on the bot is silent.",
        )
    days = int((end.timestamp() - time.time()) / _DAY)
    if days < SOON:
        return fault(f"The client secret ends in {days} days, on {end:%Y-%m-%d}.", _RENEW)
    return good(f"The client secret ends in {days} days, on {end:%Y-%m-%d}.")


async def _find_end(entra: Entra, credentials: Credentials, cloud: Cloud) -> dt.datetime | None:
    """When the secret ends; None where the app may not read its own registration, as most may not."""
    url = f"{cloud.graph}/v1.0/applications(appId='{credentials.app_id}')?$select=passwordCredentials"
    try:
        token = (await entra.acquire_token(cloud.graph)).value
        reply = await send(hdrs.METH_GET, url, headers={hdrs.AUTHORIZATION: f"Bearer {token}"})
        found: Any = (
            json.loads(reply.text)["passwordCredentials"] if reply.status_code == HTTPStatus.OK else []
        )
        # The hint is the beginning of the secret.
        ends = [
            dt.datetime.fromisoformat(one["endDateTime"])
            for one in found
            if credentials.password.startswith(one["hint"])
        ]
    except (Unavailable, KeyError, TypeError, *_UNREACHABLE):
        return None
    return min(ends, default=None)


async def _check_keys(cloud: Cloud) -> list[Finding]:
    try:
        reply = await send(hdrs.METH_GET, cloud.metadata, redirects=True)
        json.loads(reply.text)["jwks_uri"]
    except (*_UNREACHABLE, KeyError, TypeError) as error:
        sentence = f"The channels' keys can't be fetched from {cloud.metadata} ({reason(error)})."
        return [fault(sentence, "Let the bot connect to it, or set HTTPS_PROXY.")]
    return [good("The channels' keys can be fetched."), *_check_clock(reply)]


def _check_clock(reply: ExchangeReply) -> list[Finding]:
    """Compare this machine's clock with the service's."""
    try:
        there = parsedate_to_datetime(reply.headers[hdrs.DATE]).timestamp()
    except (KeyError, ValueError):
        return []
    late = round(there - time.time())
    if abs(late) > _CLOCK:
        way = "behind" if late > 0 else "ahead"
        mend = "Have it set by NTP: tokens are refused where a clock is wrong by five minutes."
        return [fault(f"The clock of this machine is {abs(late)} s {way}.", mend)]
    return [good("The clock is right.")]


async def check_sign_in(
    options: SignInOptions, credentials: Credentials, cloud: Cloud, named: frozenset[str]
) -> Finding:
    """Ask Bot Service for a sign-in that no person has asked for.

    Beside the cloud's, requests go to ``named`` hosts.
    """
    registration = Registration(credentials, cloud)
    connectors = Connectors(registration.tokens, ServiceUrls(frozenset(cloud.service_hosts), named))
    asked = Activity(
        id="doctor",
        channel_id="directline",
        service_url="https://directline.botframework.com/",
        conversation=ConversationAccount(id="doctor"),
        from_property=ChannelAccount(id="doctor"),
        recipient=ChannelAccount(id=credentials.app_id),
    )
    await connectors.open()
    try:
        tokens = connectors.user_tokens(cloud.sign_in_service, cloud.scope, credentials.app_id)
        await tokens.get_sign_in_resource(options.connection, asked, None)
    except ChannelRefusal as error:
        return fault(
            f"Bot Service offers no sign-in by {options.connection} (status {error.status}).", _SIGN_IN_MEND
        )
    except ConnectorError as error:
        return fault(f"Bot Service offers no sign-in: {error}.", "Let the bot connect to it.")
    finally:
        await connectors.close()
        await registration.close()
    return good(f"People can sign in by the connection {options.connection}.")
