"""This module reads from the SDK's exception why a channel refused an activity."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from msrest.exceptions import HttpOperationError

from ..connector import ConnectorResponse
from ..resilience.retry_after import retry_after


@dataclass(frozen=True, slots=True)
class ChannelRefusal:
    """The response of a connector that refused an activity.

    ``explanation`` is its text in lower case, which must not be logged. ``retry_after`` has the seconds
    that it asks to wait, or None. ``tries`` is the number of requests.
    """

    status: int
    explanation: str = ""
    retry_after: float | None = None
    tries: int = 1

    @property
    def is_busy(self) -> bool:
        """Whether the channel may accept the same activity later."""
        return self.status in (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS) or self.status >= 500

    @property
    def is_too_large(self) -> bool:
        """Whether the channel may accept a smaller activity. Teams also responds with 403 then."""
        forbidden = self.status == HTTPStatus.FORBIDDEN and "size too large" in self.explanation
        return self.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or forbidden

    @property
    def is_stopped(self) -> bool:
        """Whether the person pressed Teams' Stop: "Content stream was canceled by user"."""
        return (
            self.status == HTTPStatus.FORBIDDEN
            and "cancel" in self.explanation
            and "user" in self.explanation
        )

    @property
    def is_completed(self) -> bool:
        """Whether the stream is complete: "not allowed on an already completed streamed message"."""
        return self.status == HTTPStatus.FORBIDDEN and "already completed" in self.explanation


def read_refusal(error: BaseException) -> ChannelRefusal | None:
    """Return the connector's response; None where there was none."""
    if not isinstance(error, HttpOperationError) or not isinstance(error.response, ConnectorResponse):
        return None
    response = error.response
    # The SDK quotes code and message only from bodies of its own form, so the whole body is read too.
    explanation = f"{error.message} {response.text()}"
    wait = retry_after(response.headers.get("Retry-After"))
    return ChannelRefusal(response.status_code, explanation.lower(), wait, response.tries)
