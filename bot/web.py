"""The application: the bot's endpoint, its health, and on a laptop the page that talks to it."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator
from typing import Final

from aiohttp import web

from .access import Tenants
from .adapter import Adapter
from .admission import Admission
from .authentication.registration import Registration
from .authentication.seam import Authentication
from .connector import Connectors
from .delivery import Delivery
from .direct_line import SERVICE, DirectLine, add_direct_line
from .direct_line.bundle import Bundle
from .direct_line.page import add_page
from .documents import add_documents
from .guard import ACTIVITY, LARGEST_BODY, MESSAGES, guard
from .handler import AnswerBot
from .log import logger
from .observed.listeners import Listeners
from .observed.turn import turn
from .pace import Pace
from .remembered import AnswerMemory
from .seen import Seen
from .service_urls import ServiceUrls
from .settings import Settings
from .sources import AnswerSource
from .state import State
from .state.choose import choose
from .votes import Votes

DRAIN: Final = 20.0
"""Seconds that answers under way have to finish in when the application ends."""
LOCAL_DRAIN: Final = 2.0
"""The same on this machine, where the person who ends it is the one who asked."""

_PUBLIC_FACTS: Final = frozenset({"source", "answers"})
"""What anybody may know who reaches us: the kind of source, and whether it answers."""

DELIVERY: Final = web.AppKey("delivery", Delivery)

log = logger(__name__)


def build_app(
    settings: Settings,
    source: AnswerSource,
    *,
    authority: str,
    bundle: Bundle | None = None,
    pace: Pace | None = None,
) -> web.Application:
    """The application that answers from ``source``, which it opens and closes.

    ``authority`` is where it will listen (``127.0.0.1:3978``). Without credentials it also serves
    the page with Web Chat from ``bundle``, and the documents of ``settings.docs``.
    """
    listeners = Listeners(settings)
    app = web.Application(
        middlewares=[*listeners.middlewares, guard(local=settings.local)], client_max_size=LARGEST_BODY
    )
    app.cleanup_ctx.append(listeners.life)
    state = choose(settings.state)
    delivery = Delivery(
        source,
        live_hosts=live_hosts(authority) if settings.local else frozenset(),
        ranking=settings.labels,
        app_id=settings.credentials.app_id if settings.credentials else "",
        pace=pace or Pace(),
        memory=AnswerMemory(state),
        policy=settings.policy,
        cards=settings.teams_cards,
        admission=Admission(answers=settings.max_answers, waiting=settings.max_waiting),
    )
    bot = AnswerBot(
        delivery,
        seen=Seen(state),
        votes=Votes(state),
        forget=state.forget,
        tenants=Tenants(settings.teams_tenants),
    )
    registration = Registration(settings.credentials, settings.cloud) if settings.credentials else None
    connectors = _connectors(settings, registration)
    app.cleanup_ctx.append(functools.partial(_reach, registration, connectors))
    _add_bot(app, Adapter(Authentication(registration, connectors)), bot)
    _add_health(app, source, open_handed=settings.local)
    app[DELIVERY] = delivery
    # On this machine the channel is this process: it ends with us, and was settled before.
    _add_life(app, state, source, delivery, drain=0 if settings.local else DRAIN)
    if settings.local:
        add_direct_line(app, DirectLine(authority=authority, name=source.title))
        if settings.serves_documents:
            add_documents(app, settings.docs)
        if bundle is not None:
            add_page(app, source, bundle)
    return app


async def settle(app: web.Application) -> None:
    """Let the turns under way end while we still listen; to be awaited before the runner's cleanup.

    On this machine the bot answers to ourselves, and its connector would wait for a port that is closed.
    """
    if SERVICE in app:
        await app[DELIVERY].drain(LOCAL_DRAIN)
        await app[SERVICE].idle(LOCAL_DRAIN)


def live_hosts(authority: str) -> frozenset[str]:
    """The names under which a browser on this machine reaches us: links to them may stay links."""
    port = authority.rpartition(":")[2]
    return frozenset({authority, f"localhost:{port}", f"127.0.0.1:{port}"})


def _connectors(settings: Settings, registration: Registration | None) -> Connectors:
    """The way to the channels; without a registration, to this machine."""
    if registration is None:
        return Connectors(None, ServiceUrls())
    hosts = ServiceUrls(frozenset(registration.cloud.service_hosts), settings.service_hosts)
    return Connectors(registration.tokens, hosts)


async def _reach(
    registration: Registration | None, connectors: Connectors, _: web.Application
) -> AsyncIterator[None]:
    await connectors.open()
    if registration:
        registration.open()
    yield
    if registration:
        await registration.close()
    await connectors.close()


def _add_bot(app: web.Application, adapter: Adapter, bot: AnswerBot) -> None:
    async def messages(request: web.Request) -> web.Response:
        return await turn(request[ACTIVITY], lambda: adapter.process(request, bot))

    app.router.add_post(MESSAGES, messages)


def _add_health(app: web.Application, source: AnswerSource, *, open_handed: bool) -> None:
    ready = asyncio.Event()

    async def alive(_: web.Request) -> web.Response:
        return web.json_response({"alive": True})

    async def is_ready(_: web.Request) -> web.Response:
        if not ready.is_set():
            return web.json_response({"ready": False}, status=503)
        # Anyone may ask this, so only on this machine does it say how much there is. It stays ready
        # where somebody else does not answer: another of us could not reach them either.
        facts = await source.facts()
        told = facts if open_handed else {name: facts[name] for name in _PUBLIC_FACTS & facts.keys()}
        return web.json_response({"ready": True, **told})

    async def opened(_: web.Application) -> None:
        ready.set()

    async def ending(_: web.Application) -> None:
        ready.clear()

    app.router.add_get("/healthz", alive)
    app.router.add_get("/readyz", is_ready)
    app.on_startup.append(opened)
    app.on_shutdown.append(ending)


def _add_life(
    app: web.Application, state: State, source: AnswerSource, delivery: Delivery, drain: float
) -> None:
    async def store(_: web.Application) -> AsyncIterator[None]:
        try:
            await state.open()
            yield
        finally:
            await state.close()

    async def life(_: web.Application) -> AsyncIterator[None]:
        await source.open()
        log.info("source opened", **await source.facts())
        if delivery.policy is None:
            log.info("no ACCESS_POLICY: everybody who reaches the bot may have everything searched")
        yield
        await source.close()

    async def finish(_: web.Application) -> None:
        await delivery.drain(drain)

    app.cleanup_ctx.extend((store, life))
    app.on_shutdown.append(finish)
