"""Access control: who may ask, and which documents are searched for them.

:mod:`.tenants` decides which Entra tenants are answered. :mod:`.policy` asks the operator's access policy
about an :mod:`.asker`. A policy takes an :class:`Asker` and returns a :class:`Permission`;
:func:`place_of` helps it to compare paths and URLs.
"""

from __future__ import annotations

from ..sources.permission import Permission, place_of
from .asker import Asker

__all__ = ["Asker", "Permission", "place_of"]
