"""Files are read in processes of their own: what one file costs, and what goes on meanwhile."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import psutil
import pytest

from bot.retrieval.index import update as index_update
from bot.retrieval.index.folder_index import FolderIndex, WordStore
from bot.retrieval.index.part import IndexPart
from bot.retrieval.index.update import IndexUpdate
from bot.retrieval.passages.known_file import FileReading, FolderFile, KnownFile
from bot.retrieval.reading import pool as pools
from bot.retrieval.reading.folder_scan import Scan, scan
from bot.retrieval.reading.limits import CRASHED, TEXT, ReadingLimits
from bot.retrieval.reading.pool import POOL, ReaderPool
from bot.retrieval.reading.process import ReaderProcess, ReadingStoppedError
from bot.retrieval.reading.queue import FileQueue
from bot.sources.folder import FolderSource
from citations import AnswerKind, TextDelta
from citations.model import KindKnown
from tests.retrieval.bombs import BOMBS, DEFUSED
from tests.retrieval.labelled_documents import ONE, custom, label, word

SKIPPED = re.compile(
    r"it takes longer than 2 s to read|it needs more than 160 MB of memory to read|it is damaged"
    r"|it unpacks to more than 256 MB|it has too much text \(the limit is 10,000,000 characters\)"
)
HANGING = "hanging.md"


def read_all(folder: Path, pool: ReaderPool) -> dict[str, str | None]:
    """Why each file of a folder is skipped; None for one that is read."""
    return dict(read_files(folder, scan(folder).files, pool))


def read_files(
    folder: Path, files: Iterable[FolderFile], pool: ReaderPool
) -> Iterator[tuple[str, str | None]]:
    """The path of each file as it comes, and why it is skipped."""
    with FileQueue(folder, pool) as waiting:
        for file in files:
            waiting.put(file)
        while waiting:
            yield from ((one.record.path, one.record.reason) for one in waiting.take(1.0))


def children_seconds() -> float:
    """The seconds of the processor that the children took which have ended."""
    if os.name == "nt":
        return 0.0
    times = os.times()
    return times.children_user + times.children_system


def test_no_bomb_costs_more_than_its_own_file(folder: Path) -> None:
    for name, make in BOMBS.items():
        (folder / name).write_bytes(make())
    (folder / "good.md").write_text("All is well.", encoding="utf-8")
    before = children_seconds()
    reasons = read_all(folder, ReaderPool(ReadingLimits(seconds=2, memory=160_000_000), size=2))
    assert reasons.pop("good.md") is None
    assert reasons.keys() == BOMBS.keys()
    assert [one for one in reasons.items() if not SKIPPED.fullmatch(one[1] or "it is read")] == []
    assert children_seconds() - before < 30


def test_what_seems_to_take_forever_is_read(folder: Path) -> None:
    for name, make in DEFUSED.items():
        (folder / name).write_bytes(make())
    assert read_all(folder, POOL) == dict.fromkeys(DEFUSED)


def test_a_file_in_which_the_reader_crashes_costs_that_file(folder: Path) -> None:
    (folder / "forms.pdf").write_bytes(BOMBS["forms.pdf"]())
    (file,) = scan(folder).files
    process = ReaderProcess(ReadingLimits())
    threading.Timer(0.2, process.kill).start()
    with pytest.raises(ReadingStoppedError, match=CRASHED):
        process.ask(TEXT, folder, file, 30)
    assert process.is_worn
    process.end()


def test_idle_children_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "_IDLE", 0.1)
    (folder / "a.md").write_text("first", encoding="utf-8")
    before = set(psutil.Process().children())
    assert read_all(folder, ReaderPool(size=1)) == {"a.md": None}
    wait_until(lambda: set(psutil.Process().children()) <= before)


def test_what_was_read_is_not_kept(folder: Path) -> None:
    """A large folder would be in memory until garbage is collected, which is after many files."""
    for number in range(30):
        (folder / f"{number}.md").write_text(f"Rule {number}.", encoding="utf-8")
    gc.disable()
    try:
        assert len(read_all(folder, POOL)) == 30
        held = [one for one in gc.get_objects() if isinstance(one, FileReading)]
    finally:
        gc.enable()
    assert len(held) < 20  # each of the few threads has its last one


def test_what_is_read_now_is_known_without_a_look_at_what_waits(folder: Path) -> None:
    """It is asked for with each file, so a large folder would cost quadratic time."""
    with FileQueue(folder, ReaderPool(size=1)) as waiting:
        few, many = (count_calls(waiting, files) for files in (10, 1000))
    assert many < few + 20


def count_calls(waiting: FileQueue, files: int) -> int:
    """The calls that it takes to name the files that are being read, while so many wait."""
    calls = 0

    def note(*_: object) -> None:
        nonlocal calls
        calls += 1

    for number in range(files):
        waiting.put(FolderFile(f"{number}.md", 1, 1, 1))
    sys.setprofile(note)
    try:
        assert len(waiting.reading) <= 1
    finally:
        sys.setprofile(None)
    return calls


def test_a_task_that_fails_costs_no_child(folder: Path) -> None:
    (folder / "a.md").write_text("first", encoding="utf-8")
    pool = ReaderPool(size=1)
    with pytest.raises(ZeroDivisionError):
        pool.submit((0, 0), lambda _: 1 / 0).result()
    assert read_all(folder, pool) == {"a.md": None}


@pytest.mark.parametrize(
    ("limit", "cores"),
    [("max 100000\n", 8), ("200000 100000\n", 2), ("50000 100000\n", 1), ("1600000 100000\n", 8)],
)
def test_a_container_limits_the_number_of_children(
    limit: str, cores: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cpu.max").write_text(limit, encoding="ascii")
    monkeypatch.setattr(pools, "_CPU_LIMIT", tmp_path / "cpu.max")
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(8)), raising=False)
    assert pools.count_cores() == cores


def wait_until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def hanging(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A file of the folder that hangs whatever opens it, without any load: a pipe that is never written."""
    if os.name == "nt":
        pytest.skip("Windows has no such files")
    os.mkfifo(folder / HANGING)

    def scan_all(directory: Path, home: Path | None = None) -> Scan:
        found = scan(directory, home)
        return Scan((FolderFile(HANGING, 1, 1, 1), *found.files), found.skipped)

    monkeypatch.setattr(index_update, "scan", scan_all)
    yield
    # Whatever still waits for the pipe goes on.
    os.close(os.open(folder / HANGING, os.O_RDWR | os.O_NONBLOCK))


