"""Mistakes that a strict type checker must find.

Each line of a mistake names its error. A strict checker also reports an ``ignore`` without an error, so that
each of these lines fails where its mistake is accepted.
"""

from __future__ import annotations

from citations import (
    Answer,
    Reference,
    Rendering,
    RenderingStream,
    Span,
    TextDelta,
    channel,
    check,
    cite,
    quote,
    read_answer,
    render,
)

from citations import cited  # type: ignore[attr-defined]  # noqa: F401  # isort: skip

reference = Reference(id="1")
answer = Answer(text="Set a proxy [1].", references=(reference,))

Reference()  # type: ignore[call-arg]
Reference("1")  # type: ignore[call-arg]
Reference(id=1)  # type: ignore[arg-type]
Reference(id="1", title="Proxy settings")  # type: ignore[call-arg]
Answer("Set a proxy [1].")  # type: ignore[call-arg]
Answer(text="x", references=[reference])  # type: ignore[arg-type]
Answer(text="x", dialect="numbered")  # type: ignore[arg-type]
Answer(text="x", kind="answered")  # type: ignore[arg-type]
Span(0, 1, ids="1")  # type: ignore[arg-type]
answer.text = "x"  # type: ignore[misc]

render(answer, channel("webchat"))  # type: ignore[arg-type]
render(cite(answer), "webchat")  # type: ignore[arg-type]
render(cite(answer), channel("webchat"), "a-7")  # type: ignore[call-arg, arg-type]
render(cite(answer), channel("webchat"), live_hosts={"example.com"})  # type: ignore[arg-type]
cite("Set a proxy [1].")  # type: ignore[arg-type]
quote(reference, channel("sms"))  # type: ignore[arg-type]
channel()  # type: ignore[call-arg]
check({}, "msteams")  # type: ignore[call-arg]

RenderingStream("msteams")  # type: ignore[arg-type]
stream = RenderingStream(channel("msteams"))
stream.feed("Set a proxy")  # type: ignore[arg-type]
stream.feed(TextDelta(b"Set a proxy"))  # type: ignore[arg-type]
len(stream.interim().text)  # type: ignore[union-attr]
text: str = stream.close()  # type: ignore[assignment]
rendering: Rendering = read_answer({})  # type: ignore[assignment]
rendering.entities[0]["citation"]["position"]  # type: ignore[index]
