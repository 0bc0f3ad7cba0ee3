"""What Open WebUI's page does with markers and sources, as its documentation of mid-2025 describes it.

Governing source: "Inline Citations in Open WebUI", sections "Frontend Parsing & Rendering" and the list of
names in ``ContentRenderer.svelte``. The page is TypeScript; the few lines here are written anew in Python.
"""

from __future__ import annotations

import re
import time

from .wire import Job, Result, Results, run


def answer(job: Job) -> str:
    """As in that page: the n-th distinct name replaces each ``[n]`` by an element."""
    names = list(dict.fromkeys(one["url"] or one["name"] for one in job["sources"]))
    text = "".join(job["pieces"])
    for number, name in enumerate(names, start=1):
        element = f'<source_id data="{number}" title="{name}" />'
        text = re.sub(rf"\[{number}\]", lambda _, element=element: element, text)  # type: ignore[misc]
    return text


async def answer_all(jobs: list[Job]) -> Results:
    """Each job by itself."""
    results = {}
    for job in jobs:
        began = time.process_time()
        text = answer(job)
        seconds = time.process_time() - began
        results[job["id"]] = Result(sent=[{"type": "message", "text": text}], seconds=seconds)
    return results


if __name__ == "__main__":
    run(answer_all)
