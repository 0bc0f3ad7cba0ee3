"""The log: one event a line, with ids, counts and timings, and never what people wrote."""

from __future__ import annotations

import logging
import sys
from typing import TextIO

import structlog

from citations.text import printable

_CHATTY = ("aiohttp.access", "azure", "botbuilder", "botframework", "httpx", "msal", "msrest", "urllib3")
"""Loggers that write headers, bodies, or URLs with tokens, below WARNING."""


def configure_logging(stream: TextIO = sys.stderr) -> None:
    """Log to ``stream``: as text on a terminal, and as JSON lines anywhere else."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    terminal: list[structlog.typing.Processor] = [_escape, structlog.dev.ConsoleRenderer()]
    renderer = terminal if stream.isatty() else [structlog.processors.JSONRenderer()]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                *renderer,
            ],
        )
    )
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)


def logger(name: str) -> structlog.stdlib.BoundLogger:
    """Create the logger of a module: ``log.info("answered", seconds=0.2, citations=3)``."""
    bound: structlog.stdlib.BoundLogger = structlog.get_logger(name)
    return bound


def _escape(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Escape the control characters in an event's values, except in a traceback, which has several lines."""
    return {
        name: printable(value) if isinstance(value, str) and name != "exception" else value
        for name, value in event.items()
    }


def cause(error: BaseException) -> str:
    """Describe an error by type and place, ``ValueError at reader.py:12``.

    Its message is left out, because it may quote what a person wrote.
    """
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    file = trace.tb_frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
    return f"{type(error).__name__} at {file}:{trace.tb_lineno}"
