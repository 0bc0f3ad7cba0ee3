"""Tokens for Web Chat on pages of one's own, in exchange for a secret that no page sees."""
