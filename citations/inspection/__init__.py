"""Other bots' messages: read back into answers, and checked for what clients make of them.

:mod:`.problems` finds those of any activity, by the rules in :mod:`.checks`. :mod:`.activities` makes an
answer of one. Both rest on a second reader of Markdown (:mod:`.outcome`), which sees what clients see, and
on JSON-LD (:mod:`.json_ld`). What writes an answer for a channel reaches none of this.
"""

from __future__ import annotations

from ..stub import load_on_use

__getattr__, __dir__, __all__ = load_on_use(__name__)
