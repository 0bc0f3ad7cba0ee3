"""An answer becomes the neutral JSON again, so that a program can pass it on."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from ..model.answer import Answer, Origin
from ..model.reference import Reference

_NOT_NEUTRAL: Final = ("ordinal",)
"""Fields of a reference that the neutral JSON doesn't have."""


def write_answer(answer: Answer) -> dict[str, object]:
    """Write what :func:`read_answer` reads; what is absent or has its default has no key.

    The neutral JSON has no subqueries, no problems, and no reason why an answer ends too early.
    """
    return {"text": answer.text} | _without_blanks(
        {
            "dialect": answer.dialect.value if answer.dialect else None,
            "references": [_write_reference(reference) for reference in answer.references],
            "spans": [asdict(span) for span in answer.spans],
            "origin": _write_origin(answer.origin),
            "query": _without_blanks(asdict(answer.query)) if answer.query else None,
            "kind": answer.kind.value if answer.kind else None,
        }
    )


def _write_reference(reference: Reference) -> dict[str, object]:
    fields = _without_blanks(asdict(reference))
    if place := reference.place:
        fields["place"] = _without_blanks(asdict(place)) | {"kind": place.kind.value}
    return {name: value for name, value in fields.items() if name not in _NOT_NEUTRAL}


def _write_origin(origin: Origin) -> dict[str, object]:
    fields = {"slogan": origin.slogan, "url": origin.url, "generated": None if origin.generated else False}
    return {name: value for name, value in fields.items() if value is not None}


def _without_blanks(fields: dict[str, object]) -> dict[str, object]:
    """Leave out None, False, empty strings and empty lists, which are the defaults."""
    return {name: value for name, value in fields.items() if value}
