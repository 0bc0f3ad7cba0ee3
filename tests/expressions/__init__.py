"""Which regular expressions may take more time than their text is long.

:mod:`.found` lists the expressions of ``citations`` and ``bot``, :mod:`.automaton` reads one, and
:mod:`.ambiguity` says where it starts over.
"""
