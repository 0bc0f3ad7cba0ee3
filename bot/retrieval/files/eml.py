"""Reads e-mail messages (RFC 5322): the words of the sender, and of the messages that are quoted.

Each part stands below who wrote it, so that no words are quoted as another person's. Attachments are
named, but not read.
"""

from __future__ import annotations

import codecs
import email
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from email import policy
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from functools import lru_cache
from itertools import groupby
from typing import Any, Final

from citations.text.languages import either

from ...languages import LANGUAGES
from ..document import SourceDocument, UnreadableError
from .decode import decode
from .html import parse_page
from .outline import Outline

_REPLIES, _BEGINS, _BY, _ON = (
    either(LANGUAGES.words_of("mail", name)) for name in ("reply", "begins", "from", "sent")
)
_WROTE: Final = "|".join(LANGUAGES.words_of("mail", "wrote")) or "(?!)"
_REPLY: Final = re.compile(rf"^(?:\s*{_REPLIES}\s*:)+\s*", re.IGNORECASE)
_ATTRIBUTION: Final = re.compile(rf"{_BEGINS}\b.{{5,300}}\b(?:{_WROTE})\s?:$", re.IGNORECASE)
_FROM: Final = re.compile(rf"\**{_BY}\**\s?:\**\s*(?P<name>\S.{{0,200}})", re.IGNORECASE)
_SENT: Final = re.compile(rf"\**{_ON}\**\s?:\**\s*(?P<date>\S.{{0,100}})", re.IGNORECASE)
_FIELD: Final = re.compile(r"\**[^\W\d][\w -]{0,20}\**\s?:")
_RULE: Final = re.compile(r"[-_]{3,}(?:\s*[\w ]{3,40}\s*[-_]{3,})?$")
"""The line above a quoted message, such as ``-----Original Message-----``."""
_MARKS: Final = re.compile(r"\A(?:> ?)+")
_SIGNATURE: Final = re.compile(r"\A--\Z")
"""The mark above a signature (RFC 3676 § 4.3), without the space behind it."""
_TEXTS: Final = frozenset(("text/plain", "text/html", "text/enriched"))
_TAG: Final = re.compile(r"<[^<>]*>|&\w+;")
_WORD: Final = re.compile(r"\w{2,}")
_ADDRESS: Final = re.compile(
    r"\b(?:https?:|mailto:|www\.)\S*|(?<!\S)[^\s@]*+@\S*|\[(?:cid|image):[^\[\]]*+\]"
)
_WIDE: Final = 8
_HEADER_END: Final = re.compile(rb"\r?\n\r?\n")
_SPACED_NAME: Final = re.compile(rb"^([!-9;-~]++)[ \t]++:", re.MULTILINE)
"""The name of a field with blanks before its colon, as old programs wrote it (RFC 5322 § 4.5)."""
_ENCRYPTED: Final = frozenset(("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"))
_HEADER: Final = 6
"""The most lines of the header of a quoted message."""
_DEEPEST: Final = 20
"""The level of a message that is quoted more often."""


@lru_cache(200)
def _read_field(name: str, value: str) -> Any:
    """Read a field of the header; one that the parser cannot read is empty. A message reads it at each use.

    RFC 6532: "UTF-8 in header field values". The parser keeps their bytes as surrogates.
    """
    written = value.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    try:
        return policy.default.header_factory(name, written)
    except Exception:  # noqa: BLE001 - the parser has many errors for a field such as "To: <"
        return ""


_POLICY: Final = policy.default.clone(header_factory=_read_field)


