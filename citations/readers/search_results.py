"""What a provider's own searches found. An answer was made with all of it, cited or not."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.reference import Reference
from .loose_json import Members, inner, items, member, objects, score, text, title
from .source_address import describe_source


def pages_found(block: Members) -> Iterator[Reference]:
    """The pages of a web search or a fetch: results of Anthropic and Groq, sources of OpenAI's action."""
    content = member(block, "content", "output")
    listed = items(content) or ([content] if isinstance(content, dict) else [])
    for one in objects([*listed, *items(member(inner(block, "action"), "sources"))]):
        if address := text(one, "url", "source").strip():
            name = title(one, "title") or title(inner(one, "content"), "title")
            yield describe_source(address, name, text=title(one, "content"))


def files_found(item: Members) -> list[Reference]:
    """The files of OpenAI's file search, each with its best passage.

    Passages come only if the request asked to include them. An annotation names the file alone.
    """
    best: dict[str, Members] = {}
    for result in objects(member(item, "results", "output")):
        file = title(result, "file_id", "filename")
        if file and text(result, "text") and (file not in best or _score(result) > _score(best[file])):
            best[file] = result
    return [
        Reference(id=file, name=title(result, "filename"), text=text(result, "text"))
        for file, result in best.items()
    ]


def _score(result: Members) -> float:
    return score(result, "score") or 0.0
