"""What Writer's guide shows to get the citations out of an answer.

Governing source: dev.writer.com/home/inline-citations, "Extract and correlate citations". The pattern is the
guide's; the lines around it are written anew, as the guide names no licence.
"""

from __future__ import annotations

import re
import time

from .wire import Job, Result, Results, run


def answer(job: Job) -> tuple[str, list[str | None]]:
    """As in Writer's guide: each link is a citation, with the source of that id if there is one."""
    text = "".join(job["pieces"])
    sources = {one["id"]: one for one in job["sources"]}
    found = re.findall(r"\[([^\]]+)\]\(([^)]+)\)", text)
    return text, [sources[identifier]["id"] if identifier in sources else None for _, identifier in found]


async def answer_all(jobs: list[Job]) -> Results:
    """Each job by itself."""
    results = {}
    for job in jobs:
        began = time.process_time()
        text, found = answer(job)
        seconds = time.process_time() - began
        cited = [one or "a link without a source" for one in found]
        results[job["id"]] = Result(sent=[{"type": "message", "text": text}], cited=cited, seconds=seconds)
    return results


if __name__ == "__main__":
    run(answer_all)