def read(data: bytes) -> SourceDocument:
    """Read a message. Raises :class:`UnreadableError` where it is encrypted, or no message at all."""
    if b"\0" in data[:_WIDE]:  # the whole file is in UTF-16
        data = decode(data).encode()
    data = data.removeprefix(codecs.BOM_UTF8)
    end = found.start() if (found := _HEADER_END.search(data)) else len(data)
    data = _SPACED_NAME.sub(rb"\1:", data[:end]) + data[end:]
    message = email.message_from_bytes(data, policy=_POLICY)
    if not any(message[name] for name in ("from", "subject", "date", "content-type")):
        raise UnreadableError("it is no e-mail message")
    if message.get_content_type() in _ENCRYPTED:
        raise UnreadableError("it is encrypted")
    outline = Outline()
    unread = _add_mail(outline, message, 1)
    document = outline.build(unread={"attachment": unread})
    return replace(document, title=_read_subject(message) or document.title)


def _add_mail(outline: Outline, mail: EmailMessage, first: int) -> int:
    """Add a mail from a level on, and below it those that are attached; return what of it is not read."""
    subject = _read_subject(mail)
    sender = ", ".join(filter(None, (_read_sender(mail), _read_date(mail))))
    parts = _MailParts()
    parts.sort(mail)
    header = [(name, _write_field(mail, name)) for name in ("From", "To", "Cc", "Date")]
    header += [("Subject", subject)] * (first > 1)
    header += [("Attachment", name) for name in parts.attached]
    messages = _list_messages(sender, "\n\n".join(parts.texts).split("\n"))
    for level, (author, lines) in enumerate(messages, first):
        outline.add_heading(min(level, _DEEPEST), author)
        for name, value in header if level == first else ():
            if value:
                outline.add_item(f"{name}: {value}")
        _add_message(outline, min(level, _DEEPEST), author, _REPLY.sub("", subject), lines)
    if first >= _DEEPEST:
        return len(parts.attached) + len(parts.mails)
    return len(parts.attached) + sum(_add_mail(outline, one, first + 1) for one in parts.mails)


@dataclass(slots=True)
class _MailParts:
    """The parts of a mail in their order: texts that are shown, other mails, and names of attachments."""

    texts: list[str] = field(default_factory=list)
    mails: list[EmailMessage] = field(default_factory=list)
    attached: list[str] = field(default_factory=list)

    def sort(self, part: Any, *, is_related: bool = False) -> None:
        """Sort a part and those within it."""
        kind = part.get_content_type()
        if kind == "message/rfc822" and part.is_multipart():
            self.mails += part.get_payload()
        elif kind == "multipart/alternative":
            for one in _choose(part) or part.iter_parts():
                self.sort(one)
        elif part.get_content_maintype() == "multipart":
            for one in part.iter_parts() if part.is_multipart() else ():
                self.sort(one, is_related=kind == "multipart/related")
        elif not self._add_text(part, kind) and not (is_related and kind.startswith("image/")):
            self.attached.append(" ".join((part.get_filename() or "").split()))

    def _add_text(self, part: Any, kind: str) -> bool:
        """Add a part that programs show as text; False for any other."""
        if kind not in _TEXTS or part.get_content_disposition() == "attachment":
            return False
        text = _decode_part(part)
        if text is not None:
            self.texts.append(parse_page(text).text if kind == "text/html" else text)
        return text is not None


def _choose(part: Any) -> list[Any]:
    """Of alternatives, the page, which is what programs show (RFC 2046 § 5.1.4); none where there is no text.

    The text stands for a page that says the same: it marks what is quoted.
    """
    text, page = (part.get_body((kind,)) for kind in ("plain", "html"))
    if text is None or page is None:
        return [one for one in (text, page) if one is not None]
    said, shown = _decode_part(text) or "", _decode_part(page) or ""
    if not _tell_apart(said, _TAG.sub(" ", shown)):
        return [text]
    return [page] if _tell_apart(said, parse_page(shown).text) else [text]


def _tell_apart(text: str, page: str) -> bool:
    """Whether two texts have other words, besides those of addresses."""
    said, shown = (set(_WORD.findall(_ADDRESS.sub(" ", one).casefold())) for one in (text, page))
    return len(said ^ shown) > 1


