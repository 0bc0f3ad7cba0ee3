"""Entra ID, the publisher of the channels' keys, and an instance's metadata service, over TLS on loopback.

To start it, and a bot that knows no other::

    async with entra_running() as entra:
        async with running(source, credentials=PASSWORD, cloud=entra.cloud) as authority:
            await send(authority, message(url, "fern"), Authorization=entra.bearer(url))

Meanwhile ``SSL_CERT_FILE`` names the authority that signed its certificate, for this process and those
that it starts. ``entra.calls`` counts what was asked; ``delay``, ``status`` and ``life`` say how it
answers, and ``open`` (an event, set at first) whether it answers at all. ``roll()`` makes it sign with
another key from then on.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import ssl
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import jwt
import trustme
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from bot.config.cloud import PUBLIC, Cloud
from bot.config.credentials import Credentials

APP_ID: Final = "0c3d4b55-1111-4222-8333-000000000001"
SECRET: Final = "s3cret-of-the-bot"
TENANT: Final = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
PASSWORD: Final = Credentials(app_id=APP_ID, password=SECRET)

KEYS: Final = [rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2)]
CHANNELS: Final = ("directline", "webchat", "msteams", "sms", "email")


@dataclass
class FakeEntra:
    url: str = ""
    calls: Counter[str] = field(default_factory=Counter)
    """What was asked: ``tenant``, ``token``, ``metadata``, ``keys`` or ``identity``."""
    asked: list[dict[str, str]] = field(default_factory=list)
    """The forms that came for a token, and the queries for one of a managed identity."""
    status: int = 200
    answer: bytes | None = None
    """A body in place of the right one."""
    only: str = ""
    """Which call ``status`` and ``answer`` are for; all, if it is empty."""
    delay: float = 0.0
    life: int = 3600
    """Seconds that the next tokens of the bot's hold."""
    headers: dict[str, str] = field(default_factory=dict)
    """What such an answer has besides."""
    open: asyncio.Event = field(default_factory=asyncio.Event)
    called: asyncio.Condition = field(default_factory=asyncio.Condition)
    published: list[dict[str, Any]] = field(default_factory=list)
    ends: dict[str, str] = field(default_factory=dict)
    """When the bot's secrets end, by their beginnings; empty where the bot may not read that."""
    kid: str = ""

    @property
    def cloud(self) -> Cloud:
        """The public cloud, as if it were here."""
        return replace(
            PUBLIC,
            login=f"{self.url}/",
            metadata=f"{self.url}/v1/.well-known/openidconfiguration",
            graph=self.url,
        )

    def roll(self, **fields: Any) -> None:
        """Publish another key, which signs from now on."""
        number = int(self.kid[1:] or 0) + 1
        self.kid = f"k{number}"
        public = json.loads(RSAAlgorithm.to_jwk(KEYS[number % 2].public_key()))
        self.published = [{**public, "kid": self.kid, "endorsements": list(CHANNELS), **fields}]

    def bearer(self, service_url: str, *, key: Any = None, alg: str = "RS256", **claims: Any) -> str:
        """What a channel writes into ``Authorization``; a claim, or the ``kid``, that is None is left out."""
        kid = claims.pop("kid", self.kid)
        chosen = {**good_claims(service_url), **claims}
        written = json.dumps({name: value for name, value in chosen.items() if value is not None})
        signing: Any = None if alg == "none" else key or KEYS[int(self.kid[1:]) % 2]
        headers = {"kid": kid} if kid is not None else {}
        # `jwt.encode` would look at the claims first.
        return "Bearer " + jwt.PyJWS().encode(written.encode(), signing, algorithm=alg, headers=headers)

    async def asked_for(self, call: str, times: int) -> None:
        """Until ``call`` was made so often."""
        async with asyncio.timeout(60), self.called:
            await self.called.wait_for(lambda: self.calls[call] >= times)

    async def answered(self, call: str, right: dict[str, Any]) -> web.Response:
        self.calls[call] += 1
        async with self.called:
            self.called.notify_all()
        await self.open.wait()
        await asyncio.sleep(self.delay)
        if self.only and call != self.only:
            return web.json_response(right)
        body = json.dumps(right).encode() if self.answer is None else self.answer
        return web.Response(
            status=self.status, body=body, content_type="application/json", headers=self.headers
        )

    async def tenant(self, request: web.Request) -> web.Response:
        at = f"{self.url}/{request.match_info['tenant']}"
        endpoints = {"token_endpoint": f"{at}/oauth2/v2.0/token", "authorization_endpoint": f"{at}/authorize"}
        return await self.answered("tenant", {"issuer": f"{at}/v2.0", **endpoints})

    async def token(self, request: web.Request) -> web.Response:
        form = {name: str(value) for name, value in (await request.post()).items()}
        self.asked.append({"tenant": request.match_info["tenant"], **form})
        return await self.answered("token", self._token())

    async def identity(self, request: web.Request) -> web.Response:
        assert request.headers.get("Metadata") == "true"
        self.asked.append(dict(request.query))
        return await self.answered(
            "identity", {**self._token(), "expires_on": str(int(time.time()) + self.life)}
        )

    def _token(self) -> dict[str, Any]:
        return {
            "token_type": "Bearer",
            "expires_in": self.life,
            "access_token": f"token-{self.calls['token'] + self.calls['identity'] + 1}",
        }

    async def metadata(self, _: web.Request) -> web.Response:
        keys_at = f"{self.url}/v1/.well-known/keys"
        return await self.answered("metadata", {"issuer": PUBLIC.issuer, "jwks_uri": keys_at})

    async def secrets(self, request: web.Request) -> web.Response:
        assert request.path.endswith(f"/applications(appId='{APP_ID}')")
        if not self.ends:
            return web.json_response({"error": {"code": "Authorization_RequestDenied"}}, status=403)
        found = [{"hint": hint, "endDateTime": end} for hint, end in self.ends.items()]
        return web.json_response({"passwordCredentials": found})

    async def keys(self, _: web.Request) -> web.Response:
        return await self.answered("keys", {"keys": self.published})


