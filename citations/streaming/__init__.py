"""An answer that is still being written is shown as far as it can no longer change.

:class:`RenderingStream` takes its pieces, and writes interims and the end, which is what
:func:`citations.render` makes of the whole answer.
"""

from __future__ import annotations

from ..stub import load_on_use

__getattr__, __dir__, __all__ = load_on_use(__name__)
