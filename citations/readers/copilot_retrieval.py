"""Microsoft 365 Copilot's Retrieval API: extracts of documents that one person may read, and no answer.

Governing source: Microsoft 365 Copilot APIs, "Retrieve grounding data" (``POST /copilot/retrieval``) and the
resource types ``retrievalHit``, ``retrievalExtract`` and ``searchSensitivityLabelInfo``. Nothing there says
that the right EXTRACT was checked, so that no reference has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from urllib.parse import unquote

from ..model.reference import Reference
from .loose_json import Members, documents_of, inner, member, objects, text, title
from .purview_label import read_purview_label
from .source_address import describe_source


def read_retrieval_hits(responses: Iterable[object]) -> tuple[Reference, ...]:
    """Return the extracts in some ``retrievalResponse``, each as a reference with its address and label.

    "The results and extracts returned by the Retrieval API are unordered": the most relevant come first,
    and those without a score last. Their ids count from 1. Raises :class:`AnswerFormatError`.
    """
    found = [one for response in responses for data in documents_of(response) for one in _read_hits(data)]
    found.sort(key=lambda one: -one[0])
    return tuple(replace(one, id=str(number)) for number, (_, one) in enumerate(found, 1))


def _read_hits(response: Members) -> Iterator[tuple[float, Reference]]:
    for hit in objects(member(response, "retrieval_hits")):
        address = text(hit, "web_url").strip()
        document = describe_source(
            address,
            title(inner(hit, "resource_metadata"), "title") or _name_file(address),
            label=read_purview_label(inner(hit, "sensitivity_label")),
            ordinal=True,
        )
        for extract in objects(member(hit, "extracts")):
            if words := title(extract, "text"):
                score = member(extract, "relevance_score")
                relevance = float(score) if isinstance(score, int | float) else -1.0
                yield relevance, replace(document, text=words)


def _name_file(address: str) -> str | None:
    """The name of the file at an address, such as ``VPN Access.docx``; None for a page of the web."""
    file = PurePosixPath(unquote(address.partition("?")[0].partition("#")[0]))
    return file.name if file.suffix else None
