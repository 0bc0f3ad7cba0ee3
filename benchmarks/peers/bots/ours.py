"""This library."""

from __future__ import annotations

import time

from citations import Answer, Reference, ReferencesFound, RenderingStream, TextDelta, channel, cite, render

from .wire import Job, Result, Results, run


def answer(job: Job) -> Result:
    """A finished answer, or one in pieces: an activity for each interim, then the message."""
    references = tuple(
        Reference(id=str(number), name=one["name"], url=one["url"] or None, text=one["text"])
        for number, one in enumerate(job["sources"], start=1)
    )
    if len(job["pieces"]) == 1:
        rendering = render(
            cite(Answer(text=job["pieces"][0], references=references)), channel(job["channel"])
        )
        return Result(sent=[rendering.to_activity()], problems=[one.code for one in rendering.problems])
    stream = RenderingStream(channel(job["channel"]))
    stream.feed(ReferencesFound(references, complete=True))
    sent = []
    for piece in job["pieces"]:
        stream.feed(TextDelta(piece))
        # Of the others, too, no interim is timed.
        if not job["id"].startswith("time-") and (interim := stream.interim()):
            sent.append({**interim.to_activity(), "type": "typing"})
    return Result(sent=[*sent, stream.close().to_activity()])


async def answer_all(jobs: list[Job]) -> Results:
    """Each job by itself."""
    results = {}
    for job in jobs:
        began = time.process_time()
        results[job["id"]] = answer(job)
        results[job["id"]]["seconds"] = time.process_time() - began
    return results


if __name__ == "__main__":
    run(answer_all)
