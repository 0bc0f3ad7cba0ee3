"""What can become of something that is sent, besides an answer of the connector.

::

    ConnectorError            everything that is raised on purpose
    ├── NotSent               nothing of it has left: it may be sent again
    │   ├── TokenError        there is no access token (in :mod:`.tokens`)
    │   └── ForeignService    answers don't go to that service URL
    ├── MaybeSent             it has left, and nobody knows whether it arrived
    └── Unreadable            what was asked for came, and can't be read

A connector that answers with an error is none of these: the SDK raises its own
``HttpOperationError``, which :func:`bot.conversation.channel_refusal.read_refusal` reads.
"""

from __future__ import annotations


class ConnectorError(Exception):
    """A request to a connector failed. The text is for the log: it has no path and nothing of an activity."""


class NotSent(ConnectorError):  # noqa: N818 - "not sent" says it; the family's root has the suffix
    """Nothing of the request has reached the connector."""


class ForeignService(NotSent):
    """The service URL is none that the bot talks to."""


class MaybeSent(ConnectorError):  # noqa: N818
    """The request has left, and the connection was cut or the time was over before an answer came.

    Whoever sends it again may say it twice.
    """


class Unreadable(ConnectorError):  # noqa: N818
    """A body that was asked for broke off, or is too long."""


class UnusualValue(Exception):  # noqa: N818 - it is no error: msrest takes over
    """A value is not of the type that its class says, or of one that is not often met."""
