"""The web application: the messaging endpoint, the health checks, and without credentials a chat page."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Final

from aiohttp import web

from ..access.asker import Tenants
from ..access.registration import Registration
from ..access.sdk_authentication import Authentication
from ..config.routes import MESSAGES
from ..config.service_urls import ServiceUrls
from ..config.timeouts import Timeouts
from ..connector import Connectors
from ..conversation import Delivery
from ..conversation.activity_log import ActivityLog
from ..conversation.adapter import Adapter
from ..conversation.feedback import Votes
from ..conversation.handler import AnswerBot
from ..conversation.last_answer import AnswerMemory
from ..conversation.outbox import Outbox
from ..conversation.queue import AnswerQueue
from ..conversation.sign_in import SignIn
from ..conversation.turn_memory import TurnMemory
from ..direct_line import DirectLine, add_direct_line
from ..direct_line.bundle import Bundle
from ..direct_line.page import MODELS, add_page
from ..direct_line.token_exchange import add_tokens
from ..http import Health, add_health
from ..http.arrival import ACTIVITY
from ..http.body import LARGEST
from ..http.connections import track_request
from ..http.guard import guard
from ..sources import AnswerSource, ReadingState
from ..sources.message_language import is_smalltalk, tell_language
from ..state import State
from ..state.store_url import create_store
from ..telemetry.log import logger, run_turn
from .settings import Settings
from .telemetry import Listeners

if TYPE_CHECKING:
    from ..document_view.pdf_library import PdfLibrary
    from ..sources.folder import FolderSource

DELIVERY: Final = web.AppKey("delivery", Delivery)

log = logger(__name__)


def build_app(  # noqa: PLR0913 - all but the first three are given by name
    settings: Settings,
    source: AnswerSource,
    folder: FolderSource | None = None,
    *,
    authority: str,
    bundle: Bundle | None = None,
    pdf: PdfLibrary | None = None,
    timeouts: Timeouts | None = None,
) -> web.Application:
    """Build the application, which opens and closes the answer source ``source``.

    ``folder`` is the source again, if the page may change its files and models. ``authority`` is the host
    and port of the application (``127.0.0.1:3978``). Without credentials it also serves a page with Web Chat
    from ``bundle``, and the documents of ``settings.docs``. PDFs are shown with ``pdf`` if it is given.
    """
    listeners = Listeners(settings)
    service_urls = _service_urls(settings)
    registration = Registration(settings.credentials, settings.cloud) if settings.credentials else None
    connectors = Connectors(registration.tokens if registration else None, service_urls, timeouts)
    adapter = Adapter(_create_authentication(registration, connectors), timeouts)
    app = web.Application(
        middlewares=[track_request, *listeners.middlewares, guard(service_urls, adapter.identify)],
        client_max_size=LARGEST,
    )
    app.cleanup_ctx.append(listeners.lifespan)
    state = create_store(settings.state)
    delivery = _create_delivery(settings, source, authority, timeouts or Timeouts(), state)
    if settings.doubts.model:
        from .support_model import add_model  # noqa: PLC0415 - loaded where a model is named

        delivery.doubts = add_model(app, settings.doubts)
    activity_log = ActivityLog(state, lease=(timeouts or Timeouts()).lease)
    app.cleanup_ctx.append(functools.partial(_open_connections, registration, connectors))
    _add_bot(app, adapter, _create_bot(settings, delivery, activity_log, state))
    app[DELIVERY] = delivery
    if folder and settings.looks_for_models:
        from .folder import look_for_models  # noqa: PLC0415 - loaded where there are documents

        look_for_models(app, settings, folder)
    restricted = settings.policy is not None or settings.sign_in is not None
    _add_lifespan(app, state, activity_log, source, restricted=restricted)
    if settings.local:
        add_direct_line(app, DirectLine(authority=authority, name=source.title))
        modules: tuple[str, ...] = ()
        if settings.serves_documents:
            from .folder import serve_documents  # noqa: PLC0415 - loaded where there are documents

            modules = serve_documents(app, settings, source, folder, pdf)
        if bundle is not None:
            modules = (*modules, *(MODELS if settings.looks_for_models else ()))
            add_page(app, source, bundle, modules, counts=settings.policy is None)
    if settings.web_chat:
        add_tokens(app, settings.web_chat)
    health = _create_health(settings, source, registration, state)
    add_health(app, health)
    _add_gauges(listeners, delivery.queue, health, source)
    return app


def _create_authentication(registration: Registration | None, connectors: Connectors) -> Authentication:
    if registration is None:
        return Authentication(connectors)
    return Authentication(
        connectors, app_id=registration.app_id, cloud=registration.cloud, keys=registration.keys
    )


def _create_bot(settings: Settings, delivery: Delivery, activity_log: ActivityLog, state: State) -> AnswerBot:
    return AnswerBot(
        delivery,
        activity_log=activity_log,
        forget=state.forget,
        tenants=Tenants(settings.teams_tenants),
        sign_in=SignIn(settings.sign_in, delivery, state) if settings.sign_in else None,
        private_in_groups=settings.answers_privately,
    )


def _create_health(
    settings: Settings, source: AnswerSource, registration: Registration | None, state: State
) -> Health:
    def needed() -> dict[str, bool]:
        reading = source.reading
        read = {"documents read": reading.is_complete} if reading else {}
        return {**(registration.ready if registration else {}), **read}

    return Health(
        facts=source.facts,
        needed=needed,
        known=functools.partial(_state_health, state),
        # A policy decides who may know how many documents there are.
        verbose=settings.local and settings.policy is None,
    )


def _create_delivery(
    settings: Settings, source: AnswerSource, authority: str, timeouts: Timeouts, state: State
) -> Delivery:
    return Delivery(
        source,
        live_hosts=live_hosts(authority) if settings.local else frozenset(),
        ranking=settings.labels,
        app_id=settings.credentials.app_id if settings.credentials else "",
        timeouts=timeouts,
        memory=AnswerMemory(state),
        turn_memory=TurnMemory(state),
        outbox=Outbox(state),
        votes=Votes(state),
        policy=settings.policy,
        cards=settings.teams_cards,
        extended=settings.teams_extended_markdown,
        doubts=settings.doubts,
        queue=AnswerQueue(answers=settings.max_answers, waiting=settings.max_waiting),
        is_smalltalk=is_smalltalk,
        tell_language=tell_language,
    )


def live_hosts(authority: str) -> frozenset[str]:
    """The hosts and ports under which a browser on this machine reaches the bot; their links are trusted."""
    port = authority.rpartition(":")[2]
    return frozenset({authority, f"localhost:{port}", f"127.0.0.1:{port}"})


def _service_urls(settings: Settings) -> ServiceUrls:
    """The allowed service URLs: the cloud's channels, or without a registration this machine."""
    if settings.local:
        return ServiceUrls()
    return ServiceUrls(frozenset(settings.cloud.service_hosts), settings.service_hosts)


