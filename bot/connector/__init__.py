"""The way out: what the bot sends to a channel's connector."""

from __future__ import annotations

from .tokens import AccessTokens, TokenError

__all__ = ["AccessTokens", "TokenError"]
