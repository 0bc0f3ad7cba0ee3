"""A judge of support for the bot: Google's check grounding API, asked once for each claim.

``SUPPORT_JUDGE=examples.check_grounding:judge python app.py`` has each sentence that cites something judged.
``CHECK_GROUNDING_URL`` is the method's URL. It ends in ``/groundingConfigs/default_grounding_config:check``.
``CHECK_GROUNDING_TOKEN`` is an access token for it, such as ``gcloud auth print-access-token`` writes.

Governing source: Vertex AI Search, "Method: projects.locations.groundingConfigs.check".
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import Final

import aiohttp

from bot.conversation.doubt_options import ClaimAndPassage

LEAST_SUPPORT: Final = 0.5
"""A claim whose ``supportScore`` (0 to 1) is lower is doubtful."""
_AT_ONCE: Final = 4
"""Requests that are under way at the same time."""


async def judge(pairs: Sequence[ClaimAndPassage]) -> list[bool | None]:
    """Whether each passage supports its claim; None where no score came back. Raises aiohttp's errors."""
    limit = asyncio.Semaphore(_AT_ONCE)
    headers = {"Authorization": f"Bearer {os.environ['CHECK_GROUNDING_TOKEN']}"}
    async with aiohttp.ClientSession(headers=headers, raise_for_status=True) as session:
        return list(await asyncio.gather(*(_judge_one(session, limit, pair) for pair in pairs)))


async def _judge_one(
    session: aiohttp.ClientSession, limit: asyncio.Semaphore, pair: ClaimAndPassage
) -> bool | None:
    body = {"answerCandidate": pair.claim, "facts": [{"factText": pair.passage}]}
    async with limit, session.post(os.environ["CHECK_GROUNDING_URL"], json=body) as response:
        score = (await response.json()).get("supportScore")
    return score >= LEAST_SUPPORT if isinstance(score, int | float) else None
