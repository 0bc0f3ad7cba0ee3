"""Microsoft 365 Copilot's Retrieval API: extracts of documents that one person may read, and no answer.

Governing source: Microsoft 365 Copilot APIs, "Retrieve grounding data" (``POST /copilot/retrieval``) and the
resource types ``retrievalHit``, ``retrievalExtract`` and ``searchSensitivityLabelInfo``. Nothing there says
that the right EXTRACT was checked, so that no reference has it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import unquote

from ..model.reference import Reference
from .loose_json import Members, documents_of, inner, member, objects, score, text, title
from .purview_label import read_purview_label
from .source_address import describe_source

_NO_SCORE: Final = -1.0


def read_retrieval_hits(responses: Iterable[object]) -> tuple[Reference, ...]:
    """The hits in some ``retrievalResponse``, each with its extracts, its address and its label.

    "The results and extracts returned by the Retrieval API are unordered": the most relevant come first,
    and those without a score last. Their ids count from 1. Raises :class:`AnswerFormatError`.
    """
    hits = (
        one
        for response in responses
        for data in documents_of(response)
        for one in objects(member(data, "retrieval_hits"))
    )
    found = [(_relevance(hit), reference) for hit in hits if (reference := _read_hit(hit)).text]
    found.sort(key=lambda one: -one[0])
    return tuple(replace(one, id=str(number)) for number, (_, one) in enumerate(found, 1))


def _read_hit(hit: Members) -> Reference:
    """One document, whose text is its extracts, the most relevant first."""
    address = text(hit, "web_url").strip()
    extracts = sorted(objects(member(hit, "extracts")), key=lambda one: -_score(one))
    return describe_source(
        address,
        title(inner(hit, "resource_metadata"), "title") or _name_file(address),
        text="\n\n".join(words.strip() for one in extracts if (words := title(one, "text"))),
        label=read_purview_label(inner(hit, "sensitivity_label")),
        ordinal=True,
    )


def _relevance(hit: Members) -> float:
    return max(map(_score, objects(member(hit, "extracts"))), default=_NO_SCORE)


def _score(extract: Members) -> float:
    """The cosine of an extract and the question; "can be returned without a relevance score"."""
    found = score(extract, "relevance_score")
    return _NO_SCORE if found is None else found


def _name_file(address: str) -> str | None:
    """The name of the file at an address, such as ``VPN Access.docx``; None for a page of the web."""
    file = PurePosixPath(unquote(address.partition("?")[0].partition("#")[0]))
    return file.name if file.suffix else None
