"""Why an activity did not reach its channel, or may not have.

::

    ConnectorError            the base of all
    ├── NotSent               the request did not reach the connector: a retry is safe
    │   ├── TokenError        there is no access token
    │   └── ForeignService    the bot does not send to that service URL
    ├── MaybeSent             the request left, and whether it arrived is unknown
    └── ChannelRefusal        the connector responded that it does not accept the activity
"""

from __future__ import annotations

from http import HTTPStatus


class ConnectorError(Exception):
    """A request to a connector failed. The message is for the log: no path, and nothing of an activity."""


class NotSent(ConnectorError):  # noqa: N818 - the root of the hierarchy has the suffix
    """The request did not reach the connector."""


class TokenError(NotSent):
    """There is no access token, and so nothing can be sent."""


class ForeignService(NotSent):
    """The service URL is not one that the bot sends to."""


class MaybeSent(ConnectorError):  # noqa: N818
    """The connection broke, or the timeout passed, after the request left and before a response.

    A retry may deliver the activity twice.
    """


class ChannelRefusal(ConnectorError):  # noqa: N818
    """The connector refused the activity.

    ``explanation`` is its text in lower case, which must not be logged. ``retry_after`` has the seconds
    that it asks to wait, or None. ``tries`` is the number of requests.
    """

    def __init__(
        self, status: int, explanation: str = "", *, retry_after: float | None = None, tries: int = 1
    ) -> None:
        super().__init__(f"status {status}")
        self.status = status
        self.explanation = explanation
        self.retry_after = retry_after
        self.tries = tries

    @property
    def is_busy(self) -> bool:
        """Whether the channel may accept the same activity later."""
        return self.status in (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS) or self.status >= 500

    @property
    def is_too_large(self) -> bool:
        """Whether the channel may accept a smaller activity. Teams also responds with 403 then."""
        return self.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or self._forbids("size too large")

    @property
    def is_out_of_time(self) -> bool:
        """Whether the stream has lasted too long: "finished due to exceeded streaming time"."""
        return self._forbids("exceeded streaming time")

    @property
    def is_stopped(self) -> bool:
        """Whether the person pressed Teams' Stop: "Content stream was canceled by user"."""
        return not self.is_out_of_time and self._forbids("cancel")

    @property
    def forbids_streams(self) -> bool:
        """Whether this person gets no streams: "Content stream is not allowed"."""
        others = ("exceeded streaming time", "cancel", "completed streamed message")
        return self._forbids("not allowed") and not any(words in self.explanation for words in others)

    @property
    def is_completed(self) -> bool:
        """Whether the stream is complete: "not allowed on an already completed streamed message"."""
        return self._forbids("already completed")

    def _forbids(self, *words: str) -> bool:
        return self.status == HTTPStatus.FORBIDDEN and all(word in self.explanation for word in words)
