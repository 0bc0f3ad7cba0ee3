"""The routes by which the page offers models of this machine, and a person chooses one or leaves it.

Like those of :mod:`.local_documents`, they exist only where the bot serves this machine alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Final

from aiohttp import web

from ..http.body import write_json
from ..http.refusal import refusal
from ..sources.folder import FolderSource
from ..sources.local_models import LocalModels, ModelUse
from .local_documents import HEADERS, refuse_other_sites

LOCAL_MODELS: Final = "/local/models"
"""The path of the list of models. Below it is what each use is chosen by."""


class ModelChoice:
    """The handlers of the routes, for the ``models`` of ``source``."""

    def __init__(self, source: FolderSource, models: LocalModels) -> None:
        self._source = source
        self._models = models
        self._trial: asyncio.Task[None] | None = None

    async def list_models(self, request: web.Request) -> web.Response:
        """Answer ``GET /local/models``: for each use the model that is used, or the one that could be."""
        refuse_other_sites(request)
        await self._models.look()
        used, offered = self._models.used, self._models.offered
        body = {
            use.value: {"title": one.title, "used": use in used}
            for use in ModelUse
            if (one := used.get(use) or offered.get(use))
        }
        return web.json_response(body, headers=HEADERS, dumps=write_json)

    async def choose(self, request: web.Request) -> web.Response:
        """Answer ``PUT /local/models/{use}``: use the model that was offered. Raises 404 if there is none."""
        refuse_other_sites(request)
        if not await self._models.choose(_read_use(request)):
            raise refusal(web.HTTPNotFound, "NotFound", "no such model was found on this machine")
        self.try_model()
        return web.Response(status=HTTPStatus.NO_CONTENT, headers=HEADERS)

    async def leave(self, request: web.Request) -> web.Response:
        """Answer ``DELETE /local/models/{use}``: do without the model."""
        refuse_other_sites(request)
        await self._models.leave(_read_use(request))
        return web.Response(status=HTTPStatus.NO_CONTENT, headers=HEADERS)

    def try_model(self) -> None:
        """Have the source try its model, as it is done after the start."""
        self._trial = asyncio.create_task(self._source.try_model())

    async def open(self, _: web.Application) -> AsyncIterator[None]:
        """Use what was chosen before; in the end no trial is under way."""
        await self._models.open()
        yield
        if self._trial:
            self._trial.cancel()


def add_local_models(app: web.Application, source: FolderSource, models: LocalModels) -> None:
    """Add the routes to ``app``; ``models`` are opened before the source, if that is added behind them."""
    choice = ModelChoice(source, models)
    app.cleanup_ctx.append(choice.open)
    app.router.add_get(LOCAL_MODELS, choice.list_models, allow_head=False)
    app.router.add_put(LOCAL_MODELS + "/{use}", choice.choose)
    app.router.add_delete(LOCAL_MODELS + "/{use}", choice.leave)


def _read_use(request: web.Request) -> ModelUse:
    try:
        return ModelUse(request.match_info["use"])
    except ValueError:
        raise refusal(web.HTTPNotFound, "NotFound", "a model is used for writing or meaning") from None
