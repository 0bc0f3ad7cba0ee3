"""What a command is told to read with: the format of ``--from``, with ``--documents``, and a labels file."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..labels.ranking import LabelRanking
from ..model.answer import Answer
from ..model.errors import AnswerFormatError, LabelFormatError
from ..readers import FORMATS, AnswerStream, ProviderFormat, json_text, read_documents
from ..readers.recognition import expect_format
from ..text import decode_text
from .console import read


def choose_format(arguments: argparse.Namespace) -> ProviderFormat:
    """The format of the answer. Raises :class:`AnswerFormatError` or ``OSError`` for its documents.

    A reader takes a chat completion with fields of another provider, as a proxy may send it. A person who
    names a format learns which one has the sources.
    """
    sent = _strict(arguments.provider, FORMATS[arguments.provider])
    file = arguments.documents
    if file is None:
        return sent
    try:
        named = FORMATS[arguments.provider].with_documents(read_documents(json_text.loads(read(file))))
    except AnswerFormatError as error:
        raise AnswerFormatError(error.fault, error.path, file) from None
    if named is None:
        raise AnswerFormatError(f"--documents is of no use with --from {arguments.provider}")
    return _strict(arguments.provider, named)


def _strict(name: str, sent: ProviderFormat) -> ProviderFormat:
    def read_strictly(data: object) -> Answer:
        expect_format(name, data, strict=True)
        return sent.read(data)

    def stream_strictly() -> AnswerStream:
        stream = sent.stream()
        stream.strict = True
        return stream

    return sent._replace(read=read_strictly, stream=stream_strictly)


def read_ranking(path: Path) -> LabelRanking:
    """The labels of a file; raises :class:`LabelFormatError` with its faults, or ``OSError``."""
    try:
        return LabelRanking.from_toml(decode_text(path.read_bytes()))
    except LabelFormatError as error:
        raise LabelFormatError(tuple(f"{path}: {fault}" for fault in error.faults)) from None
    except ValueError as error:
        raise LabelFormatError((f"{path}: {error}",)) from None
