"""Brings a document store up to date with a folder, through LlamaIndex' ``IngestionPipeline``.

Its docstore says what is stored, as one small document for each file: the path and the digest of its bytes.
The pipeline reads and embeds what changed, puts it in place of what was stored, and deletes what is gone.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.ingestion import DocstoreStrategy, IngestionPipeline
from llama_index.core.schema import BaseNode, Document, TextNode, TransformComponent
from llama_index.core.storage.docstore import SimpleDocumentStore

from citations.text import printable

from ...retrieval.passages import FileReading, FolderFile, KnownFile, Passage, is_unchanged, read_record
from ...retrieval.reading import read_files, scan, show_progress
from ...telemetry.log import logger
from ..errors import SourceError
from .document_store import DocumentStore
from .passage_node import key_of, read_node, write_nodes
from .store_failure import name_place

log = logger(__name__)

_BATCH: Final = 16
"""Documents that are stored together."""
_INTERVAL: Final = 5.0
"""The least seconds between two listings of the folder."""
_SHARE: Final = 20
"""The time between two listings is at least this many times that of one."""


@dataclass(frozen=True, slots=True)
class StoreReport:
    """What an update did: documents that were stored and removed, and passages that were embedded."""

    stored: int = 0
    removed: int = 0
    embedded: int = 0


class StoreUpdate:
    """Updates ``store`` from ``folder``; what it has read stays in memory for the next update.

    A run that broke off leaves documents that are missing or complete, and the next run goes on.
    """

    def __init__(self, store: DocumentStore, folder: Path) -> None:
        self._store = store
        self._folder = folder
        self._read: dict[str, KnownFile] = {}
        self._listing_time = 0.0
        """The seconds that the last listing of folder and store took."""

    def run(self) -> StoreReport:
        """Update the store.

        Raises ``OSError`` where the folder can't be listed, and :class:`StoreFailed`.
        """
        if not self._folder.is_dir():
            # All documents of a folder that is not mounted would count as deleted.
            raise NotADirectoryError(f"{self._folder} is not a folder")
        started = time.monotonic()
        listing = scan(self._folder)
        stored = self._store.list_files()
        self._listing_time = time.monotonic() - started
        # What is below a folder that can't be opened is not gone.
        closed = tuple(one.path for one in listing.skipped if one.path.endswith("/"))
        paths = {file.path for file in listing.files}
        present = [file for path, file in stored.items() if path in paths or path.startswith(closed)]
        docstore = SimpleDocumentStore()
        docstore.add_documents(list(map(_describe, stored.values())))
        _run_pipeline(self._store, docstore, present, DocstoreStrategy.UPSERTS_AND_DELETE)
        # A file without passages is not stored, and is read once by each process.
        read = {path: one for path, one in self._read.items() if path in stored or not one.passages}
        known = stored | read
        changed = [file for file in listing.files if not is_unchanged(file, known.get(file.path))]
        count = embedded = 0
        for batch in self._read_batches(changed, known):
            new = [
                (one.record, [read_record(record).passage for record in one.passages])
                for one in batch
                if one.passages is not None  # else only its times differ
            ]
            embedded += put_documents(self._store, docstore, new)
            count += sum(bool(passages) for _, passages in new)
            self._read |= {one.record.path: one.record for one in batch}
        return StoreReport(count, len(stored) - len(present), embedded)

    def _read_batches(
        self, files: Sequence[FolderFile], known: Mapping[str, KnownFile]
    ) -> Iterator[list[FileReading]]:
        digests = {path: file.sha256 for path, file in known.items()}
        readings = read_files(self._folder, [(file, digests.get(file.path, "")) for file in files])
        done = 0
        with show_progress(self._folder.name) as show:
            while batch := list(islice(readings, _BATCH)):
                for one in (reading.record for reading in batch if reading.record.reason):
                    log.warning("skipped", file=printable(one.path), reason=one.reason)
                yield batch
                done += len(batch)
                show(done, len(files))

    def watch(self) -> None:
        """Update the store whenever the folder has changed, until the process is interrupted."""
        while True:
            try:
                report = self.run()
            except (SourceError, OSError) as error:
                log.warning("the documents were not updated", reason=str(error))
            else:
                if report != StoreReport():
                    log.info("the documents were updated", **asdict(report))
            # A large folder is not listed all the time.
            time.sleep(max(_INTERVAL, _SHARE * self._listing_time))


def put_documents(
    store: DocumentStore,
    docstore: SimpleDocumentStore,
    documents: Sequence[tuple[KnownFile, Sequence[Passage]]],
) -> int:
    """Store documents in place of what was stored of them; return how many passages were embedded.

    A passage whose text was stored already keeps its vector, where the store returns vectors.
    """
    if not documents:
        return 0
    nodes = store.list_nodes(key_of(file.path) for file, _ in documents)
    # Documents of another version or model, or of a run that broke off, are replaced, too.
    others = {node.ref_doc_id for node in nodes if node.ref_doc_id} - docstore.docs.keys()
    docstore.add_documents([Document(id_=key, text="") for key in others])
    embedding = _PassageEmbedding(store, documents, nodes)
    _run_pipeline(store, docstore, [file for file, _ in documents], DocstoreStrategy.UPSERTS, embedding)
    return embedding.count


def _run_pipeline(
    store: DocumentStore,
    docstore: SimpleDocumentStore,
    files: Iterable[KnownFile],
    strategy: DocstoreStrategy,
    *transformations: TransformComponent,
) -> None:
    pipeline = IngestionPipeline(
        transformations=list(transformations),
        vector_store=store.vectors,
        docstore=docstore,
        docstore_strategy=strategy,
        disable_cache=True,
    )
    with name_place(store.place):
        pipeline.run(documents=list(map(_describe, files)))


def _describe(file: KnownFile) -> Document:
    """The document of the docstore: with the path, since it takes equal texts for one document."""
    return Document(id_=key_of(file.path), text=f"{file.path}\n{file.sha256}")


class _PassageEmbedding(TransformComponent):
    """Makes nodes of documents' passages, with the vectors of the ``stored`` nodes or new ones."""

    _store: DocumentStore = PrivateAttr()
    _nodes: dict[str, list[TextNode]] = PrivateAttr()
    _vectors: dict[str, list[float]] = PrivateAttr()
    _count: int = PrivateAttr(default=0)

    def __init__(
        self,
        store: DocumentStore,
        documents: Iterable[tuple[KnownFile, Sequence[Passage]]],
        stored: Iterable[BaseNode],
    ) -> None:
        super().__init__()
        self._store = store
        model = store.embedding.model_name
        self._nodes = {key_of(file.path): write_nodes(file, passages, model) for file, passages in documents}
        self._vectors = {}
        for node in stored:
            one = read_node(node)
            if node.embedding is not None and one.model == model:
                self._vectors[one.embedded_text] = [float(number) for number in node.embedding]

    @property
    def count(self) -> int:
        """The number of passages that were embedded."""
        return self._count

    def __call__(self, nodes: Sequence[BaseNode], **_: Any) -> list[BaseNode]:
        """Return the nodes of the documents."""
        found: list[BaseNode] = [node for document in nodes for node in self._nodes[document.node_id]]
        texts = [read_node(node).embedded_text for node in found]
        missing = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        with name_place(self._store.embedding_place):
            vectors = self._store.embedding.get_text_embedding_batch(missing)
        self._vectors |= zip(missing, vectors, strict=True)
        self._count = len(missing)
        for node, text in zip(found, texts, strict=True):
            node.embedding = self._vectors[text]
        return found
