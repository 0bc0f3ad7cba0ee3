"""Each rendering of Markdown is read again, by markdown-it-py's own rules: the writer makes it safe by itself."""

from __future__ import annotations

from functools import lru_cache

from citations import Channel, CitedAnswer, Rendering
from citations.inspection import read_markdown
from citations.model.link_definition import LinkDefinition
from citations.renderer.renderings import Renderer
from citations.text.url import live_url


def read_all_again() -> None:
    """Raise ``AssertionError`` from now on where a final rendering would be read as something else."""
    finish = Renderer.finish

    def finish_and_read(self: Renderer, shown: CitedAnswer, body: str) -> Rendering:
        rendering = finish(self, shown, body)
        definitions = tuple(self._with_labels(self.define(shown), shown))
        _assert_safe(rendering.text, definitions, self.channel, self.live_hosts)
        return rendering

    Renderer.finish = finish_and_read  # type: ignore[method-assign]


@lru_cache(maxsize=1000)
def _assert_safe(
    text: str, definitions: tuple[LinkDefinition, ...], channel: Channel, live_hosts: frozenset[str]
) -> None:
    """Assert that a reader of ``text`` gets nothing live but our links and definitions.

    Four of five renderings are there again, of an answer that comes in other pieces. They are read once.
    """
    if channel.text_format != "markdown":
        return
    read = read_markdown(text)
    loaded = (*read.images, *read.html)
    assert not loaded, (loaded, text)
    ours = [(one.label, one.destination, one.title) for one in definitions]
    found = [(one.label, one.url, one.title) for one in read.definitions]
    assert not found or found == ours, (found, ours, text)
    known = {one.destination for one in definitions}
    foreign = [
        link for link in read.links if link.url not in known and live_url(link.url, live_hosts) != link.url
    ]
    assert not foreign, (foreign, text)
