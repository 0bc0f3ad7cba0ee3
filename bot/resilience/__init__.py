"""Waiting and retrying: a circuit breaker, Retry-After, the event loop's clock and its ticks."""
