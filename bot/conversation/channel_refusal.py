"""Why a channel did not take an activity, read from the SDK's exception."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from msrest.exceptions import HttpOperationError

from ..connector import ConnectorResponse
from ..resilience.retry_after import retry_after


@dataclass(frozen=True, slots=True)
class ChannelRefusal:
    """The answer of a connector that did not take an activity.

    ``said`` is its explanation in lower case, which is not for the log; ``retry_after`` the seconds
    that it asks for, if it does; ``tries`` how often it was asked.
    """

    status: int
    said: str = ""
    retry_after: float | None = None
    tries: int = 1

    @property
    def busy(self) -> bool:
        """Whether the same activity may be taken later."""
        return self.status in (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS) or self.status >= 500

    @property
    def too_large(self) -> bool:
        """Whether a smaller activity may be taken. Teams says so with 403 as well."""
        forbidden = self.status == HTTPStatus.FORBIDDEN and "size too large" in self.said
        return self.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or forbidden

    @property
    def stopped(self) -> bool:
        """Whether the person pressed Teams' Stop: "Content stream was canceled by user"."""
        return self.status == HTTPStatus.FORBIDDEN and "cancel" in self.said and "user" in self.said

    @property
    def completed(self) -> bool:
        """Whether the stream has its final: "not allowed on an already completed streamed message"."""
        return self.status == HTTPStatus.FORBIDDEN and "already completed" in self.said


def read_refusal(error: BaseException) -> ChannelRefusal | None:
    """The connector's answer; None where there was none."""
    if not isinstance(error, HttpOperationError) or not isinstance(error.response, ConnectorResponse):
        return None
    response = error.response
    # The SDK quotes code and message only of bodies that have its own form; the body has them in any.
    said = f"{error.message} {response.text()}"
    wait = retry_after(response.headers.get("Retry-After"))
    return ChannelRefusal(response.status_code, said.lower(), wait, response.tries)
