"""Inputs that coverage finds: what is read, rendered and checked holds its promises for each of them.

A *target* is a module with ``promise(data)``, which raises where one is broken, ``walk(data)``, which goes
the same way unwatched, ``seeds()`` to begin with, and ``WORDS`` that a mutation may insert. ``python -m tests.fuzz NAME`` looks for new inputs with
Atheris; those that together reach everything are kept in ``tests/corpus/fuzz`` and run with the tests.
"""
