"""Sensitivity labels: what they say, which of two is higher, and which one a reference carries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from posixpath import normpath
from typing import Final
from urllib.parse import unquote, urlsplit

from .definition import clean_name
from .errors import Problem
from .label_file import LabelFile, read_label_file
from .reference import Reference
from .url import safe_url

_DEFAULT_PORTS: Final = {"http": ":80", "https": ":443"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitivityLabel:
    """How something should be handled (CITATION.md § "Sensitivity label").

    ``priority`` counts from 0, the lowest, as Office and Purview do. It is None for a label that no
    catalogue knows: such labels can't be ranked. ``color`` is a CSS colour, ``#rgb`` or a name.
    ``encrypted`` draws a lock on its shield.
    """

    id: str
    name: str
    priority: int | None = None
    description: str | None = None
    color: str | None = None
    encrypted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRule:
    """Gives the label ``label`` to the references that it matches, by one of three.

    ``id`` is a reference's id. ``url_prefix`` is the beginning of its URL; scheme, host and dot
    segments are compared as a browser reads them, and a host only whole. ``file`` is a glob pattern
    such as ``*-draft.docx`` or ``hr/*``, for the path or file name in its id or URL, in any case.
    """

    label: str
    id: str | None = None
    url_prefix: str | None = None
    file: str | None = None

    def matches(self, reference: Reference) -> bool:
        """Whether the rule holds for where the reference *is*: its id and its URLs."""
        if self.id is not None:
            return reference.id == self.id
        if self.url_prefix is not None:
            return any(_starts_with(place, self.url_prefix) for place in _places(reference))
        return any(self._fits(path) for place in _places(reference) for path in _paths(place))

    def matches_name(self, reference: Reference) -> bool:
        """Whether the pattern fits the name that the reference is *called*."""
        return reference.name is not None and self._fits(reference.name)

    def _fits(self, path: str) -> bool:
        return self.file is not None and fnmatchcase(path.casefold(), self.file.casefold())


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRanking:
    """A tenant's labels with their order, and how references and channels come by them.

    The catalogue is authoritative: what a label says, its colour and its rank come from here, and
    never from a source. ``default`` is the id of the label of what has no other. ``ceilings`` name,
    for a channel id, the highest label whose passages may leave on it. ``encrypted`` labels and the
    order of ``labels`` settle a draw between equal priorities.
    """

    labels: tuple[SensitivityLabel, ...]
    default: str | None = None
    ceilings: Mapping[str, str] = field(default_factory=dict, hash=False)
    rules: tuple[LabelRule, ...] = ()

    @classmethod
    def from_toml(cls, text: str) -> LabelRanking:
        r"""Read a labels file; raises :class:`LabelFormatError` with every fault that it has.

        ::

            default = "general"              # of a reference that has no other label

            [[label]]
            id = "general"
            name = "General"
            priority = 0                     # 0 is the lowest; no two labels share one

            [[label]]
            id = "confidential"
            name = 'Confidential\Any User'
            priority = 1
            description = "For approved business partners."
            color = "orange"                 # or "#f80"
            encrypted = true

            [ceiling]                        # the highest label whose passages may leave
            sms = "general"

            [[rule]]                         # by one of id, url_prefix, file
            label = "confidential"
            url_prefix = "https://hr.example.com/"
        """
        return _ranking(read_label_file(text))

    def label_of(self, reference: Reference) -> SensitivityLabel | None:
        """The label of one reference: the highest that a rule or its source gives it, else the default.

        A label id that the catalogue doesn't know counts as the catalogue's highest, never as none.
        A reference's *name* may come from a document or a model, so that a rule which fits only the
        name can raise a label and can't lower one.
        """
        given = [rule.label for rule in self.rules if rule.matches(reference)]
        if reference.label is not None:
            given.append(reference.label)
        if not given and self.default is not None:
            given.append(self.default)
        given += [rule.label for rule in self.rules if rule.matches_name(reference)]
        return self.highest(self._known(label) for label in given)

    def highest(self, labels: Iterable[SensitivityLabel | None]) -> SensitivityLabel | None:
        """The label of the highest priority; equal ones: encrypted first, then the catalogue's order."""
        return max((label for label in labels if label), key=self._rank, default=None)

    def is_lowest(self, label: SensitivityLabel) -> bool:
        """Whether all other labels are higher, so that it asks for nothing special."""
        others = [known for known in self.labels if known.id != label.id]
        return bool(others) and all(_priority(label) < _priority(other) for other in others)

    def exceeds_ceiling(self, label: SensitivityLabel | None, channel_id: str) -> bool:
        """Whether passages under ``label`` must not leave on this channel."""
        ceiling = self.ceilings.get(channel_id)
        if label is None or ceiling is None:
            return False
        allowed = next((known for known in self.labels if known.id == ceiling), None)
        # A ceiling that the catalogue doesn't know lets nothing pass that is labelled.
        return allowed is None or _priority(label) > _priority(allowed)

    def problems(self, references: Sequence[Reference]) -> tuple[Problem, ...]:
        """The labels of references that the catalogue doesn't know."""
        known = {label.id for label in self.labels}
        return tuple(
            Problem(
                "unknown-label",
                f"$.references[{number}].label",
                f"label {clean_name(reference.label)!r} isn't in the catalogue, so that it counts as the "
                "highest one: add it to the labels file",
            )
            for number, reference in enumerate(references)
            if reference.label is not None and reference.label not in known
        )

    def _known(self, label_id: str) -> SensitivityLabel:
        found = next((label for label in self.labels if label.id == label_id), None)
        return found or self.highest(self.labels) or _unranked(label_id)

    def _rank(self, label: SensitivityLabel) -> tuple[float, bool, int]:
        place = self.labels.index(label) if label in self.labels else -1
        return _priority(label), label.encrypted, -place


def label_of(reference: Reference, ranking: LabelRanking | None) -> SensitivityLabel | None:
    """The label of one reference; without a ranking its label id is the label's name."""
    if ranking is not None:
        return ranking.label_of(reference)
    return None if reference.label is None else _unranked(reference.label)


def highest_label(references: Iterable[Reference], ranking: LabelRanking | None) -> SensitivityLabel | None:
    """The label of a message that was made from ``references``, cited or not.

    Without a ranking nobody knows which of several labels is the highest. The message then names
    them all, in the order of the references: that lowers none of them.
    """
    labels = [label for reference in references if (label := label_of(reference, ranking))]
    if ranking is not None:
        return ranking.highest(labels)
    different = tuple(dict.fromkeys(labels))
    if len(different) < 2:
        return next(iter(different), None)
    return SensitivityLabel(
        id="\n".join(label.id for label in different), name=", ".join(label.name for label in different)
    )


def _unranked(label_id: str) -> SensitivityLabel:
    return SensitivityLabel(id=label_id, name=clean_name(label_id) or "Unnamed label")


def _priority(label: SensitivityLabel) -> float:
    """A label without a rank is above those that have one."""
    return float("inf") if label.priority is None else label.priority


def _ranking(file: LabelFile) -> LabelRanking:
    return LabelRanking(
        labels=tuple(
            SensitivityLabel(
                id=label["id"],
                name=label["name"],
                priority=label["priority"],
                description=label.get("description"),
                color=label.get("color"),
                encrypted=label.get("encrypted", False),
            )
            for label in file.labels
        ),
        default=file.default,
        ceilings=dict(file.ceilings),
        rules=tuple(LabelRule(**rule) for rule in file.rules),
    )


def _places(reference: Reference) -> Iterable[str]:
    return (place for place in (reference.id, reference.url, reference.document_url) if place)


def _starts_with(place: str, prefix: str) -> bool:
    place, prefix = _canonical(place), _canonical(prefix)
    if not place.startswith(prefix):
        return False
    # `https://example.com` is not the beginning of `https://example.com.evil.example`.
    whole_host = prefix.count("/") > 2
    return whole_host or place[len(prefix) : len(prefix) + 1] in ("", "/", "?", "#")


@lru_cache(maxsize=512)
def _canonical(url: str) -> str:
    """A URL as a browser reads it, so that two spellings of one place are one."""
    try:
        parts = urlsplit((safe_url(url) or url).replace("\\", "/").strip())
    except ValueError:
        return url
    scheme = parts.scheme.lower()
    host = parts.netloc.rpartition("@")[2].lower().removesuffix(_DEFAULT_PORTS.get(scheme, ":"))
    path = unquote(parts.path)
    if path:
        trailing = "/" if re.search(r"/\.{0,2}\Z", path) else ""
        path = normpath(path).replace("//", "/").rstrip("/") + trailing
    rest = (f"?{parts.query}" if parts.query else "") + (f"#{parts.fragment}" if parts.fragment else "")
    return f"{scheme}://{host}{path}{rest}"


def _paths(place: str) -> Iterable[str]:
    """A path and the file name at its end, with and without what follows ``#`` or ``?``."""
    path = unquote(place).replace("\\", "/")
    for whole in dict.fromkeys((path, re.split(r"[?#]", path, maxsplit=1)[0])):
        yield whole
        yield whole.rpartition("/")[2]
