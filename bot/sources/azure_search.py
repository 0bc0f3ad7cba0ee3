"""Answers from a knowledge base of Azure AI Search.

Governing sources: Azure AI Search REST API, "Knowledge Retrieval - Retrieve", as ``azure-search-documents``
12.1.0b2 asks it; "Query-time ACL and RBAC enforcement", whose header has a person's token and no scheme.
"""

from __future__ import annotations

import contextlib
from copy import copy
from http import HTTPStatus
from typing import Any, Final, Self
from urllib.parse import quote

from citations import Dialect
from citations.readers import FORMATS

from ..config.answer_sources import AzureSearchOptions
from .errors import KeyRefused, SignInEnded
from .provider import ProviderClient, ProviderResponse
from .searching_source import SearchingSource

_OUTPUT_MODE: Final = "answerSynthesis"
"""The knowledge base has its model word an answer. Else it only finds passages."""


_PERSON: Final = "x-ms-query-source-authorization"
"""The header with the token of the person who asks, as it is."""


class AzureSearchSource(SearchingSource):
    """Asks the knowledge base of ``options``, with a key of the service and, if there is one, a person's."""

    _client: ProviderClient
    _token = ""

    def __init__(self, options: AzureSearchOptions) -> None:
        headers = {"api-key": options.api_key, "Accept": "text/event-stream"}
        # Whose right EXTRACT Azure has checked is a person's, and no key's.
        form = FORMATS["azure-search"].where(for_person=False)
        client = ProviderClient(options.endpoint, headers=headers)
        super().__init__("azure-search", client, form, dialect=Dialect.NUMBERED)
        self._name = options.knowledge_base
        version = quote(options.api_version, safe="")
        self._path = f"/knowledgebases('{self._name}')/retrieve?api-version={version}"

    def for_person(self, token: str) -> Self:
        """The same knowledge base, asked with the token of a person, whose rights Azure checks."""
        theirs = copy(self)
        theirs._token, theirs._form = token, FORMATS["azure-search"]
        return theirs

    def _describe(self) -> dict[str, str | int]:
        return {"knowledge_base": self._name}

    async def _request(self, question: str, stack: contextlib.AsyncExitStack) -> ProviderResponse:
        headers = {_PERSON: self._token} if self._token else {}
        try:
            return await self._client.request("POST", self._path, stack, request_body(question), headers)
        except KeyRefused as error:
            # A wrong key has 403.
            if self._token and error.status == HTTPStatus.UNAUTHORIZED:
                raise SignInEnded("it refuses a person's token (status 401)") from error
            raise


def request_body(question: str) -> dict[str, Any]:
    """The request for an answer to a question, as plain JSON."""
    said = {"role": "user", "content": [{"type": "text", "text": question}]}
    return {"messages": [said], "outputMode": _OUTPUT_MODE, "includeActivity": False}
