"""The same 30 answers through this library and its peers, judged by DESIGN's rules, as a table.

``python -m benchmarks.peers`` prints the page ``docs/peers.md``, and writes it with ``--write``. It needs
Node.js for the engines of clients. Peers whose pins conflict with ours get environments of their own.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from citations import Answer, Reference, channel, cite, render
from citations.labels import LabelRanking
from tests.clients.engines import Engines

from . import judge
from .answers import Case, MarkerForm, load_cases
from .bots.wire import Job, Result, Results, Source
from .page import Row, write_page
from .peers import PEERS, ROOT, Peer

RULES: Final[dict[int, Callable[[judge.Sent], Iterator[str]]]] = {
    1: judge.positions,
    2: judge.agreement,
    3: judge.liveness,
    4: judge.rendering,
    5: judge.literals,
    6: judge.json_ld,
}
LENGTHS: Final = (20_000, 80_000)
"""Characters of the two answers whose times are compared."""
MOST: Final = 8.0
"""Times the processor time that four times the text may take: linear is 4, quadratic 16."""
LABELS: Final = """
label = [{id = "general", name = "General", priority = 0}, {id = "secret", name = "Secret", priority = 1}]
"""


def jobs_of(peer: Peer, cases: list[Case]) -> list[Job]:
    """Each answer whole, each answer in pieces, and two long ones."""
    whole = [case.job(case.id, peer.channel, peer.form) for case in cases]
    pieces = [
        case.job(f"stream-{case.id}", peer.channel, peer.form, pieces=4) for case in cases if peer.streams
    ]
    return [*whole, *pieces, *(_long(peer, length) for length in LENGTHS)]


def _long(peer: Peer, length: int) -> Job:
    source = Source(id="a1", name="Proxy settings", url="https://example.com/proxy", text="One is enough.")
    piece = (peer.form.value or "[1]").format(number=1, **source) + " a [b "
    count = length // len(piece)
    places = [(len(piece) * n, 1) for n in range(1, count)] if peer.form is MarkerForm.NONE else []
    return Job(
        id=f"time-{length}",
        channel=peer.channel,
        pieces=[piece] * count,
        sources=[source],
        places=places,
    )


def judge_peer(peer: Peer, cases: list[Case], results: Results, engines: Engines) -> dict[int, list[str]]:
    """What fails, by rule, each with the id of its case."""
    failures: dict[int, list[str]] = {rule: [] for rule in range(1, 10) if str(rule) in peer.rules}
    for case in cases:
        whole = results[case.id]
        if not whole.get("sent"):
            failures[min(failures)].append(f"`{case.id}`: nothing is sent: {whole.get('error')}")
            continue
        sent = read_result(peer, case, whole, engines)
        found = {rule: find(sent) for rule, find in RULES.items()}
        if peer.streams:
            found[7] = _stream(peer.channel, whole, results[f"stream-{case.id}"])
        for rule in failures.keys() & found.keys():
            # One failure of a case is enough.
            failures[rule] += [f"`{case.id}`: {failure}" for failure in islice(found[rule], 1)]
    if 8 in failures:
        failures[8] = judge_labels(peer.channel)
    fewer, more = (results[f"time-{length}"]["seconds"] for length in LENGTHS)
    if more > MOST * fewer:
        failures[9].append(f"it takes {more / fewer:.0f} times the processor time")
    return failures


def _stream(channel_id: str, whole: Result, streamed: Result) -> Iterator[str]:
    if not streamed.get("sent"):
        yield f"nothing is sent: {streamed.get('error')}"
        return
    *interims, final = streamed["sent"]
    if channel_id == "msteams":
        yield from judge.prefixes([one["text"] for one in interims], final["text"])
    yield from judge.same_final(final, whole["sent"][-1])
    if streamed.get("cited") != whole.get("cited"):
        yield "other sources are cited at the stream's end"


def read_result(peer: Peer, case: Case, result: Result, engines: Engines) -> judge.Sent:
    """What a channel got of a case, with what the clients' engines read in it."""
    activity = result["sent"][-1]
    nodes = [one for one in activity.get("entities") or () if one.get("type") == judge.MESSAGE]
    opened = [claim["appearance"].get("text") for node in nodes for claim in node.get("citation") or ()]
    texts = [activity["text"], *(text for text in opened if text and peer.channel == "webchat")]
    readings, *passages = engines.read(texts)
    problems = (*result.get("problems", ()), *([result["error"]] if "error" in result else ()))
    cited = tuple(result["cited"]) if "cited" in result else None
    return judge.Sent(
        case, peer.form, peer.channel, activity, readings, tuple(passages), cited, problems=problems
    )


def judge_labels(channel_id: str) -> list[str]:
    """§4.8, of this library: no source lowers the message's label, cited or not."""
    ranking = LabelRanking.from_toml(LABELS)
    failures = []
    for labels in (("general",), ("general", "secret"), ("secret", "general")):
        found = tuple(
            Reference(id=str(number), label=label, url=f"https://example.com/{number}")
            for number, label in enumerate(labels, start=1)
        )
        cited = cite(Answer(text="A [1].", references=found))
        shown = judge.shown_label(render(cited, channel(channel_id), ranking=ranking).to_activity())
        if shown != ("Secret" if "secret" in labels else "General"):
            failures.append(f"the sources {', '.join(labels)} are shown as {shown}")
    return failures


def main() -> None:
    """Run all peers, and print the page or write it."""
    cases = load_cases()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    rows = []
    engines = Engines()
    try:
        for peer in PEERS:
            versions, results = peer.run(jobs_of(peer, cases))
            failures = judge_peer(peer, cases, results, engines)
            if peer.bot == "ours":
                versions = {project["name"]: project["version"]}
            rows.append(Row(peer, versions, failures))
            print(peer.name, {rule: len(found) for rule, found in failures.items()}, file=sys.stderr)
    finally:
        engines.close()
    page = write_page(rows, cases)
    if "--write" in sys.argv:
        (ROOT / "docs" / "peers.md").write_text(page, "utf-8")
    else:
        print(page)


if __name__ == "__main__":
    main()
