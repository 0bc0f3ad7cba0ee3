"""A Direct Line 3.0 service and a Web Chat page of our own, for one machine.

Direct Line API 3.0 reference. ::

    page, any Direct Line client  ⇄  client_api    conversations of the person's side
                                     conversation  what has been said, and who listens
    the bot's connector           ⇄  connector_api conversations of the bot's side
"""

from __future__ import annotations

from .mount import add_direct_line
from .service import SERVICE, DirectLine

__all__ = ["SERVICE", "DirectLine", "add_direct_line"]
