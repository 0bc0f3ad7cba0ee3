"""Embeds the passages of a folder in a background thread, behind the index of words.

Questions wait a moment for the model to be loaded, and are answered by words alone until the vectors are
there. A passage's vector is the mean of its units' vectors and half that of its headings.
"""

from __future__ import annotations

import html
import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
from filelock import FileLock, Timeout

from ..passages import (
    KnownFile,
    Passage,
    Unit,
    compute_digest,
    read_record,
    write_headings,
    write_sentence,
)
from ..words import EngineError, SearchEngine
from .codes import NO_CODES, Codes
from .embedder import Embedder, EmbedderError, TextKind, Vectors, normalize
from .likeness import CosineScale, measure_scale
from .vectors import DamagedVectorsError, PassageVectors, VectorsError, VectorStore
from .word_codes import AskedWords

_HEADING: Final = 0.5
"""The weight of the headings in their passage's vector, relative to the mean of the units."""
_PASSAGES: Final = 8
"""Passages that are embedded together: about 60 texts, so that the thread soon sees that it has to end."""
_READ: Final = 4096
"""Stored passages that are read together, each of a kilobyte."""
_RETRY: Final = 60.0
"""Seconds until the embedder is asked again after it failed."""
_WAIT: Final = 5.0
"""Seconds between two looks at what another process embeds."""
_LOADING: Final = 3.0
"""Seconds that a question waits for the embedder, so that it gets no other answer than a minute later."""
_LONGEST: Final = 1000
"""A longer text is truncated to this many characters before it is embedded."""

_Answer = TypeVar("_Answer")

FileTest = Callable[[KnownFile], bool]
"""Returns whether something is true of a file."""

_log = logging.getLogger(__name__)


