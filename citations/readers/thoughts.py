"""Hides a model's thoughts and tool calls, which are no part of its answer, from whole and streamed texts.

Governing source: Open WebUI's ``middleware.py``. Its ``DEFAULT_REASONING_TAGS`` are the tags that models
write. Its ``serialize_output`` writes ``<details type="reasoning">`` into saved chats. Mistral's models
write ``[THINK]…[/THINK]`` (``mistral-common``, ``SpecialTokens``).
"""

from __future__ import annotations

import re
from typing import Final

_NAMES: Final = ("think", "thinking", "thought", "reason", "reasoning")
_TAGS: Final = (*(f"<{name}>" for name in _NAMES), "[think]")
_LONGEST_TAG: Final = max(map(len, _TAGS))
_THOUGHT: Final = re.compile(
    # Of "[THINK](https://e.com)", "[THINK][1]" and "[THINK]: https://e.com" it is the text of a link.
    rf"<(?:{'|'.join(_NAMES)})>|(?P<bracket>(?-i:\[THINK\]))(?=[^(\[:])",
    re.IGNORECASE,
)
_TAG: Final = re.compile(r"<(?P<ends>/?)(?:think|thinking|thought)>", re.IGNORECASE)
"""A tag in the text. Chat templates that begin the thoughts in the prompt have no other names."""
_HALF_TAG: Final = re.compile(r"</?[a-z]{0,8}\Z", re.IGNORECASE)
_BEFORE_WORD: Final = " \t\u00a0([{<|“„‘‚«‹"
_QUOTES: Final = "\"'`"
"""Characters before a tag that a sentence is about; of these, one that opens. Thoughts end in a line of their
own, or with a word."""
_LINE_END: Final = re.compile(r"\r\n?|\n")
_SPACE: Final = re.compile(r"\s*")
_STRUCTURE: Final = re.compile(r"[\r\n<`]")
_HTML_BLOCK: Final = "<details"
_DETAILS: Final = re.compile(
    # "Optionally preceded by up to three spaces of indentation" (CommonMark § 4.6): with more it is code.
    r" {0,3}<details"
    r"(?:[ \t]+[\w:.-]+(?:[ \t]*=[ \t]*(?:\"[^\"\r\n]*\"|'[^'\r\n]*'|[^\s\"'=<>]+))?)*?"
    r"[ \t]+type[ \t]*=[ \t]*[\"']?(?:reasoning|tool_calls|code_interpreter)[\"']?(?=[\s/>])",
    re.IGNORECASE,
)
_UNFINISHED: Final = re.compile(r" {0,3}(?P<tag><[^\r\n]*)?\Z")
_MOST_SPACES: Final = 3
_LONGEST_DETAILS: Final = 1024
"""Characters of the tag up to its ``type``, which Open WebUI writes first."""
_HIDDEN: Final = {
    "thought": re.compile(rf"</(?:{'|'.join(_NAMES)})>", re.IGNORECASE),
    "[THINK]": re.compile(r"\[/THINK\]"),
    "tag": re.compile(r"=[\"']|>"),
    '"': re.compile('"'),
    "'": re.compile("'"),
    "details": re.compile(
        r"(?P<opens>[\r\n][ \t>]{0,12}<details(?=[\s>]))|</details[ \t]{0,8}>", re.IGNORECASE
    ),
}
"""The expressions that are searched in hidden text, by the state of the reader."""
_LONGEST_HIDDEN: Final = 22
"""The longest match of these expressions, with the character behind it."""
_FENCE: Final = re.compile(
    r"[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]*)*(?:(?P<tildes>~{3,})|(?P<backticks>`{3,})[^`]*\Z)"
)
_CLOSING_FENCE: Final = re.compile(r"[ \t>]*(~{3,}|`{3,})\s*\Z")


