"""The SDK's models and their JSON, each way in one walk.

msrest walks through a model some times over. Here what a class has is looked up once, and what is out of
the ordinary is left to msrest.
"""

from __future__ import annotations


class Unusual(Exception):  # noqa: N818 - it is no error
    """A value is not of the type that its class says, or of one that is not often met."""
