"""Authentication both ways: the channels' tokens are validated, and the bot gets tokens of its own.

:mod:`.token` validates the JSON Web Token of an incoming request with the keys of :mod:`.signing_keys`.
:mod:`.token_cache` holds the access tokens that :mod:`.entra` gets from Microsoft Entra ID.
:mod:`.sdk_authentication` is the interface through which the Bot Framework SDK asks for both.

The SDK's own authentication fetches tokens and keys on the event loop, within turns, without a timeout.
Here :mod:`.refreshing_value` fetches them in the background, so that a turn doesn't wait for either.
"""