def _decode_part(part: Any) -> str | None:
    """The text of a part; None where its bytes are none."""
    payload = part.get_payload(decode=True)
    try:
        return decode(payload, part.get_content_charset()) if isinstance(payload, bytes) else ""
    except UnreadableError:
        return None


def _read_subject(message: EmailMessage) -> str:
    return " ".join((message["subject"] or "").split())


def _read_sender(message: EmailMessage) -> str:
    return next((one.display_name or one.addr_spec for one in _list_people(message["from"])), "")


def _write_field(message: EmailMessage, name: str) -> str:
    """Write a field of the header, and people as ``Ada (ada@example.com)``."""
    field = message[name]
    if not hasattr(field, "addresses"):
        return " ".join((field or "").split())
    people = _list_people(field)
    return ", ".join(
        f"{one.display_name} ({one.addr_spec})" if one.display_name else one.addr_spec for one in people
    )


def _list_people(field: Any) -> list[Address]:
    """The people of a field who have a name or an address; ``@`` alone is neither."""
    return [one for one in getattr(field, "addresses", ()) if one.display_name or one.username or one.domain]


def _read_date(message: EmailMessage) -> str:
    try:
        return parsedate_to_datetime(message["date"]).date().isoformat() if message["date"] else ""
    except ValueError:
        return ""


def _list_messages(author: str, lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield a message and those that it quotes as a whole, each with its author, the newest first."""
    start = index = 0
    rest: list[str] = []
    while index < len(lines):
        found = _read_attribution(lines[index : index + _HEADER])
        if found:
            yield author, [*rest, *lines[start:index]]
            author, rest, length = found
            start = index + length
        index = max(index + 1, start)
    yield author, [*rest, *lines[start:]]


def _read_attribution(lines: list[str]) -> tuple[str, list[str], int] | None:
    """Who wrote the message below, what else the lines say that name the person, and their number."""
    rule = 1 if _RULE.fullmatch(lines[0].strip()) else 0
    rest = [line.strip() for line in lines[rule:]]
    for length in (1, 2):  # a long line is wrapped
        is_quoted = any(line.startswith(">") for line in rest[length : length + 2])
        if _ATTRIBUTION.fullmatch(line := " ".join(rest[:length])) and not is_quoted:
            return line.rstrip(": "), [], rule + length
    length = next((number for number, line in enumerate(rest) if not _FIELD.match(line)), len(rest))
    names = [match["name"] for line in rest[:length] if (match := _FROM.match(line))]
    dates = [match["date"] for line in rest[:length] if (match := _SENT.match(line))]
    others = [line for line in rest[:length] if not (_FROM.match(line) or _SENT.match(line))]
    return (f"{names[0]}, {dates[0]}", others, rule + length) if names and dates else None


def _add_message(outline: Outline, level: int, author: str, subject: str, lines: list[str]) -> None:
    """Add a message; the lines that it quotes stand below the line that says who wrote them."""
    groups = [(depth, list(group)) for depth, group in groupby(lines, key=_count_marks)]
    attribution = ""
    for number, (depth, group) in enumerate(groups):
        if number:
            outline.add_heading(level + bool(depth), (attribution or subject or "…") if depth else author)
        words = [_SIGNATURE.sub("", _MARKS.sub("", line).rstrip()) for line in group]
        goes_deeper = number + 1 < len(groups) and groups[number + 1][0] > depth
        attribution = _take_attribution(words) if goes_deeper else ""
        outline.add_paragraph("\n".join(words))


def _take_attribution(lines: list[str]) -> str:
    """Remove the line above a quotation that says who wrote it, and return it; empty without one."""
    while lines and not lines[-1]:
        lines.pop()
    for length in (1, 2):
        line = " ".join(lines[-length:])
        if _ATTRIBUTION.fullmatch(line):
            del lines[-length:]
            return line.rstrip(": ")
    return ""


def _count_marks(line: str) -> int:
    marks = _MARKS.match(line)
    return marks[0].count(">") if marks else 0
