"""Answers from what one person may read in Microsoft 365: SharePoint, OneDrive and Copilot connectors.

Governing sources: Microsoft 365 Copilot APIs, "Retrieve grounding data" and "Overview of the Microsoft 365
Copilot Retrieval API", whose § "Known limitations" has the figures below.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence
from copy import copy
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final, Self

from citations import AnswerEvent, LabelRanking, Reference
from citations.readers import read_retrieval_hits

from ..config.answer_sources import Microsoft365Options
from . import EarlierTurn, SelectiveSource
from .errors import KeyRefused, PersonRefused, PersonThrottled, SignInEnded, SignInNeeded, SourceBusy
from .folder.result_events import reply_to_smalltalk
from .found_passages import answer_from
from .model_writer import ModelWriter
from .permission import Permission, describe_for_policy
from .provider import Provider, ProviderClient
from .question_completion import QuestionCompleter
from .sentences import Notice, explain_search
from .step import report_reading

_PATH: Final = "/v1.0/copilot/retrieval"
_LONGEST_QUERY: Final = 1500
"""The most characters of ``queryString``."""
_MOST_HITS: Final = 25
"""The most documents of one response. As they are unordered, Microsoft advises against fewer."""


class Microsoft365Source(SelectiveSource):
    """Asks the Copilot Retrieval API at ``graph``, the URL of Microsoft Graph, as one person.

    ``writer`` words the answer; without it, passages are quoted. ``ranking`` adds labels to those that come
    with the documents. What a label encrypts is only named, unless the access policy grants extraction.
    """

    title: Final = "Microsoft 365"

    def __init__(
        self,
        options: Microsoft365Options,
        *,
        graph: str,
        writer: ModelWriter | None = None,
        ranking: LabelRanking | None = None,
    ) -> None:
        self.provider = Provider(name="microsoft365")
        self._options = options
        self._client = ProviderClient(graph)
        self._writer = writer
        self._ranking = ranking
        self._completer = QuestionCompleter(writer)
        self._token = ""

    def for_person(self, token: str) -> Self:
        """The same source, asked as the person whose token this is."""
        theirs = copy(self)
        theirs._token = token
        return theirs

    async def close(self) -> None:
        """Close the connections to Microsoft Graph and to the model."""
        await self._client.close()
        if self._writer:
            await self._writer.close()

    async def try_model(self) -> None:
        """Try whether the model answers, if there is one; the facts and the log say so."""
        if self._writer:
            await self._writer.try_once()

    async def facts_for(self, permission: Permission) -> dict[str, str | int]:  # noqa: ARG002
        """Whether Microsoft 365 answers, what is searched there, and whether the model answers."""
        facts = self.provider.facts() | {"searches": ", ".join(self._options.search)}
        return facts | self._writer.facts() if self._writer else facts

    async def answer_for(
        self, question: str, permission: Permission, earlier: tuple[EarlierTurn, ...] = ()
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from what the person and ``permission`` may read, after the person's earlier turns.

        Raises :class:`SignInNeeded` where nobody has signed in, and other :class:`SourceError`.
        """
        if smalltalk := reply_to_smalltalk(question):
            for event in smalltalk:
                yield event
            return
        # Earlier answers are no help here: the bot doesn't know the labels that their sources have now.
        complete = await self._completer.complete(question, earlier, lambda _: False)
        references = self._restrict(await self._find(complete.text), permission)
        report_reading(len(references))
        answer = answer_from(complete, references, self._writer, self._ranking)
        notice = Notice(explain_search(question, complete.text))
        async with contextlib.aclosing(answer) as events:
            async for event in events:
                yield notice.put_above(event)

    async def _find(self, question: str) -> tuple[Reference, ...]:
        """The extracts that the person may read, the most relevant first."""
        if not self._token:
            raise SignInNeeded("nobody has signed in")
        async with self.provider.exchange() as exchange:
            try:
                responses = await exchange.open(lambda: self._ask(question))
            except KeyRefused as error:
                is_token = error.status == HTTPStatus.UNAUTHORIZED
                raise (SignInEnded if is_token else PersonRefused)(f"status {error.status}") from error
            except SourceBusy as error:
                # "Up to 200 requests per user per hour": nobody else has to wait.
                raise PersonThrottled(str(error)) from error
            return read_retrieval_hits(responses)

    async def _ask(self, question: str) -> Sequence[object]:
        """The responses for all that is searched: "You must retrieve from one data source at a time"."""
        headers = {"Authorization": f"Bearer {self._token}"}
        bodies = [self._write_body(question, source) for source in self._options.search]
        asked = (self._client.fetch("POST", _PATH, body, headers) for body in bodies)
        responses: Sequence[object] = await asyncio.gather(*asked)
        return responses

    def _write_body(self, question: str, data_source: str) -> dict[str, Any]:
        body = {
            "queryString": question[:_LONGEST_QUERY],
            "dataSource": data_source,
            "resourceMetadata": ["title"],
            "maximumNumberOfResults": _MOST_HITS,
        }
        return body | {"filterExpression": self._options.filter} if self._options.filter else body

    def _restrict(self, references: Sequence[Reference], permission: Permission) -> tuple[Reference, ...]:
        """The references that the access policy lets the person see, with EXTRACT if it grants that."""
        described = [(one, describe_for_policy(one, self._ranking)) for one in references]
        return tuple(
            replace(one, extract=permission.may_extract(about))
            for one, about in described
            if permission.may_see(about)
        )
