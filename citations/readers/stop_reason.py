"""Why a model stopped, in the words of the providers that cite by place."""

from __future__ import annotations

from typing import Final

_LENGTH: Final = """
    length max_tokens max_output_tokens model_length max_token error_limit model_context_window_exceeded
""".split()
_FILTERED: Final = """
    content_filter content_filtered safety recitation blocklist prohibited_content spii image_safety
    guardrail_intervened error_toxic refusal language
""".split()


def finish_reason(reason: str) -> str:
    """The ``finish_reason`` of a chat completion that says the same; ``stop`` for all that is no cut."""
    if reason.lower() in _LENGTH:
        return "length"
    return "content_filter" if reason.lower() in _FILTERED else "stop"