def _state_health(state: State) -> dict[str, bool]:
    reached = state.recently_reached
    return {} if reached is None else {"state": reached}


async def _open_connections(
    registration: Registration | None, connectors: Connectors, _: web.Application
) -> AsyncIterator[None]:
    await connectors.open()
    if registration:
        registration.open()
    yield
    if registration:
        await registration.close()
    await connectors.close()


def _add_gauges(listeners: Listeners, queue: AnswerQueue, health: Health, source: AnswerSource) -> None:
    listeners.add_gauge("questions_under_way", "Being answered now.", lambda: queue.under_way)
    listeners.add_gauge("questions_waiting", "Waiting for their turn.", lambda: queue.waiting)
    listeners.add_gauge("event_loop_lag_seconds", "The longest of the last 10 s.", lambda: health.lag.worst)
    if source.reading:

        def gauge(name: str, meaning: str, value: Callable[[ReadingState], int]) -> None:
            listeners.add_gauge(name, meaning, lambda: value(source.reading) if source.reading else 0)

        gauge("files_unread", "Waiting, or being read now.", lambda reading: reading.unread)
        gauge("index_stalled_seconds", "0 where all is well.", lambda reading: reading.stalled)


def _add_bot(app: web.Application, adapter: Adapter, bot: AnswerBot) -> None:
    async def receive(request: web.Request) -> web.Response:
        return await run_turn(request[ACTIVITY], lambda: adapter.process(request, bot))

    app.router.add_post(MESSAGES, receive)


def _add_lifespan(
    app: web.Application, state: State, activity_log: ActivityLog, source: AnswerSource, *, restricted: bool
) -> None:
    async def open_state(_: web.Application) -> AsyncIterator[None]:
        try:
            await state.open()
            yield
            await activity_log.close()
        finally:
            await state.close()

    async def open_source(_: web.Application) -> AsyncIterator[None]:
        await source.open()
        trial = asyncio.create_task(source.try_model())
        log.info("source opened", **await source.facts())
        if not restricted:
            log.info("no ACCESS_POLICY: everybody who reaches the bot may have everything searched")
        yield
        trial.cancel()
        await source.close()

    app.cleanup_ctx.extend((open_state, open_source))