class VisibleText:
    r"""The text of a model without its thoughts: feed it deltas and close it.

    It hides thoughts in tags (``<think>…</think>``, ``[THINK]…[/THINK]``) before the answer. It also hides
    ``<details>`` of type ``reasoning``, ``tool_calls`` or ``code_interpreter`` at the beginning of a line,
    outside fences. Nested ``<details>`` at the beginning of a line count. An unclosed tag hides
    all that follows. Anywhere else such a tag is text. Only what may become a tag is held back.

    Where a server puts ``<think>`` into the prompt, a text has only the end of its thoughts. All before
    such an end is hidden: see :attr:`withdrawn`. In code, quoted or as a word of a sentence it is text.

    >>> text = VisibleText()
    >>> [text.feed(delta) for delta in ("<thi", "nk>Hm [2]</think>", "\n\nIt is", " so [1].")]
    ['', '', 'It is', ' so [1].']
    """

    def __init__(self) -> None:
        self.withdrawn = False
        """Whether the last piece told that all text before it was thoughts: what it adds replaces that."""
        self._hidden = ""
        """The state in hidden text, a key of ``_HIDDEN``; empty outside."""
        self._depth = 0
        self._held = ""
        self._fresh = True
        """Whether a line begins."""
        self._begun = False
        self._behind = False
        """Whether the text before was hidden."""
        self._space: list[str] = []
        """White space before the answer."""
        self._indentation = ""
        """The end of that white space: at most four characters of its last line."""
        self._line: list[str] = []
        self._code = False
        """Whether the line has an open code span."""
        self._opened = 0
        """The tags in the text that began something and wait for their end."""
        self._fence = ""

    @property
    def held(self) -> int:
        """Characters at the end that may become a tag, or that are hidden."""
        return len(self._held)

    def feed(self, delta: str) -> str:
        """The visible text that ``delta`` adds; it may be empty."""
        self.withdrawn = False
        if not (self._fresh or self._hidden or self._held) and not _STRUCTURE.search(delta):
            self._line.append(delta)
            return delta
        return self._read(self._held + delta, last=False)

    def close(self) -> str:
        """The visible text that the end adds."""
        self.withdrawn = False
        rest = self._read(self._held, last=True)
        return rest or "".join(self._space)

    def _read(self, text: str, *, last: bool) -> str:
        self._held = ""
        shown: list[str] = []
        place = 0
        while place < len(text):
            if self._hidden:
                place = self._hide(text, place)
                continue
            if self._fresh and not self._fence:
                behind = self._open(text, place)
                if behind is not None:
                    place = behind
                    continue
                if not last and self._may_open(text, place):
                    self._held = text[place:]
                    break
            tag = _TAG.match(text, place)
            if tag and self._ends_thoughts(tag):
                shown.clear()
                self._begin_again()
                place = tag.end()
                continue
            line = _LINE_END.search(text, place)
            end = line.end() if line else len(text)
            if later := _TAG.search(text, tag.end() if tag else place, end):
                line, end = None, later.start()
            elif not (line or last) and (half := _HALF_TAG.search(text, place)):
                end, self._held = half.start(), half[0]
            if end > place:
                shown.append(self._show(text[place:end], ended=line is not None))
            place = end + len(self._held)
        return "".join(shown)

    def _ends_thoughts(self, tag: re.Match[str]) -> bool:
        """Whether a tag in the text ends what began before the text."""
        if self._fence or self._code:
            return False
        if not tag["ends"] or self._opened:
            self._opened += -1 if tag["ends"] else 1
            return False
        line = "".join(self._line)
        self._line = [line]
        if not line.strip():
            return True
        last = line[-1]
        return not (last in _BEFORE_WORD or (last in _QUOTES and line.count(last) % 2))

    def _begin_again(self) -> None:
        """Begin the text behind thoughts that were shown."""
        self.withdrawn = self._fresh = self._behind = True
        self._begun = self._code = False
        self._line.clear()

    def _hide(self, text: str, place: int) -> int:
        """Hide ``text`` from ``place`` on, and return where the hidden part ends."""
        found = _HIDDEN[self._hidden].search(text, place)
        if found is None:
            self._held = text[max(place, len(text) - _LONGEST_HIDDEN + 1) :]
            return len(text)
        match self._hidden:
            case "tag":
                self._hidden = "details" if found[0] == ">" else found[0][-1]
            case "details":
                self._depth += 1 if found["opens"] else -1
                self._hidden = "tag" if found["opens"] else "details" if self._depth else ""
            case "thought" | "[THINK]":
                self._hidden = ""
            case _:
                self._hidden = "tag"
        self._fresh = True
        return found.end()

    def _open(self, text: str, place: int) -> int | None:
        """The end of a hiding tag, or of the space before one; None if there is neither."""
        if not self._begun or self._behind:
            found = _SPACE.match(text, place)
            if found and found[0]:
                self._note_space(found[0])
                return found.end()
        if not self._begun and (tag := _THOUGHT.match(text, place)):
            self._hidden = tag["bracket"] or "thought"
        elif len(self._indentation) <= _MOST_SPACES and (
            tag := _DETAILS.match(text, place, place + _LONGEST_DETAILS)
        ):
            self._hidden, self._depth = "tag", 1
        else:
            return None
        self._behind, self._indentation = True, ""
        self._space.clear()
        return tag.end()

    def _note_space(self, space: str) -> None:
        """Note white space before the answer. White space behind hidden text is dropped."""
        if not self._behind:
            self._space.append(space)
            lines = f"{self._indentation}{space}".replace("\r", "\n").rpartition("\n")
            self._indentation = lines[2][: _MOST_SPACES + 1]

    def _may_open(self, text: str, place: int) -> bool:
        """Whether the rest of ``text`` may become a hiding tag."""
        length = len(text) - place
        if not self._begun and length < _LONGEST_TAG:
            beginning = text[place:].lower()
            if any(tag.startswith(beginning) for tag in _TAGS):
                return True
        found = _UNFINISHED.match(text, place)
        if found is None or length >= _LONGEST_DETAILS:
            return False
        tag = (found["tag"] or "").lower()
        return _HTML_BLOCK.startswith(tag) or tag.startswith((f"{_HTML_BLOCK} ", f"{_HTML_BLOCK}\t"))

    def _show(self, piece: str, *, ended: bool) -> str:
        """Show a line or a piece of one."""
        self._line.append(piece)
        self._code ^= piece.count("`") % 2 == 1
        self._fresh = ended
        if ended:
            self._end_line("".join(self._line))
            self._line.clear()
            self._code = False
        # "End condition: line is followed by a blank line" (CommonMark § 4.6, 6), so a paragraph begins.
        before = ["\n"] if self._behind and self._begun else self._space
        self._space, self._indentation, self._behind, self._begun = [], "", False, True
        return "".join((*before, piece))

    def _end_line(self, line: str) -> None:
        """Note the fence that a line opens or closes."""
        if "```" not in line and "~~~" not in line:
            return
        if not self._fence:
            opening = _FENCE.match(line.rstrip("\r\n"))
            self._fence = (opening["tildes"] or opening["backticks"]) if opening else ""
        elif (closing := _CLOSING_FENCE.match(line)) and closing[1].startswith(self._fence):
            self._fence = ""


def hide_thoughts(text: str) -> str:
    """A whole text of a model without its thoughts: see :class:`VisibleText`."""
    visible = VisibleText()
    return visible.feed(text) + visible.close() if "<" in text or "[THINK]" in text else text
