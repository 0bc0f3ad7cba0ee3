"""Access control: who asks, whether they may, and which documents are searched for them.

:mod:`.token` validates the JSON Web Token of an incoming request with the keys of :mod:`.signing_keys`.
:mod:`.token_cache` holds the bot's own access tokens, which :mod:`.entra` gets from Microsoft Entra ID.
:mod:`.sdk_authentication` is the interface through which the Bot Framework SDK asks for both.

The SDK's own authentication fetches tokens and keys on the event loop, within turns, without a timeout.
Here :mod:`.refreshing_value` fetches them in the background, so that a turn doesn't wait for either.

:mod:`.asker` says which Entra tenants are answered. :mod:`.policy` asks the operator's access policy
about an asker. A policy takes an :class:`Asker` and returns a :class:`Permission`;
:func:`place_of` helps it to compare paths and URLs.
"""

from __future__ import annotations

from ..sources.permission import Permission, place_of
from .asker import Asker

__all__ = ["Asker", "Permission", "place_of"]