class PassageEmbedding:
    """The vectors of a folder's passages, and the thread that computes them.

    ``directory`` is that of the index; for None the vectors are in memory. Only what ``may_leave`` this
    machine is embedded on another. ``codes`` are those of the
    passages that are embedded so far. ``store`` is None until the thread has opened it. ``scale`` is the
    model's, once it is loaded.
    """

    def __init__(self, embedder: Embedder, directory: Path | None, may_leave: FileTest) -> None:
        self.embedder = embedder
        self.codes: Codes = NO_CODES
        self.store: VectorStore | None = None
        self.scale = CosineScale()
        self.is_ready = False
        """Whether the embedder has embedded anything yet."""
        self._tried = threading.Event()
        """Set once the embedder is loaded, or has failed."""
        self._directory = directory
        self._may_leave = may_leave
        self._wanted: tuple[SearchEngine, frozenset[int]] | None = None
        self._thread: threading.Thread | None = None
        self._wake = threading.Event()
        self._stopped = threading.Event()
        self._failure = ""

    def may_embed(self, file: KnownFile) -> bool:
        """Whether the passages of a file get vectors; else they are found by words."""
        return not self.embedder.is_elsewhere or self._may_leave(file)

    def follow(self, engine: SearchEngine, digests: frozenset[int]) -> None:
        """Embed the passages of ``digests``, which ``engine`` holds, and forget all others."""
        if self._wanted and self._wanted[0] is engine and self._wanted[1] is digests:
            return
        self._wanted = (engine, digests)
        self._wake.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="embedding", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """End the thread after the texts that it embeds now, and close the file."""
        self._stopped.set()
        self._wake.set()
        if self._thread:
            self._thread.join()
        if self.store:
            self.store.close()

    def wait_until_loaded(self) -> None:
        """Wait for the embedder for :data:`_LOADING` seconds at most, and no longer where it has failed."""
        if self._thread:
            self._tried.wait(_LOADING)

    def embed_question(self, question: str) -> Vectors | None:
        """A question's vector; None before the embedder is loaded, and where it fails."""
        vector: Vectors | None = self._ask(
            lambda: self.embedder.embed([question], TextKind.QUESTION)[0], None
        )
        return vector

    def code_question(self, question: str) -> AskedWords | None:
        """As :meth:`Embedder.code_question`; None before the embedder is loaded, and where it fails, too."""
        return self._ask(lambda: self.embedder.code_question(question), None)

    def knows_word(self, word: str) -> bool:
        """As :meth:`Embedder.knows_word`; False where the embedder is not loaded in time, or fails, too."""
        self.wait_until_loaded()
        return self._ask(lambda: self.embedder.knows_word(word), False)

    def _ask(self, ask: Callable[[], _Answer], otherwise: _Answer) -> _Answer:
        """What the embedder answers, or ``otherwise`` before it is loaded, and where it fails."""
        try:
            return ask() if self.is_ready else otherwise
        except EmbedderError as error:
            self._note_failure(str(error))
            return otherwise

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._wake.wait()
            self._wake.clear()
            try:
                self._embed_wanted()
            except (EmbedderError, VectorsError, EngineError, OSError) as error:
                self._note_failure(str(error))
                if isinstance(error, DamagedVectorsError):
                    self._drop_store()
                self._stopped.wait(_RETRY)
                self._wake.set()

    def _drop_store(self) -> None:
        """Delete the damaged file; the next attempt begins with an empty one."""
        store, self.store, self.codes = self.store, None, NO_CODES
        if store:
            store.close()
        if self._directory:
            _delete(self._directory.glob("vectors-*.sqlite*"))

    def _note_failure(self, reason: str) -> None:
        self._tried.set()
        if reason != self._failure:
            _log.warning("questions are answered without embeddings: %s", reason)
        self._failure = reason

    def _embed_wanted(self) -> None:
        """Embed the wanted passages that have no vectors, unless another process does so now."""
        if self.store is None:
            self.store = _open_store(self._directory, self.embedder.space)
        if self._wanted is None:
            return
        engine, wanted = self._wanted
        self._read_stored(self.store, wanted)
        if not self.is_ready:
            self.scale = measure_scale(self.embedder.embed)  # it loads the model, and shows whether it works
            self.is_ready = True
            self._tried.set()
        try:
            with self._lock():
                self._read_stored(self.store, wanted)  # what another process has embedded meanwhile
                self._embed_missing(self.store, engine, wanted)
        except Timeout:
            self._wake.wait(_WAIT)
            self._wake.set()  # to look again

    def _lock(self) -> AbstractContextManager[object]:
        """A lock that only one process has; entering it raises ``Timeout`` in the others.

        A provider is paid for each text, so none is sent twice.
        """
        return FileLock(self._directory / "vectors.lock", timeout=0) if self._directory else nullcontext()

    def _embed_missing(self, store: VectorStore, engine: SearchEngine, wanted: frozenset[int]) -> None:
        """Embed the passages that have no vectors, until all have or more is wanted."""
        missing = sorted(wanted.difference(self.codes.digests.tolist()))
        try:
            for start in range(0, len(missing), _PASSAGES):
                if self._stopped.is_set() or self._wake.is_set():
                    return
                records = map(engine.find_record, missing[start : start + _PASSAGES])
                read = (read_record(record) for record in records if record)
                self._embed(store, {one.digest: one.passage for one in read})
                self._failure = ""
        finally:
            # Only now: a changed passage shares most sentences with the one that it replaces.
            store.keep_only(set(wanted))

    def _read_stored(self, store: VectorStore, wanted: frozenset[int]) -> None:
        """Take over the vectors that are stored of the wanted passages."""
        self.codes = self.codes.keep_only(np.fromiter(wanted, np.int64, len(wanted)))
        new = list(store.list_passages() & wanted - set(self.codes.digests.tolist()))
        for start in range(0, len(new), _READ):
            vectors = store.read_passages(new[start : start + _READ])
            self._publish(list(vectors), list(vectors.values()))

    def _publish(self, digests: Sequence[int], vectors: Sequence[Vectors]) -> None:
        if digests:
            self.codes = self.codes.add(np.array(digests, np.int64), np.array(vectors))

    def _embed(self, store: VectorStore, passages: dict[int, Passage]) -> None:
        texts = {digest: _write_units(one) for digest, one in passages.items()}
        headings = {digest: write_headings(one) for digest, one in passages.items()}
        distinct = {compute_digest(text): text for units in texts.values() for text in units}
        distinct |= {compute_digest(heading): heading for heading in headings.values() if heading}
        vectors = store.read_texts(distinct)
        if new := [digest for digest in distinct if digest not in vectors]:
            vectors |= zip(new, self.embedder.embed([distinct[digest] for digest in new]), strict=True)
        embedded = [
            replace(
                _combine(digest, texts[digest], headings[digest], vectors),
                words=self.embedder.code_words(headings[digest], texts[digest], one.language),
            )
            for digest, one in passages.items()
            if texts[digest]
        ]
        store.add(embedded, {digest: vectors[digest] for digest in new})
        self._publish([one.digest for one in embedded], [one.vector for one in embedded])


def _combine(digest: int, units: Sequence[str], heading: str, vectors: dict[int, Vectors]) -> PassageVectors:
    texts = tuple(map(compute_digest, units))
    vector: Vectors = np.mean([vectors[text] for text in texts], axis=0)
    above = compute_digest(heading) if heading else None
    if above is not None:
        vector = normalize(vector) + _HEADING * vectors[above]
    return PassageVectors(digest, normalize(vector), texts, above)


def _write_units(passage: Passage) -> list[str]:
    """Write each unit as an answer would quote it, but without escapes; code as it is."""
    return [_write_unit(passage, unit)[:_LONGEST] for unit in passage.units]


def _write_unit(passage: Passage, unit: Unit) -> str:
    if unit.kind == "code":
        return passage.text[unit.start : unit.end]
    return html.unescape(write_sentence(passage, unit))


def _open_store(directory: Path | None, space: str) -> VectorStore:
    """Open the file of one space of vectors, anew where it is damaged, and delete those of others."""
    if directory is None:
        return VectorStore(None)
    file = directory / f"vectors-{compute_digest(space) & 0xFFFFFFFF:08x}.sqlite"
    _delete(other for other in directory.glob("vectors-*.sqlite*") if not other.name.startswith(file.name))
    try:
        return VectorStore(file)
    except DamagedVectorsError:
        _delete(directory.glob(f"{file.name}*"))
        return VectorStore(file)


def _delete(files: Iterable[Path]) -> None:
    for file in files:
        with suppress(OSError):  # on Windows a file that another process has open can't be deleted
            file.unlink(missing_ok=True)
