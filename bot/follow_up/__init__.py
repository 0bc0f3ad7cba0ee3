"""What a person has who wants to know more about the last answer.

:mod:`.asked` is what they write, :mod:`.remembered` what was answered, :mod:`.permitted` what of it they may
read, and :mod:`.reply` what they are told. To say that in its turn is :mod:`bot.delivery.following_up`.
"""
