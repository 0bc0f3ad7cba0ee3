"""Imports and makes the engine that the settings name."""

from __future__ import annotations

import asyncio
import functools
import importlib
import inspect
import traceback

from ...config.answer_sources import LLAMAINDEX, LlamaIndexOptions
from ...config.env import SettingsError
from .engine import LlamaIndexEngine, adapt, is_engine


def load(options: LlamaIndexOptions) -> object:
    """Import what ``options`` name. Raises :class:`SettingsError` if that fails."""
    try:
        found: object = importlib.import_module(options.module)
        for name in options.name.split("."):
            found = getattr(found, name)
    except Exception as error:  # the module is the user's, and may raise anything
        raise SettingsError((f"LLAMAINDEX_ENGINE={options} can't be imported: {_why(error)}",)) from error
    return found


def takes_filters(found: object) -> bool:
    """Whether ``found`` is a function that makes an engine with ``filters`` of metadata."""
    if is_engine(found) or not callable(found):
        return False
    return "filters" in inspect.signature(found).parameters


async def make(found: object, options: LlamaIndexOptions, filters: object = None) -> object:
    """The engine or document store: ``found`` itself, or the result of calling it, which may take long.

    With ``filters``, they are given to the function. Raises :class:`SettingsError` if a retry can't make it
    either. Other errors of the call are not translated.
    """
    try:
        return found if is_engine(found) else await _call(found, filters)
    except Exception as error:
        if not isinstance(error, ImportError) and not _lacks_variable(error):
            raise
        raise SettingsError((f"LLAMAINDEX_ENGINE={options} can't be made: {_why(error)}",)) from error


def adapt_made(made: object, options: LlamaIndexOptions) -> LlamaIndexEngine:
    """The adapter of what was made. Raises :class:`SettingsError` where that is no engine."""
    try:
        return adapt(made)
    except TypeError as error:
        raise SettingsError((f"LLAMAINDEX_ENGINE={options}: {error}",)) from error


async def _call(found: object, filters: object) -> object:
    if not callable(found):
        return found
    if filters is not None:
        found = functools.partial(found, filters=filters)
    # It may read documents. LlamaIndex's own `asyncio.run` also needs a thread without an event loop.
    made = await found() if inspect.iscoroutinefunction(found) else await asyncio.to_thread(found)
    return await made if inspect.isawaitable(made) else made


def _lacks_variable(error: Exception) -> bool:
    """Whether an error is that of ``os.environ`` for a variable that is not set."""
    *_, last = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return isinstance(error, KeyError) and last.f_globals.get("__name__") == "os"


def _why(error: Exception) -> str:
    if isinstance(error, ModuleNotFoundError):
        return f"there is no module {error.name}; {LLAMAINDEX} brings what the examples need"
    if _lacks_variable(error):
        return f"{error.args[0]} is missing"
    return " ".join(f"{type(error).__name__}: {error}".split())
