"""Turn an answer with markers or spans into text and a Schema.org graph that agree with each other.

:func:`cite` finds the markers, places the spans and numbers the sources. :func:`render` writes the text
and the graph for a channel. :func:`read_message` reads any bot's activity, so that it can be rendered for
another channel. :func:`check` finds the problems of any activity. Here are the names that most programs
need. The packages have the others:

- :mod:`.readers`: a provider's response or stream becomes an :class:`Answer` or its events.
- :mod:`.markers`: markers, spans, the positions of sources, and the sources of an answer without either.
- :mod:`.doubts`: numbers, quotations and sources that do not fit what is cited.
- :mod:`.labels`: sensitivity labels and the rules that give them.
- :mod:`.graph`: the Schema.org graph and the events of votes.
- :mod:`.channels`: how each channel writes text, and its limits.
- :mod:`.renderer`: whole and streamed renderings, and quotations.
- :mod:`.markdown`: what CommonMark sees in a text, and how a text is sanitized.
- :mod:`.inspection`: any bot's activity as an answer, and its problems, for each client.
- :mod:`.model` and :mod:`.text`: values, and plain text.

>>> from citations import Answer, Reference, channel, cite, render
>>> proxy = Reference(id="1", name="Proxy settings", url="https://example.com/proxy")
>>> rendering = render(cite(Answer(text="Set a proxy [1].", references=(proxy,))), channel("webchat"))
>>> print(rendering.text)
Set a proxy [1].
<BLANKLINE>
[1]: https://example.com/proxy "Proxy settings"
"""

from __future__ import annotations

from .stub import load_on_use

__getattr__, __dir__, __all__ = load_on_use(__name__)