def good_claims(service_url: str) -> dict[str, Any]:
    """The claims of a token that the public cloud would give to a channel, for our bot."""
    now = int(time.time())
    audience = {"iss": PUBLIC.issuer, "aud": APP_ID, "serviceurl": service_url}
    return {**audience, "nbf": now - 60, "exp": now + 600}


@contextlib.asynccontextmanager
async def entra_running() -> AsyncIterator[FakeEntra]:
    """A server that answers as all of them do, and is trusted while it runs."""
    entra = FakeEntra()
    entra.open.set()
    entra.roll()
    app = web.Application()
    app.router.add_get("/{tenant}/v2.0/.well-known/openid-configuration", entra.tenant)
    app.router.add_post("/{tenant}/oauth2/v2.0/token", entra.token)
    app.router.add_get("/v1/.well-known/openidconfiguration", entra.metadata)
    app.router.add_get("/v1/.well-known/keys", entra.keys)
    app.router.add_get("/v1.0/{application}", entra.secrets)
    app.router.add_get("/metadata/identity/oauth2/token", entra.identity)
    app.router.add_get("/msi/token", entra.identity)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    with _trusted() as context:
        await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
        entra.url = f"https://127.0.0.1:{runner.addresses[0][1]}"
        try:
            yield entra
        finally:
            entra.open.set()
            await runner.cleanup()


@contextlib.contextmanager
def _trusted() -> Iterator[ssl.SSLContext]:
    authority = trustme.CA()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    before = os.environ.get("SSL_CERT_FILE")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "authority.pem"
        authority.cert_pem.write_to_path(str(file))
        os.environ["SSL_CERT_FILE"] = str(file)
        try:
            yield context
        finally:
            os.environ.pop("SSL_CERT_FILE")
            if before is not None:
                os.environ["SSL_CERT_FILE"] = before
