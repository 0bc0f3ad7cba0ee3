"""Who the channels are to us, and who we are to them.

The SDK asks Entra ID twice in every turn, and now and then for the signing keys, on the event loop and
without a timeout. Here a turn waits for neither: :mod:`.kept` gets both in the background,
:mod:`.access_tokens` and :mod:`.signing_keys` say what is kept, :mod:`.token` checks what a channel
sends, and :mod:`.seam` is where the SDK asks for all of it.
"""
