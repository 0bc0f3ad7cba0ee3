"""The failures of a request to a connector that brought no response.

::

    ConnectorError            the base of all
    ├── NotSent               the request did not reach the connector: a retry is safe
    │   ├── TokenError        there is no access token (in :mod:`.tokens`)
    │   └── ForeignService    the bot does not send to that service URL
    ├── MaybeSent             the request left, and whether it arrived is unknown
    └── Unreadable            the response's body is incomplete or too large

A connector's error response is none of these. For that the SDK raises its own
``HttpOperationError``, which :func:`bot.conversation.channel_refusal.read_refusal` reads.
"""

from __future__ import annotations


class ConnectorError(Exception):
    """A request to a connector failed. The message is for the log: no path, and nothing of an activity."""


class NotSent(ConnectorError):  # noqa: N818 - the root of the hierarchy has the suffix
    """The request did not reach the connector."""


class ForeignService(NotSent):
    """The service URL is not one that the bot sends to."""


class MaybeSent(ConnectorError):  # noqa: N818
    """The connection broke, or the timeout passed, after the request left and before a response.

    A retry may deliver the activity twice.
    """


class Unreadable(ConnectorError):  # noqa: N818
    """A requested body is incomplete or too large."""


class UnusualValue(Exception):  # noqa: N818 - a signal to fall back to msrest
    """A value has another type than its class declares, or a type that the fast path doesn't know."""
