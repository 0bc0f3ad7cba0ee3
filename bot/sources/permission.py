"""What may be searched for one person: what an access policy says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urlsplit

from citations import Reference

from ..config.loopback import is_loopback
from ..config.routes import DOCUMENTS
from ..messages import Sentence
from .errors import SourceError


class AccessRefused(SourceError):  # noqa: N818 - it is what the policy says, and no fault
    """The policy lets this person search nothing."""

    message = Sentence.ACCESS_REFUSED
    suffix = Sentence.ACCESS_REFUSED_SUFFIX


class NotForAsker(AccessRefused):
    """What was found, or asked for, is not for this person."""

    message = Sentence.NOT_FOR_ASKER


class AccessUndecided(SourceError):  # noqa: N818 - as above
    """The policy failed, so that nothing may be searched."""

    message = Sentence.ACCESS_UNDECIDED
    suffix = Sentence.ACCESS_UNDECIDED_SUFFIX


def _refuse(_: Reference) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Permission:
    """What one person may have searched, and what of it may be quoted to them.

    Both are asked with a reference: its id, its URLs and its label (:func:`place_of` tells where it
    is), but not its text. They are called from other threads, once for each document: no waiting there.
    ``sees`` None means everything. ``extracts`` says whether the person has the right EXTRACT to what
    an encrypted label protects. True is a yes, and nothing else is.
    """

    sees: Callable[[Reference], bool] | None = None
    extracts: Callable[[Reference], bool] = _refuse

    def may_see(self, reference: Reference) -> bool:
        """Whether it may be searched and named. Raises :class:`AccessUndecided` where the policy fails."""
        return self.sees is None or _decide(self.sees, reference)

    def may_extract(self, reference: Reference) -> bool:
        """Whether it may be quoted although its label encrypts. Raises as :meth:`may_see`."""
        return _decide(self.extracts, reference)


EVERYTHING: Final = Permission()
"""All may be seen; what an encrypted label protects may be named, and not quoted."""


def place_of(reference: Reference) -> str:
    """Where a reference is: the path of a folder's document, such as ``hr/pay.md``, else its URL or id.

    >>> place_of(Reference(id="1", document_url="http://127.0.0.1:3978/documents/hr/pay%20bands.pdf#page=3"))
    'hr/pay bands.pdf'
    >>> place_of(Reference(id="1", document_url="hr/pay.md"))
    'hr/pay.md'
    >>> place_of(Reference(id="1", url="https://example.com/a%20b"))
    'https://example.com/a%20b'
    """
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