PARENT = """
import sys
from pathlib import Path
from bot.retrieval.reading.limits import ReadingLimits
from bot.retrieval.reading.process import ReaderProcess
from bot.retrieval.passages import FolderFile
process = ReaderProcess(ReadingLimits())
print(process._process.pid, flush=True)
process.ask("text", Path(sys.argv[1]), FolderFile("hanging.md", 1, 1, 1), 30)
"""


@pytest.mark.usefixtures("hanging")
def test_a_program_that_is_killed_leaves_no_child(folder: Path) -> None:
    command = [sys.executable, "-c", PARENT, str(folder)]
    parent = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3])
    assert parent.stdout
    child = int(parent.stdout.readline())
    assert psutil.pid_exists(child)
    parent.kill()
    parent.communicate()
    wait_until(lambda: not psutil.pid_exists(child) or psutil.Process(child).status() == "zombie")


@pytest.fixture
def updating(folder: Path) -> Iterator[FolderIndex]:
    """An index whose update runs in a thread."""
    index = FolderIndex(folder, None)
    thread = threading.Thread(target=index.update)
    thread.start()
    yield index
    index.stop()
    thread.join(30)
    assert not thread.is_alive()


@pytest.fixture
def documents(folder: Path, hanging: None) -> None:
    (folder / "gone.md").write_text("This will be deleted.", encoding="utf-8")
    (folder / "secret.docx").write_bytes(word())


