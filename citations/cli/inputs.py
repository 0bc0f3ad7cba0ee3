"""What a command is told to read with: the format of ``--from``, with ``--documents``, and a labels file."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from ..labels.ranking import LabelRanking
from ..model.errors import AnswerFormatError, LabelFormatError
from ..readers import FORMATS, ProviderFormat, json_text, read_documents
from ..text import decode_text
from .console import read


def choose_format(arguments: argparse.Namespace) -> ProviderFormat:
    """The format of the answer. Raises :class:`AnswerFormatError` or ``OSError`` for its documents.

    A reader takes a chat completion with fields of another provider, as a proxy may send it. A person who
    names a format learns which one has the sources.
    """
    sent = replace(FORMATS[arguments.provider], strict=True)
    file = arguments.documents
    if file is None:
        return sent
    try:
        documents = read_documents(json_text.loads(read(file)))
    except AnswerFormatError as error:
        raise AnswerFormatError(error.fault, error.path, file) from None
    if "documents" not in sent.options:
        raise AnswerFormatError(f"--documents is of no use with --from {arguments.provider}")
    return sent.where(documents=documents)


def read_ranking(path: Path) -> LabelRanking:
    """The labels of a file; raises :class:`LabelFormatError` with its faults, or ``OSError``."""
    try:
        return LabelRanking.from_toml(decode_text(path.read_bytes()))
    except LabelFormatError as error:
        raise LabelFormatError(tuple(f"{path}: {fault}" for fault in error.faults)) from None
    except ValueError as error:
        raise LabelFormatError((f"{path}: {error}",)) from None
