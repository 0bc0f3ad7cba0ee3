"""What an access policy lets the bot search for one person, and quote to them, and what is kept from them."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, SupportsIndex
from urllib.parse import unquote, urlsplit

from citations import AnswerEvent, LabelRanking, Reference, ReferencesFound
from citations.labels import NO_CATALOGUE
from citations.text import clean_spelling, fold_loosely, fold_name, without_turns

from ..config.loopback import is_loopback
from ..config.routes import DOCUMENTS
from ..languages import Sentence
from .errors import SourceError
from .step import report_event


class AccessRefused(SourceError):  # noqa: N818 - it is a decision of the policy, and no fault
    """The policy lets this person search nothing."""

    message = Sentence.ACCESS_REFUSED
    suffix = Sentence.ACCESS_REFUSED_SUFFIX


class NotForAsker(AccessRefused):
    """This person may not see what was found, or what was asked for."""

    message = Sentence.NOT_FOR_ASKER


class AccessUndecided(SourceError):  # noqa: N818 - as above
    """The policy failed, so the bot may search nothing."""

    message = Sentence.ACCESS_UNDECIDED
    suffix = Sentence.ACCESS_UNDECIDED_SUFFIX


def _refuse(_: Reference) -> bool:
    return False


def _allow(_: Reference) -> bool:
    return True


_FIELD: Final = re.compile(r"\w+")
_VALUE: Final = re.compile(r"[\w .,@/+-]+")
METADATA: Final = "metadata:"
"""The beginning of an alias that says what the metadata of a passage have."""


def name_metadata(field: str, value: object) -> str:
    """The alias of a reference whose passage has this value in a field of its metadata.

    >>> name_metadata("group", "sales")
    'metadata:group=sales'
    """
    return f"{METADATA}{field}={value}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Permission:
    """What the bot may search for one person, and what of it the bot may quote to them.

    Both functions get a reference with its id, its URLs and its label, but without its text.
    :func:`place_of` gives its path, URL or id. Other threads call them once for each document, so they
    must not block. ``sees`` None allows everything. ``extracts`` says whether the person has the right
    EXTRACT to what an encrypted label protects. Only the value True grants access.

    ``metadata`` restricts an engine of LlamaIndex to passages that have, in each of these fields of their
    metadata, one of the values. Nothing of any other source has these fields, so nothing of it may be seen.
    Raises ``ValueError`` for fields and values that could end the query into which stores write them.
    """

    sees: Callable[[Reference], bool] | None = None
    extracts: Callable[[Reference], bool] = _refuse
    metadata: Mapping[str, Collection[str]] | None = None
    is_of_chosen: bool = False
    """Whether a question names the documents that it asks, so that a person may see others."""

    def __post_init__(self) -> None:
        for field, values in (self.metadata or {}).items():
            is_plain = not isinstance(values, str) and all(map(_VALUE.fullmatch, values))
            if not (is_plain and _FIELD.fullmatch(field)):
                raise ValueError(
                    f"metadata: {field!r} has to be a word, and its values a list of plain texts"
                )

    @property
    def is_limited(self) -> bool:
        """Whether there may be something that the person may not see."""
        return self.sees is not None or self.metadata is not None

    def may_see(self, reference: Reference) -> bool:
        """Whether it may be searched and named. Raises :class:`AccessUndecided` if the policy fails."""
        given = {fold_name(alias) for alias in reference.aliases} if self.metadata else set()
        has_metadata = all(
            any(fold_name(name_metadata(field, value)) in given for value in values)
            for field, values in (self.metadata or {}).items()
        )
        return has_metadata and (self.sees is None or _decide(self.sees, reference))

    def may_extract(self, reference: Reference) -> bool:
        """Whether it may be quoted although its label encrypts it. Raises as :meth:`may_see` does."""
        return _decide(self.extracts, reference)

    def restrict(self, paths: Collection[str]) -> Permission:
        """This permission for the documents at these paths alone: it allows nothing that this one forbids.

        A page has paths without the controls that turn the writing.
        """
        sees, chosen = self.sees or _allow, frozenset(map(without_turns, paths))
        return replace(
            self, sees=lambda one: without_turns(path_of(one)) in chosen and sees(one), is_of_chosen=True
        )


EVERYTHING: Final = Permission()
"""Everything may be seen. What an encrypted label protects may be named, but not quoted."""


class PlaceName(str):
    r"""A path, a URL or an id that is compared as people mean it, with ``==``, ``startswith`` and the like.

    A folder that a Mac calls ``Gehälter/`` has other code points than the same word in a policy. ``\`` is
    ``/``, and the four i of Turkish are one. In a set or a dictionary, only the same spelling is found.
    """

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and fold_loosely(str(self)) == fold_loosely(str(other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __contains__(self, part: object) -> bool:
        return isinstance(part, str) and fold_loosely(part) in fold_loosely(str(self))

    def startswith(self, prefix: str | tuple[str, ...], *bounds: SupportsIndex | None) -> bool:
        """Whether it begins with ``prefix``, or with one of them."""
        return fold_loosely(str(self)).startswith(_fold_all(prefix), *bounds)

    def endswith(self, suffix: str | tuple[str, ...], *bounds: SupportsIndex | None) -> bool:
        """Whether it ends with ``suffix``, or with one of them."""
        return fold_loosely(str(self)).endswith(_fold_all(suffix), *bounds)


def _fold_all(names: str | tuple[str, ...]) -> str | tuple[str, ...]:
    return fold_loosely(names) if isinstance(names, str) else tuple(map(fold_loosely, names))


def place_of(reference: Reference) -> PlaceName:
    """Where a reference is: the path of a folder's document, such as ``hr/pay.md``, else its URL or id.

    >>> place_of(Reference(id="1", document_url="http://127.0.0.1:3978/documents/hr/pay%20bands.pdf#page=3"))
    'hr/pay bands.pdf'
    >>> place_of(Reference(id="1", document_url="hr/pay.md"))
    'hr/pay.md'
    >>> place_of(Reference(id="1", url="https://example.com/a%20b"))
    'https://example.com/a%20b'
    """
    return PlaceName(clean_spelling(path_of(reference)))


def path_of(reference: Reference) -> str:
    """What :func:`place_of` returns, in the spelling of the folder or the provider."""
    place = reference.document_url or reference.url or reference.id
    try:
        parts = urlsplit(place)
    except ValueError:
        return place
    if reference.document_url and not parts.netloc and not parts.scheme:
        return unquote(parts.path)
    if is_loopback(parts.hostname or "") and parts.path.startswith(DOCUMENTS):
        return unquote(parts.path.removeprefix(DOCUMENTS))
    return place


def _decide(decide: Callable[[Reference], bool], reference: Reference) -> bool:
    try:
        return decide(reference) is True
    except Exception as error:
        raise AccessUndecided("the policy failed") from error


def split_by_extract_right(
    references: Sequence[Reference], ranking: LabelRanking | None
) -> tuple[tuple[Reference, ...], tuple[Reference, ...]]:
    """The references that may be quoted, and those that may only be named, without their text.

    "The user must have the EXTRACT usage right" to what a label encrypts (Microsoft Purview,
    "Considerations for Microsoft 365 Copilot"). Without this right, an answer may link to the document.
    """
    known = ranking or NO_CATALOGUE
    readable = tuple(one for one in references if one.extract or not _encrypts(one, known))
    sealed = (one for one in references if one not in readable)
    return readable, tuple(replace(one, text=None, only_named=True) for one in sealed)


def describe_for_policy(reference: Reference, ranking: LabelRanking | None) -> Reference:
    """The reference as an access policy gets it: with its label, without its text."""
    label = ranking.label_of(reference) if ranking else None
    return replace(reference, text=None, label=label.id if label else reference.label)


def _encrypts(reference: Reference, ranking: LabelRanking) -> bool:
    return any(given.label.encrypted for given in ranking.labels_given(reference))


def require_visible(references: Iterable[Reference], permission: Permission) -> None:
    """Raise :class:`NotForAsker` if ``permission`` does not let a person see all of these references."""
    if not all(map(permission.may_see, references)):
        raise NotForAsker("what was found may not be seen")


async def check_visible(
    events: AsyncGenerator[AnswerEvent, None], permission: Permission
) -> AsyncGenerator[AnswerEvent, None]:
    """The events of an answer. Raises :class:`NotForAsker` at a reference that may not be seen."""
    async with contextlib.aclosing(events):
        async for event in events:
            if isinstance(event, ReferencesFound):
                require_visible(event.references, permission)
            yield event


async def hold_back(events: AsyncGenerator[AnswerEvent, None]) -> AsyncGenerator[AnswerEvent, None]:
    """The events of an answer once it is whole, so that nothing is shown of one that raises an error."""
    held: list[AnswerEvent] = []
    async with contextlib.aclosing(events):
        async for event in events:
            held.append(event)
            report_event(event)
    for event in held:
        yield event