def test_a_deletion_and_a_label_take_effect_while_a_file_hangs(
    documents: None, folder: Path, updating: FolderIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    def known() -> set[str]:
        return set(updating.whole.listing.known)

    wait_until(lambda: known() == {"gone.md", "secret.docx"} and updating.progress.reading == (HANGING,))
    assert updating.whole.listing.known["secret.docx"].labels == []
    # The new text is never read in this test: that could hang as well.
    monkeypatch.setattr(updating._update._queue, "put", lambda *_, **__: None)  # type: ignore[union-attr]
    (folder / "gone.md").unlink()
    labelled = custom(label(ONE, Enabled="true"))
    (folder / "secret.docx").write_bytes(word("New text.", docProps_custom=labelled))
    updating.want_listing()
    wait_until(lambda: known() == {"secret.docx"} and updating.whole.listing.known["secret.docx"].labels)
    assert updating.whole.listing.known["secret.docx"].labels == [ONE]
    assert [one["path"] for one in updating.whole.words.iter_records("passage")] == ["secret.docx"]


def test_what_was_read_before_a_label_came_does_not_take_it_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "secret.docx").write_bytes(word())
    index = FolderIndex(folder, None)
    index.update()
    known: dict[str, KnownFile] = dict(index.whole.listing.known)
    update = IndexUpdate(folder, WordStore(index.whole.words), known, known.update, index.progress)
    monkeypatch.setattr(index_update, "_COMMIT_SHARE", float("inf"))
    (folder / "secret.docx").write_bytes(word("New text."))
    update._follow_folder()
    while not update._batch:
        update._take()
    (folder / "secret.docx").write_bytes(
        word("Newer text.", docProps_custom=custom(label(ONE, Enabled="true")))
    )
    update._follow_folder()
    update._commit()
    assert known["secret.docx"].labels == [ONE]
    with update._queue:
        pass  # the newer text is never read in this test


def test_a_file_is_not_given_up_where_the_machine_is_busy(
    folder: Path, hanging: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A child that gets little of the processor goes on, however long it takes by the clock."""
    process = ReaderProcess(ReadingLimits(seconds=0.2))
    monkeypatch.setattr("bot.retrieval.reading.process._LOOK", 0.01)
    looks: list[float] = []

    def measure(_: ReaderProcess) -> float:
        looks.append(0.001 * len(looks))
        if len(looks) == 60:
            (folder / HANGING).write_text("It is read.", encoding="utf-8")  # into the pipe
        return looks[-1]

    monkeypatch.setattr(ReaderProcess, "_measure_work", measure)
    record, is_new, *_ = process.ask(TEXT, folder, FolderFile(HANGING, 1, 1, 1), 0.2)
    process.end()
    assert (record["reason"], is_new) == (None, True)
    assert len(looks) > 2 * 0.2 / 0.01


def test_what_hangs_is_put_back_and_then_skipped(folder: Path, hanging: None) -> None:
    (folder / "large.md").write_text("Large documents come late. " * 100, encoding="utf-8")
    files = [FolderFile(HANGING, 1, 1, 1), *scan(folder).files]
    pool = ReaderPool(ReadingLimits(seconds=1), size=1)
    assert [*read_files(folder, files, pool)] == [
        ("large.md", None),
        (HANGING, "it takes longer than 1 s to read"),
    ]


async def test_the_bot_answers_while_a_file_hangs(
    documents: None,
    folder: Path,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.sources.folder.upkeep._WATCH", 0.01)
    source = FolderSource(folder, document_base="", cache=tmp_path / "cache")
    await source.open()
    assert not source.is_read
    async with asyncio.timeout(60):
        while len(await source.list_documents()) < 2 or not source.progress.reading:
            await asyncio.sleep(0.02)
    progress = source.progress
    assert (progress.reading, progress.read, progress.waiting, progress.stalled) == ((HANGING,), 2, 0, 0)
    assert (await source.facts())["reading"] == "2 of 3"
    kind, text = await ask(source, "What is the yearly limit of travel?")
    assert kind is AnswerKind.ANSWERED
    assert "**The yearly limit of travel is 5.**" in text
    kind, text = await ask(source, "Who painted the Mona Lisa?")
    assert kind is AnswerKind.NOTHING
    assert text.endswith("\n\nI am still reading your documents. Ask again in a moment: there may be more.")
    with monkeypatch.context() as embedding:
        embedding.setattr(IndexPart, "know_meaning", False)
        kind, text = await ask(source, "What is the yearly limit of travel?")
    assert (kind, "**The yearly limit" in text) == (AnswerKind.ANSWERED, True)
    assert text.endswith("\n\nI am still reading your documents. Ask again in a moment: there may be more.")
    monkeypatch.setattr("bot.retrieval.reading.progress._STALL", -1)
    async with asyncio.timeout(60):
        while "the index has not moved" not in caplog.text:
            await asyncio.sleep(0.02)
    assert [one.levelno for one in caplog.records if "not moved" in one.message] == [logging.ERROR]
    async with asyncio.timeout(60):
        await source.close()


async def ask(source: FolderSource, question: str) -> tuple[AnswerKind | None, str]:
    events = [event async for event in source.answer(question)]
    kinds = [event.kind for event in events if isinstance(event, KindKnown)]
    return kinds[0], "".join(event.text for event in events if isinstance(event, TextDelta))
