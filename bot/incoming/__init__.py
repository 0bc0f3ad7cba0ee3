"""A request on its way in, until it is an activity that may be read.

:mod:`.connections` lets it in, :mod:`.guard` says who may talk to the bot, :mod:`.body` reads its JSON,
:mod:`.shape` says what that must look like, and :mod:`.question` what a message asks. :mod:`.arrival` is
when it came, :mod:`.refusal` what is said to one that goes no further.
"""
