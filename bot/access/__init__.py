"""Who may have what searched.

:mod:`.tenants` says whose people are answered, :mod:`.asker` who asks, :mod:`.policy` what may be
searched for them, which is a :mod:`.permission`, and :mod:`.limited` is the source without the rest. With
:class:`Asker`, :class:`Permission` and :func:`place_of`, whoever runs the bot writes a policy.
"""

from __future__ import annotations

from ..sources.permission import Permission, place_of
from .asker import Asker

__all__ = ["Asker", "Permission", "place_of"]
