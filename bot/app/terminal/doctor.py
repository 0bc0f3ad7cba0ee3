"""``python app.py doctor``: is a deployment well? Each line is a sentence, with what mends a fault."""

from __future__ import annotations

import contextlib
import json
import secrets
from collections.abc import AsyncIterator, Iterable
from typing import Final

import aiohttp

from citations import AnswerFormatError, EventStreamError
from citations.text import printable

from ...config.language_model import describe_variables
from ...config.sign_in import ALWAYS
from ...config.web_chat import WebChatOptions
from ...direct_line.token_exchange import request_token
from ...languages import Sentence, say
from ...sources import AnswerSource, SourceError
from ...sources.folder import FORMATS
from ...state import StateError
from ...state.store_url import IN_MEMORY, create_store
from ...telemetry.conversation_key import ConversationKey
from ..answer_source import create_source
from ..settings import Settings
from .endpoint_checks import check_endpoint
from .finding import Finding, Grade, fault, good, note, reason
from .index import count
from .registration_checks import check_registration, check_sign_in
from .wait import wait_until_read

WELL: Final = 0
UNWELL: Final = 1


async def examine(settings: Settings, url: str) -> int:
    """Print what is found, and return the exit code: 1 where something does not work.

    ``url`` is the bot's public address; without it, nothing is looked at from outside.
    """
    return max([report([finding]) async for finding in _findings(settings, url)])


def report(findings: Iterable[Finding]) -> int:
    """Print ``findings``, and return the exit code."""
    code = WELL
    for finding in findings:
        print(printable(str(finding)))
        code = UNWELL if finding.grade is Grade.FAULT else code
    return code


async def _findings(settings: Settings, url: str) -> AsyncIterator[Finding]:
    if settings.credentials:
        async for finding in check_registration(settings.credentials, settings.cloud):
            yield finding
    else:
        yield note(
            "The bot has no credentials: only this machine reaches it.",
            "Register it, and set MicrosoftAppId.",
        )
    if url:
        async for finding in check_endpoint(url):
            yield finding
    elif settings.credentials:
        yield note(
            "Nothing was looked at from outside.", "Name the public address: --url https://bot.example.com"
        )
    if settings.web_chat:
        yield await _check_web_chat(settings.web_chat)
    if settings.sign_in and settings.credentials:
        yield await check_sign_in(
            settings.sign_in, settings.credentials, settings.cloud, settings.service_hosts
        )
    yield await _check_state(settings.state)
    async for finding in _check_source(settings):
        yield finding
    yield _check_policy(settings)


async def _check_web_chat(options: WebChatOptions) -> Finding:
    try:
        reply = await request_token(options, options.origins[0])
        json.loads(reply.text)["token"]
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError, KeyError, TypeError) as error:
        sentence = f"{options.direct_line} gives no token for Web Chat ({reason(error)})."
        return fault(sentence, "Compare DIRECT_LINE_SECRET with the secret of the Direct Line channel.")
    return good(f"Pages of {', '.join(options.origins)} get tokens for Web Chat.")


async def _check_state(url: str) -> Finding:
    if url == IN_MEMORY:
        return note(
            "What the bot keeps between turns ends with its process.",
            "Set STATE_URL, such as sqlite:///state.db.",
        )
    state, mine = create_store(url), ConversationKey("doctor", secrets.token_hex(8))
    try:
        await state.open()
        try:
            await state.put(mine, "answer", "", b"1", lifetime=60)
            kept = await state.get(mine, "answer") == b"1"
            await state.forget(mine)
        finally:
            await state.close()
    except StateError as error:
        return fault(
            f"The state can't be kept in {error}.",
            "Look at STATE_URL, and whether the store runs and has room.",
        )
    if not kept:
        return fault("The state is not kept.", "Look at the store of STATE_URL.")
    return good("The state is kept.")


async def _check_source(settings: Settings) -> AsyncIterator[Finding]:
    source = create_source(settings, "")
    try:
        await source.open()
        if source.reading:
            async for finding in _check_folder(source):
                yield finding
        elif settings.source == ALWAYS:
            yield note(f"Whether {source.title} answers shows when a person asks: it answers nobody else.")
        else:
            yield await _ask(source)
        if settings.uses_model:
            yield await _check_model(source)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        yield fault(f"{settings.docs} can't be opened: {reason}.", "Let the bot's user read it (DOCS_DIR).")
    finally:
        await source.close()


async def _check_folder(source: AnswerSource) -> AsyncIterator[Finding]:
    await wait_until_read(source)
    facts = await source.facts()
    documents, passages = int(facts["documents"]), int(facts["passages"])
    read = f"{count(documents, 'document')}, {count(passages, 'passage')}"
    if not documents and not facts["skipped"]:
        yield fault(f"{source.title}: the folder is empty.", f"What is read: {', '.join(FORMATS)}.")
    elif not documents:
        yield fault(f"{source.title}: no document can be read.", "app.py index says why.")
    elif source.reading and not source.reading.is_complete:
        yield fault(f"{source.title}: not all is indexed, {read} so far.", "app.py index shows what is read.")
    else:
        yield good(f"{source.title} is indexed with {read}.")
    if facts["skipped"]:
        yield note(f"Not read: {count(int(facts['skipped']), 'file')}.", "app.py index says why.")
    if "meaning" not in facts:
        yield note(
            "Passages are found by their words alone.",
            "Meanings are compared with EMBEDDINGS=true.",
        )


async def _ask(source: AnswerSource) -> Finding:
    try:
        async with contextlib.aclosing(source.answer("Hello")) as events:
            async for _ in events:
                pass
    except (SourceError, AnswerFormatError, EventStreamError) as error:
        return fault(f"{source.title} did not answer: {error}.", "Look at its settings, and whether it runs.")
    return good(f"{source.title} answers.")


async def _check_model(source: AnswerSource) -> Finding:
    await source.try_model()
    facts = await source.facts()
    if "model" not in facts:
        return note("No model words the answers: they are quoted.")
    if problem := facts.get("model problem"):
        words = describe_variables(str(facts["model API"]), str(facts["model"]))
        return fault(f"The model {facts['model']} does not answer.", say(Sentence(str(problem)), **words))
    return good(f"The model {facts['model']} answers.")


def _check_policy(settings: Settings) -> Finding:
    if settings.policy:
        return good("ACCESS_POLICY decides who may see what.")
    if settings.source == ALWAYS:
        return good("Each person is answered from what they may read.")
    return note("Everybody who reaches the bot may ask about everything.", "Set ACCESS_POLICY to limit that.")
