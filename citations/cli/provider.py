"""The provider's format that ``--from`` names, with the documents of ``--documents``."""

from __future__ import annotations

import argparse

from ..model.errors import AnswerFormatError
from ..readers import FORMATS, ProviderFormat, json_text, read_documents
from .console import read


def choose_format(arguments: argparse.Namespace) -> ProviderFormat:
    """The format of the answer. Raises :class:`AnswerFormatError` or ``OSError`` for its documents."""
    sent = FORMATS[arguments.provider]
    file = arguments.documents
    if file is None:
        return sent
    try:
        named = sent.with_documents(read_documents(json_text.loads(read(file))))
    except AnswerFormatError as error:
        raise AnswerFormatError(error.fault, error.path, file) from None
    if named is None:
        raise AnswerFormatError(f"--documents is of no use with --from {arguments.provider}")
    return named
