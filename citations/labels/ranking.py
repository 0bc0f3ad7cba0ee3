"""Sensitivity labels: the catalogue, their order, and the label of each reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from typing import Final

from ..model.channel_id import EVERY_CHANNEL
from ..model.citation import CitedAnswer
from ..model.errors import Problem
from ..model.reference import Reference
from ..model.sensitivity_label import SensitivityLabel
from ..text.line import clean_name
from ..text.name import fold_name
from .rule import LabelRule


class Giver(Enum):
    """What gives a reference a label, other than a rule."""

    SOURCE = "its source"
    KEYWORD = "a keyword"
    DEFAULT = "the default"


@dataclass(frozen=True, slots=True)
class GivenLabel:
    """The ``label`` that a reference gets from a rule, from its provider or by default.

    ``asked`` is the id that was given. The catalogue may not know it; then ``label`` is another one.
    """

    label: SensitivityLabel
    asked: str
    by: LabelRule | Giver


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRanking:
    """A tenant's catalogue of labels, their order, and the rules for references and channels.

    The catalogue is authoritative: the name, colour and rank of a label that it has never come from a
    provider. A label that a trusted provider sends in full, with its priority, joins the catalogue for
    the answer where the catalogue does not have it. It raises, and lowers nothing.
    ``default`` is the id of the label for references without one. ``unknown`` is the id of the label that
    replaces ids outside the catalogue; None means the highest label. ``ceilings`` name the highest label
    whose content may leave on a channel, by channel id. ``"*"`` stands for all other channels. Names and
    links may leave above a ceiling, too. Between labels of equal priority, ``encrypted`` ones and then
    the order of ``labels`` decide.
    """

    labels: tuple[SensitivityLabel, ...]
    default: str | None = None
    unknown: str | None = None
    ceilings: Mapping[str, str] = field(default_factory=dict, hash=False)
    rules: tuple[LabelRule, ...] = ()
    _known: Mapping[str | None, SensitivityLabel] = field(init=False, repr=False, compare=False)
    """The labels by id, and by a name that only one of them has: another bot's message names its labels."""
    _folded: Mapping[str, SensitivityLabel] = field(init=False, repr=False, compare=False)
    """The same by the folded id or name, where only one of them has it."""
    _places: Mapping[SensitivityLabel, int] = field(init=False, repr=False, compare=False)
    _given: Callable[[Reference], tuple[GivenLabel, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Of two labels with the same id, the first one counts.
        backwards = tuple(reversed(tuple(enumerate(self.labels))))
        uses = Counter(label.name for label in self.labels)
        named = {label.name: label for label in self.labels if uses[label.name] == 1}
        by_id = {label.id: label for _, label in backwards}
        # A rendering asks for the labels of each reference four times.
        object.__setattr__(self, "_given", lru_cache(128)(self._find_given))
        object.__setattr__(self, "_known", named | by_id)
        object.__setattr__(self, "_folded", _fold_keys(named) | _fold_keys(by_id))
        object.__setattr__(self, "_places", {label: place for place, label in backwards})

    @classmethod
    def from_toml(cls, text: str) -> LabelRanking:
        """Read a labels file, as docs/labels.md and ``python -m citations labels --help`` describe it.

        Raises :class:`LabelFormatError` with every fault that it has.
        """
        from .toml_file import read_label_file  # noqa: PLC0415 - most programs have no file

        file = read_label_file(text)
        return cls(
            labels=tuple(SensitivityLabel(**label) for label in file.labels),
            default=file.default,
            unknown=file.unknown,
            ceilings=file.ceilings,
            rules=tuple(
                LabelRule(**rule, line=line) for rule, line in zip(file.rules, file.rule_lines, strict=True)
            ),
        )

    def label_of(self, reference: Reference) -> SensitivityLabel | None:
        """The label of one reference: the highest that a rule or its provider gives it, else the default.

        A reference may name its label instead of its id. An id or a name outside the catalogue counts as
        :attr:`unknown`, never as no label.
        """
        return self.highest(one.label for one in given) if (given := self.labels_given(reference)) else None

    def labels_given(self, reference: Reference) -> tuple[GivenLabel, ...]:
        """All labels that a reference gets.

        A *name* may come from a document, a model or a person. So a rule that matches only a name
        (:meth:`LabelRule.matches_name`) can raise a label and can't lower one. Nor can a keyword that
        names a label: Teams takes the label of a source there.
        """
        if reference.label is None and not (self.labels or self.rules or self.default):
            # Without a catalogue, a source has its own label or none.
            return ()
        return self._given(reference)

    def _find_given(self, reference: Reference) -> tuple[GivenLabel, ...]:
        given: list[tuple[str | SensitivityLabel, LabelRule | Giver]]
        given = [(rule.label, rule) for rule in self.rules if rule.matches(reference)]
        if reference.label is not None:
            given.append((reference.label, Giver.SOURCE))
        if not given and self.default is not None:
            given.append((self.default, Giver.DEFAULT))
        given += [
            (rule.label, rule)
            for rule in self.rules
            if rule.matches_name(reference) and not rule.matches(reference)
        ]
        named = (label for keyword in reference.keywords for label in self._find_named(keyword))
        given += [(label.id, Giver.KEYWORD) for label in named]
        return tuple(
            GivenLabel(self._look_up(one), one if isinstance(one, str) else one.id, by) for one, by in given
        )

    def highest(self, labels: Iterable[SensitivityLabel | None]) -> SensitivityLabel | None:
        """The label of the highest priority.

        Among equal ones, encrypted labels precede, then the catalogue's order. Labels whose order nothing
        says are all named, which lowers none of them.
        """
        found = tuple(dict.fromkeys(label for label in labels if label))
        # Most references have a single label, which needs no ranking.
        if len(found) < 2:
            return next(iter(found), None)
        highest = max(found, key=self._rank)
        if highest.priority is not None or highest in self._places:
            return highest
        ranked = max((label for label in found if label.priority is not None), key=self._rank, default=None)
        return _name_all(label for label in found if label.priority is None or label == ranked)

    def in_order(self) -> tuple[SensitivityLabel, ...]:
        """The labels in ascending order."""
        return tuple(sorted(self.labels, key=self._rank))

    def is_lowest(self, label: SensitivityLabel) -> bool:
        """Whether all other labels are higher, so that it needs no mention."""
        others = [known for known in self.labels if known.id != label.id]
        return bool(others) and all(_priority(label) < _priority(other) for other in others)

    def withholds(self, reference: Reference, channel_id: str) -> bool:
        """Whether the content of ``reference`` must not leave on this channel.

        That is so above the channel's ceiling. It is also so under an encrypted label, unless the right
        EXTRACT is proven. A person with VIEW alone may get a link to the document, and none of its words
        (Microsoft Purview, "Considerations for Microsoft 365 Copilot").
        """
        return self._is_withheld(reference, (channel_id,))

    def may_withhold(self, channel_id: str) -> bool:
        """Whether this channel withholds any label's content.

        Where it has a ceiling, a source may come with a label of its own that is higher.
        """
        return self._ceiling(channel_id) is not None or any(label.encrypted for label in self.labels)

    def withholds_unknown(self, channel_id: str) -> bool:
        """Whether this channel withholds references whose label is unknown."""
        label = self.of_unknown() or _raise_unranked("")
        return label.encrypted or self.exceeds_ceiling(label, channel_id)

    def exceeds_ceiling(self, label: SensitivityLabel | None, channel_id: str) -> bool:
        """Whether ``label`` is above this channel's ceiling."""
        ceiling = self._ceiling(channel_id)
        if label is None or ceiling is None:
            return False
        allowed = self._find_label(ceiling)
        # A ceiling outside the catalogue excludes everything with a label.
        return allowed is None or _priority(label) > _priority(allowed)

    def _ceiling(self, channel_id: str) -> str | None:
        return self.ceilings.get(channel_id.lower(), self.ceilings.get(EVERY_CHANNEL))

    def withholds_anywhere(self, reference: Reference) -> bool:
        """Whether any channel withholds the content of ``reference``, so that it is not for everybody."""
        return self._is_withheld(reference, (*self.ceilings, EVERY_CHANNEL))

    def _is_withheld(self, reference: Reference, channel_ids: Iterable[str]) -> bool:
        """Whether its content must not leave on one of these channels."""
        labels = [given.label for given in self.labels_given(reference)]
        if not reference.extract and any(label.encrypted for label in labels):
            return True
        return any(self.exceeds_ceiling(label, one) for one in channel_ids for label in labels)

    def unmatched_rules(self, references: Iterable[Reference]) -> tuple[LabelRule, ...]:
        """The rules that match none of ``references``: such a rule protects nothing, and may be misspelt."""
        left = list(self.rules)
        for reference in references:
            left = [rule for rule in left if not (rule.matches(reference) or rule.matches_name(reference))]
        return tuple(left)

    def describe_rule(self, rule: LabelRule) -> str:
        """The number of a rule, its line and its criterion, such as ``rule 2 (line 14: file 'hr/*')``."""
        line = f"line {rule.line}: " if rule.line else ""
        number = next(number for number, one in enumerate(self.rules, 1) if one is rule)
        return f"rule {number} ({line}{rule})"

    def problems(self, references: Sequence[Reference]) -> tuple[Problem, ...]:
        """A problem for each label id that the catalogue doesn't have. An empty one knows none."""
        return tuple(
            Problem(
                "unknown-label",
                f"$.references[{number}].label",
                f"label {clean_name(one.label_name or '')!r} isn't in the catalogue, so that it counts as "
                f"{self._look_up(one.label).id!r}: add it to the labels file",
            )
            for number, one in enumerate(references)
            if self.labels and one.label is not None and not self._knows(one.label)
        )

    def _knows(self, label: str | SensitivityLabel) -> bool:
        """Whether the label's rank is known: from the catalogue, or from the label itself."""
        if isinstance(label, str):
            return self._find_label(label) is not None
        return label.priority is not None or self._find_own(label) is not None

    def _look_up(self, label: str | SensitivityLabel) -> SensitivityLabel:
        if isinstance(label, str):
            return self._find_label(label) or self.of_unknown() or _raise_unranked(label)
        known = self._find_own(label)
        if known:
            # What encrypts the source is in the source, whatever the catalogue says.
            return replace(known, encrypted=known.encrypted or label.encrypted)
        return label if label.priority is not None else self.of_unknown() or label

    def _find_own(self, label: SensitivityLabel) -> SensitivityLabel | None:
        """The catalogue's label that a source's own label is, by its id or its name."""
        return self._find_label(label.id) or self._find_label(label.name)

    def of_unknown(self) -> SensitivityLabel | None:
        """The label that replaces ids outside the catalogue; None if the catalogue is empty."""
        return self._find_label(self.unknown) or self.highest(self.labels)

    def _find_named(self, keyword: str) -> Iterator[SensitivityLabel]:
        """The labels that a keyword names, whose end may be cut."""
        known = self._find_label(keyword)
        if known:
            yield known
        elif keyword.endswith("…") and (beginning := fold_name(keyword[:-1])):
            yield from (label for label in self.labels if fold_name(label.name).startswith(beginning))

    def _find_label(self, name: str | None) -> SensitivityLabel | None:
        return self._known.get(name) or self._folded.get(fold_name(name or ""))

    def _rank(self, label: SensitivityLabel) -> tuple[float, bool, int]:
        return _priority(label), label.encrypted, -self._places.get(label, -1)


def highest_label(references: Iterable[Reference], ranking: LabelRanking) -> SensitivityLabel | None:
    """The label of a message that was made from ``references``, cited or not."""
    return ranking.highest(map(ranking.label_of, references))


def citation_labels(cited: CitedAnswer, ranking: LabelRanking) -> list[SensitivityLabel | None]:
    """The label of each citation: the highest of the references that were joined into it."""
    return [highest_label(one.parts or (one.reference,), ranking) for one in cited.citations]


def message_label(cited: CitedAnswer, ranking: LabelRanking) -> SensitivityLabel | None:
    """The label of an answer: the highest of all its sources, cited or not.

    An answer that broke off may have further sources, whose label counts as unknown.
    """
    label = highest_label(cited.sources, ranking)
    return label if cited.complete else ranking.highest((label, ranking.of_unknown()))


def _fold_keys(labels: Mapping[str, SensitivityLabel]) -> dict[str, SensitivityLabel]:
    """``labels`` by their folded keys, without those that several keys have."""
    uses = Counter(map(fold_name, labels))
    return {folded: label for key, label in labels.items() if uses[folded := fold_name(key)] == 1}


def _name_all(labels: Iterable[SensitivityLabel]) -> SensitivityLabel:
    """One label that names all of these, in their order."""
    named = tuple(labels)
    if len(named) == 1:
        return named[0]
    return SensitivityLabel(
        id="\n".join(label.id for label in named),
        name=", ".join(label.name for label in named),
        encrypted=any(label.encrypted for label in named),
    )


def _raise_unranked(label: str) -> SensitivityLabel:
    return SensitivityLabel(id=label, name=clean_name(label) or "Unnamed label")


def _priority(label: SensitivityLabel) -> float:
    """The priority of a label; infinite without a rank, so that it is above the ranked ones."""
    return float("inf") if label.priority is None else label.priority


NO_CATALOGUE: Final = LabelRanking(labels=())
"""Without a labels file the id of a label is its name, and only labels that sources send are ranked."""
