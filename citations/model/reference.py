"""One thing that an answer may cite."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A document, web page or passage that the answer source found, as the source describes it.

    Nothing here is trusted: names, URLs and texts are cleaned where they are rendered.
    """

    id: str
    """What a marker in the answer names: ``1`` for ``[1]``, a file or cite id for ``[name](id)``."""
    name: str | None = None
    """The title that the reader sees."""
    url: str | None = None
    """Where the reader can open it. None makes it a *non-URL citation* (Web Chat, CITATION.md
    § "Non-URL citation"): the badge opens ``text`` instead."""
    text: str | None = None
    """The passage that supports the answer, in Markdown."""
    page: int | None = None
    """The page of the passage, counted from 1."""
    label: str | None = None
    """The id of its sensitivity label; the catalogue has the words, the source never does."""
    media_type: str | None = None
    """Its MIME type, Schema.org ``encodingFormat``."""
    modified: str | None = None
    """When it last changed, ISO 8601, Schema.org ``dateModified``."""
    editor: str | None = None
    """Who last changed it, Schema.org ``editor``."""
    document_url: str | None = None
    """Where the whole document of a non-URL citation can be opened, linked below the passage."""
    extract: bool = False
    """Whether it is proven that who asks may copy out of it: the usage right EXTRACT (Microsoft
    Purview). Without it, nothing is shown of what has an encrypted label but its name and its place,
    nor an answer that was made with it. Only the source's own check of rights may set it."""
    only_named: bool = False
    """Whether the answer was made without what it says, so that it can be no reason to withhold the
    answer's text."""
    aliases: tuple[str, ...] = ()
    """All other ids and names that its provider gave, for the rules of a labels file. No reader sees them,
    and no marker names a reference by them."""
    ordinal: bool = False
    """Whether ``id`` is only a number that the library gave, so that no rule of a labels file means it."""
