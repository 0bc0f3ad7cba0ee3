"""What ``/metrics`` says, read by Prometheus' own parser."""

from __future__ import annotations

import aiohttp
from prometheus_client.parser import text_string_to_metric_families

Numbers = dict[tuple[str, tuple[tuple[str, str], ...]], float]


async def numbers(port: int) -> Numbers:
    """All that ``/metrics`` says, by name and labels."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{port}/metrics") as response,
    ):
        assert response.content_type == "text/plain"
        families = list(text_string_to_metric_families(await response.text()))
    return {
        (sample.name.removeprefix("citation_bot_"), tuple(sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }
