"""A second reading of what was written, by markdown-it-py's own rules: an assertion for tests and debugging.

The writer makes a text safe by construction. In this release, a program that sets ``ENABLED`` still has each
Markdown text read back, as all renderings were before.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..channels import Channel
from ..markdown import read_markdown
from ..model.link_definition import LinkDefinition
from ..text.url import live_url

ENABLED = False
"""Whether renderings are read again."""


def assert_safe(
    text: str, definitions: Sequence[LinkDefinition], channel: Channel, live_hosts: frozenset[str]
) -> None:
    """Raise ``AssertionError`` if a reader of ``text`` gets anything live but our links and definitions."""
    if channel.text_format != "markdown":
        return
    read = read_markdown(text)
    loaded = (*read.images, *read.html)
    assert not loaded, (loaded, text)  # noqa: S101
    ours = [(one.label, one.destination, one.title) for one in definitions]
    found = [(one.label, one.url, one.title) for one in read.definitions]
    assert not found or found == ours, (found, ours, text)  # noqa: S101
    known = {one.destination for one in definitions}
    foreign = [
        link for link in read.links if link.url not in known and live_url(link.url, live_hosts) != link.url
    ]
    assert not foreign, (foreign, text)  # noqa: S101
