"""Models that run on this machine already: they are found, and used by a folder's source.

Only what is known to keep everything on this machine is found. A gateway to models elsewhere lists them in
the same form, but names other owners. Governing sources: Ollama's API, "List local models"; "List models"
of OpenAI's API, as LM Studio and llama.cpp serve it.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import Any, Final

from citations import AnswerFormatError

from ..telemetry.log import logger
from .embedders import OpenAIEmbedder
from .errors import SourceError
from .folder import FolderSource
from .open_ai import OpenAIWriter
from .provider import ProviderClient

_SECONDS: Final = 0.3
"""The time that a server has to list its models."""
_KEPT: Final = "models.json"
_LONGEST: Final = 200
"""A name with more characters is none."""
_EMBEDDING: Final = re.compile(r"embed|\bbge\b|\be5\b|\bgte\b|minilm|paraphrase-", re.IGNORECASE)
"""What the names of embedding models have, where a server does not say what a model can."""
_RERANKING: Final = re.compile(r"rerank", re.IGNORECASE)
"""Such a model neither writes nor embeds."""
_ELSEWHERE: Final = re.compile(r"[-:]cloud\Z")
"""How Ollama names a model that runs on Ollama's servers."""
_FILE: Final = re.compile(r"(?:.*[/\\])?(.+?)(?:\.gguf|:latest)?\Z")
"""A name for people: llama.cpp's is a path, and Ollama adds a tag."""

log = logger(__name__)


class ModelUse(StrEnum):
    """What a model is used for."""

    WRITING = "writing"
    MEANING = "meaning"


@dataclass(frozen=True, slots=True)
class LocalServer:
    """Where a program of this machine has its API by default, and how its list of models is known.

    ``owner`` is what it calls the owner of each of its models; it is empty for Ollama, which has a list of
    its own form.
    """

    url: str
    path: str
    owner: str = ""


SERVERS: Final = (
    LocalServer("http://127.0.0.1:11434", "/api/tags"),  # Ollama, which says there what runs elsewhere
    LocalServer("http://127.0.0.1:1234", "/v1/models", "organization_owner"),  # LM Studio
    LocalServer("http://127.0.0.1:8080", "/v1/models", "llamacpp"),
)


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model at ``{server}/v1``, by the ``name`` that the server knows."""

    server: str
    name: str
    use: ModelUse

    @property
    def title(self) -> str:
        """Its name for people.

        >>> LocalModel("http://127.0.0.1:11434", "llama3.2:latest", ModelUse.WRITING).title
        'llama3.2'
        """
        found = _FILE.match(self.name)
        return found[1] if found else self.name


async def find_models() -> list[LocalModel]:
    """The models of the servers that answer in time, in their order."""
    return [*chain.from_iterable(await asyncio.gather(*map(_ask, SERVERS)))]


async def _ask(server: LocalServer) -> list[LocalModel]:
    client = ProviderClient(server.url)
    try:
        async with asyncio.timeout(_SECONDS):
            return list(_read(server, await client.fetch("GET", server.path)))
    except (SourceError, AnswerFormatError, TimeoutError):
        return []  # another program has the port, or none
    finally:
        await client.close()


def _read(server: LocalServer, listed: Mapping[str, Any]) -> Iterator[LocalModel]:
    entries = listed.get("data" if server.owner else "models")
    for entry in entries if isinstance(entries, list) else ():
        if not isinstance(entry, dict) or entry.get("owned_by", "") != server.owner:
            continue
        name = entry.get("id" if server.owner else "model")
        if not isinstance(name, str) or not 0 < len(name) <= _LONGEST:
            continue
        if not (entry.get("remote_host") or _ELSEWHERE.search(name) or _RERANKING.search(name)):
            yield LocalModel(server.url, name, _find_use(name, entry.get("capabilities")))


def _find_use(name: str, capabilities: object) -> ModelUse:
    embeds = "embedding" in capabilities if isinstance(capabilities, list) else _EMBEDDING.search(name)
    return ModelUse.MEANING if embeds else ModelUse.WRITING


class LocalModels:
    """The models of this machine that a folder's source uses, and those that it could use.

    ``uses`` are what a model is looked for. With ``takes_first`` the first one that writes is used until a
    person decides otherwise. What a person decides is kept beside the index.
    """

    def __init__(
        self,
        source: FolderSource,
        *,
        uses: Sequence[ModelUse] = tuple(ModelUse),
        takes_first: bool = False,
    ) -> None:
        self.offered: dict[ModelUse, LocalModel] = {}
        """The first model of each use that was found in the last look."""
        self.used: dict[ModelUse, LocalModel] = {}
        self._source = source
        self._uses = uses
        self._takes_first = takes_first
        self._file = source.home / _KEPT
        self._kept: dict[ModelUse, LocalModel | None] = {}
        """What a person has decided; None is to do without a model."""
        self._looking = asyncio.Lock()

    async def open(self) -> None:
        """Use what a person has chosen before, else the first model if it is to be taken.

        It comes before the source is opened, which would embed the passages with another model.
        """
        self._kept = self._read_kept()
        if self._takes_first or any(self._kept.values()):
            await self.look()

    async def look(self) -> None:
        """Look for models. One that was chosen before is used as soon as it is there again."""
        async with self._looking:
            found = await find_models()
            firsts = {use: next((one for one in found if one.use is use), None) for use in self._uses}
            self.offered = {use: first for use, first in firsts.items() if first}
            for use in self._uses:
                takes = self._takes_first and use is ModelUse.WRITING
                wanted = self._kept.get(use, self.offered.get(use) if takes else None)
                if use not in self.used and wanted in found:
                    await self._start(wanted)

    async def choose(self, use: ModelUse) -> bool:
        """Use the model that was offered, and keep to it; return whether it is still there."""
        model = self.offered.get(use)
        if not model or model not in await find_models():
            return False
        await self._start(model)
        self._keep(use, model)
        return True

    async def leave(self, use: ModelUse) -> None:
        """Do without a model, as before it was chosen, and keep to that."""
        self.used.pop(use, None)
        if use is ModelUse.WRITING:
            self._source.write_with(None)
        else:
            await self._source.embed_with(None)
        self._keep(use, None)

    async def _start(self, model: LocalModel) -> None:
        url = f"{model.server}/v1"
        if model.use is ModelUse.WRITING:
            self._source.write_with(OpenAIWriter(base_url=url, model=model.name))
        else:
            await self._source.embed_with(OpenAIEmbedder(base_url=url, model=model.name))
        self.used[model.use] = model
        log.info("a model of this machine is used", model=model.name, use=model.use.value)

    def _read_kept(self) -> dict[ModelUse, LocalModel | None]:
        """Read what was decided of each use. A model is used only where it is found, too."""
        try:
            kept = json.loads(self._file.read_text("utf-8"))
            return {
                ModelUse(use): one and LocalModel(one["server"], one["model"], ModelUse(use))
                for use, one in kept.items()
            }
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            log.warning("what was chosen of this machine's models can't be read", file=str(self._file))
            return {}

    def _keep(self, use: ModelUse, model: LocalModel | None) -> None:
        self._kept[use] = model
        written = {
            one.value: {"server": chosen.server, "model": chosen.name} if chosen else None
            for one, chosen in self._kept.items()
        }
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file.write_text(json.dumps(written), "utf-8")
        except OSError as error:
            log.warning("the choice of a model is not kept", cause=type(error).__name__)
