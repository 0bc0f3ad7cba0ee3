"""A chat completion or a chunk of one, read so that a changed field loses no more than itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from .loose_json import Members, inner, items, member, members, objects, text

_THOUGHTS: Final = ("thinking", "reasoning")


class ChatPiece(NamedTuple):
    """The first choice of a completion: no request asks for more than one."""

    message: Members
    """The message, or the next piece of it."""
    content: object
    """Its content: a text, or an array of parts."""
    finish: str
    """Why the model finished; empty if it hasn't, or doesn't say."""
    whole: bool
    """Whether it is all of the message so far."""
    path: str
    """The JSON path of the message."""
    chosen: bool
    """Whether there is a choice. A chunk that counts tokens has none."""


def read_piece(data: Members) -> ChatPiece:
    """The first choice of ``data``. Some providers repeat the whole message beside each delta."""
    choices = items(member(data, "choices"))
    choice = members(choices[0]) if choices else {}
    delta, message = inner(choice, "delta"), inner(choice, "message")
    name = "delta" if delta else "message"
    piece = delta or message
    content = member(piece, "content")
    if not content and not text(piece, "refusal") and message:
        name, piece, content = "message", {**message, **delta}, member(message, "content")
    return ChatPiece(
        piece,
        content or text(piece, "refusal"),
        text(choice, "finish_reason"),
        name == "message",
        f"$.choices[0].{name}",
        bool(choices),
    )


def texts_of(content: object) -> Iterator[str]:
    """The texts of a message's content, which is a text or an array of parts, without its thoughts."""
    if isinstance(content, str):
        yield content
    for part in objects(content):
        if text(part, "type") not in _THOUGHTS:
            yield text(part, "text", "refusal")
