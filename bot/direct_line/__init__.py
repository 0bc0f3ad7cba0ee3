"""A local Direct Line 3.0 service with a Web Chat page, for use without Azure.

Direct Line API 3.0 reference. ::

    page, any Direct Line client  ⇄  client_api        the Direct Line API
                                     conversation      the activities of each conversation
    page                          ⇄  conversation_api  a conversation is copied, or deleted
                                     footnotes         answers as Markdown with footnotes
    page                          ⇄  local_documents   the folder's documents, and files that are added
    the bot's connector           ⇄  connector_api     the connector's REST API

``token_exchange`` is for Azure's Direct Line: tokens for Web Chat on pages of one's own, in exchange for a
secret that no page sees.
"""

from __future__ import annotations

from .mount import add_direct_line
from .service import SERVICE, DirectLine

__all__ = ["SERVICE", "DirectLine", "add_direct_line"]
