"""What a supplier sends becomes an :class:`~citations.Answer`: one module for each supplier."""
