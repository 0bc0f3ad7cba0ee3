"""Citations for a bot that exists: one module for each SDK. No other package of the library knows one.

:mod:`.botbuilder`, :mod:`.agents` and :mod:`.teams` import their SDK, which the extra of that name installs.
What arrives on the wire is what :func:`~citations.render` returns, field by field.
"""

from __future__ import annotations

from .content import REFERENCES

__all__ = ["REFERENCES"]
