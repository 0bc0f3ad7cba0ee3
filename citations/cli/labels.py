"""``labels``: prints the catalogue of a labels file, and the labels of an answer's references."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ..labels.ranking import GivenLabel, Giver, LabelRanking, highest_label
from ..labels.rule import LabelRule
from ..model.channel_id import EVERY_CHANNEL
from ..model.reference import Reference
from ..model.sensitivity_label import SensitivityLabel
from ..readers import json_text
from ..text.line import clean_name
from .console import CLEAN, complain, read, say, write
from .inputs import choose_format, read_ranking


def run(arguments: argparse.Namespace) -> int:
    """Print the catalogue in ascending order, and each reference's label with its reason."""
    if arguments.labels.suffix.lower() == ".json":
        return complain(
            f"{arguments.labels}: the first file is the labels' TOML, and the answer comes second"
        )
    ranking = read_ranking(arguments.labels)
    references: tuple[Reference, ...] = ()
    if arguments.file is not None:
        references = choose_format(arguments).read(json_text.loads(read(arguments.file))).references
    for problem in ranking.problems(references):
        say(str(problem))
    for line in _catalogue(ranking):
        write(line)
    if arguments.file is not None:
        for line in _answer(references, ranking):
            write(line)
        for rule in ranking.unmatched_rules(references):
            say(f"{ranking.describe_rule(rule)} matches no reference of the answer")
    return CLEAN


def _catalogue(ranking: LabelRanking) -> Iterator[str]:
    for label in ranking.in_order():
        yield f"{label.priority} {label.id}: {_describe(label)}"
    if ranking.default is not None:
        yield f"default: {ranking.default}"
    unknown = ranking.of_unknown()
    if unknown is not None:
        yield f"unknown: {unknown.id}"
    for channel, ceiling in ranking.ceilings.items():
        yield f"ceiling of {_channel(channel)}: {ceiling}"
    for number, rule in enumerate(ranking.rules, 1):
        yield f"rule {number}: {rule} gets {rule.label}"


def _describe(label: SensitivityLabel) -> str:
    said = (label.name, label.color, "encrypted" if label.encrypted else None, label.description)
    return ", ".join(clean_name(one) for one in said if one)


def _channel(channel: str) -> str:
    return "every other channel" if channel == EVERY_CHANNEL else channel


def _answer(references: tuple[Reference, ...], ranking: LabelRanking) -> Iterator[str]:
    for index, reference in enumerate(references):
        yield f"$.references[{index}] {clean_name(reference.id)!r}: {_explain_label(reference, ranking)}"
    highest = highest_label(references, ranking)
    kept = [
        _channel(channel)
        for channel in ranking.ceilings
        if any(not one.only_named and ranking.withholds(one, channel) for one in references)
    ]
    if any(not one.only_named and _is_encrypted(one, ranking) for one in references):
        kept = ["every channel"]
    withheld = f"; the answer's text is kept from {', '.join(kept)}" if kept else ""
    yield f"message: {highest.id if highest else 'no label'}{withheld}"


def _explain_label(reference: Reference, ranking: LabelRanking) -> str:
    """The label, what gave it, the other labels that were given, and the consequences."""
    given, won = ranking.labels_given(reference), ranking.label_of(reference)
    if won is None:
        return "no label, from no rule, its source or a default"
    first = next(one for one in given if one.label == won)
    parts = [f"{won.id}, from {_reason(first, ranking)}"]
    others = [f"{one.label.id} from {_reason(one, ranking)}" for one in given if one is not first]
    if others:
        parts.append(f"not {', '.join(others)}")
    above = [_channel(channel) for channel in ranking.ceilings if ranking.exceeds_ceiling(won, channel)]
    if above:
        parts.append(f"above the ceiling of {', '.join(above)}")
    if _is_encrypted(reference, ranking):
        parts.append("encrypted without a right to extract: no more than a link")
    return "; ".join(parts)


def _is_encrypted(reference: Reference, ranking: LabelRanking) -> bool:
    return not reference.extract and any(one.label.encrypted for one in ranking.labels_given(reference))


def _reason(given: GivenLabel, ranking: LabelRanking) -> str:
    if isinstance(given.by, LabelRule):
        return f"rule {ranking.rules.index(given.by) + 1} ({given.by})"
    if given.by is Giver.SOURCE and given.asked != given.label.id:
        return f"its source, which says {clean_name(given.asked)!r}"
    return given.by.value
