"""The index of a folder: what is in it, what is skipped, and that it stays true whatever happens."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.retrieval.document import SourceDocument
from bot.retrieval.index.candidates import FoundPassages
from bot.retrieval.index.folder_index import FORMAT, FolderIndex
from bot.retrieval.index.part import FILE, IndexPart, make_part
from bot.retrieval.passages.record import PASSAGE, read_record
from bot.retrieval.reading.child import read_file
from bot.retrieval.reading.folder_scan import Skipped, scan
from bot.retrieval.reading.pool import POOL
from bot.retrieval.reading.queue import FileQueue
from bot.retrieval.words.engine import EngineError, Entry, Removal, SearchEngine
from bot.sources.folder.documents import Documents
from bot.sources.folder.labels import FolderLabels
from bot.sources.folder.source import choose_cache_directory
from citations import Reference
from tests.depth import examples

from ..labelled_documents import ONE, custom, label, word

Index = Callable[[], FolderIndex]


def texts(index: FolderIndex) -> dict[str, list[str]]:
    """The passages of each file, in order."""
    found: dict[str, list[tuple[int, str]]] = {}
    for record in index.whole.words.iter_records(PASSAGE):
        found.setdefault(record["path"], []).append((record["start"], record["text"]))
    return {path: [text for _, text in sorted(passages)] for path, passages in found.items()}


def test_a_file_is_added_changed_and_removed(folder: Path, indexed: Index) -> None:
    (folder / "a.md").write_text("# One\nfirst", encoding="utf-8")
    (folder / "b.txt").write_text("Second stays.", encoding="utf-8")
    assert texts(indexed()) == {"a.md": ["first"], "b.txt": ["Second stays."]}
    (folder / "a.md").write_text("# One\nchanged now", encoding="utf-8")
    (folder / "c.md").write_text("Third comes.", encoding="utf-8")
    (folder / "b.txt").unlink()
    assert texts(indexed()) == {"a.md": ["changed now"], "c.md": ["Third comes."]}


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
@pytest.mark.parametrize("before", [None, 0o755, 0o777])
def test_no_other_user_can_enter_the_index(
    folder: Path, indexed: Index, tmp_path: Path, before: int | None
) -> None:
    (folder / "a.md").write_text("first", encoding="utf-8")
    if before is not None:  # an older version's
        indexed()
        (tmp_path / "cache").chmod(before)
    umask = os.umask(0)
    try:
        assert texts(indexed()) == {"a.md": ["first"]}
    finally:
        os.umask(umask)
    assert stat.S_IMODE((tmp_path / "cache").stat().st_mode) == 0o700


def test_what_did_not_change_is_not_read_again(
    folder: Path, indexed: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.md").write_text("first", encoding="utf-8")
    indexed()
    monkeypatch.setattr(FileQueue, "put", lambda *_: pytest.fail("it was read"))
    assert texts(indexed()) == {"a.md": ["first"]}


def test_a_new_time_with_the_same_bytes_writes_nothing_and_is_known(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def state() -> list[object]:
        stored = sorted((file, file.stat().st_mtime_ns) for file in (tmp_path / "cache").rglob("*.*"))
        return [
            stored,
            index.whole.words.search([("first", 1.0)], 1.0, 9),
            index.whole.listing.known["a.md"].indexed,
        ]

    for name in "abc":
        (folder / f"{name}.md").write_text(f"The first of {name}.", encoding="utf-8")
    index = FolderIndex(folder, tmp_path / "cache")
    index.update()
    before = state()
    for file in folder.iterdir():
        os.utime(file, ns=(5_000_000_000, 5_000_000_000))
    index.update()
    assert state() == before
    assert {one.modified for one in index.whole.listing.known.values()} == {5_000_000_000}
    monkeypatch.setattr(FileQueue, "put", lambda *_: pytest.fail("it was read again"))
    index.update()


@pytest.mark.parametrize(("time", "skipped"), [(1.0, 0), (9e9, 1)], ids=["before this start", "since"])
def test_what_took_too_long_is_tried_again_after_a_restart(
    time: float, skipped: int, folder: Path, indexed: Index
) -> None:
    (folder / "a.md").write_text("first", encoding="utf-8")
    index = indexed()
    record = asdict(index.whole.listing.known["a.md"]) | {"reason": POOL.limits.too_slow, "indexed": time}
    index.whole.words.apply([Removal(FILE, "a.md"), Entry(FILE, "a.md", record | {"sha256": ""})])
    assert len(indexed().report.skipped) == skipped


@pytest.mark.parametrize(("hours", "skipped"), [(7, 0), (5, 1)])
def test_what_took_too_long_is_tried_again_after_six_hours(
    hours: int, skipped: int, folder: Path, indexed: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.md").write_text("first", encoding="utf-8")
    index = indexed()
    now = time.time()
    record = asdict(index.whole.listing.known["a.md"]) | {"reason": POOL.limits.too_slow, "indexed": now}
    index.whole.words.apply([Removal(FILE, "a.md"), Entry(FILE, "a.md", record | {"sha256": ""})])
    monkeypatch.setattr(time, "time", lambda: now + hours * 3600)
    assert len(indexed().report.skipped) == skipped


def test_what_can_not_be_read_is_named_with_the_reason_and_the_rest_is_indexed(
    folder: Path, indexed: Index
) -> None:
    (folder / "good.md").write_text("This is good.", encoding="utf-8")
    (folder / "empty.md").write_bytes(b"")
    (folder / "binary.md").write_bytes(bytes(range(256)) * 10)
    (folder / "slides.ppt").write_bytes(b"PPT")
    (folder / "picture.png").write_bytes(b"PNG")
    (folder / ".secret.md").write_text("hidden", encoding="utf-8")
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "README.md").write_text("Of a package.", encoding="utf-8")
    (folder / ".git").mkdir()
    (folder / ".git" / "notes.md").write_text("hidden", encoding="utf-8")
    (folder / "~$lock.docx").write_bytes(b"lock")
    with (folder / "huge.txt").open("wb") as huge:
        huge.truncate(70_000_000)
    report = indexed().report
    assert report.skipped == (
        Skipped("*.png", "1 file of a format that is not read"),
        Skipped("binary.md", "it is not text"),
        Skipped("empty.md", "it is empty"),
        Skipped("huge.txt", "it is too large (70 MB; the limit is 64 MB)"),
        Skipped("node_modules", "it holds installed packages"),
        Skipped("slides.ppt", "the format .ppt is not read (save it as PDF or PPTX)"),
    )
    assert (report.documents, report.passages) == (1, 1)


def test_a_reader_that_fails_costs_one_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.md").write_text("good", encoding="utf-8")

    def fail(data: bytes, name: str) -> SourceDocument:
        raise RecursionError

    monkeypatch.setattr("bot.retrieval.reading.child.read", fail)
    reading = read_file(folder, scan(folder).files[0], "")
    assert (reading.record.reason, reading.passages) == ("it is damaged", ())


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a file that its reader may not open")
def test_a_file_without_permission_is_named(folder: Path, indexed: Index) -> None:
    (folder / "closed.md").write_text("closed", encoding="utf-8")
    (folder / "closed.md").chmod(0)
    assert indexed().report.skipped == (Skipped("closed.md", "it can't be opened (Permission denied)"),)


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_links_are_not_followed_out_of_the_folder(folder: Path, indexed: Index, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret", encoding="utf-8")
    (folder / "a.md").write_text("inside", encoding="utf-8")
    (folder / "link.md").symlink_to(outside / "secret.md")
    (folder / "linked").symlink_to(outside, target_is_directory=True)
    (folder / "again.md").symlink_to(folder / "a.md")
    (folder / "broken.md").symlink_to(folder / "nowhere.md")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    index = indexed()
    assert texts(index) == {"a.md": ["inside"]}
    assert {one.path for one in index.report.skipped} == {"link.md", "linked", "broken.md"}


@pytest.mark.parametrize(
    "name", ["mit Leerzeichen.md", "größe.md", "a [1] (b) #?&%.md", "日本.md", "deep/er/x.MD"]
)
def test_any_name(name: str, folder: Path, indexed: Index) -> None:
    if os.name == "nt" and "?" in name:
        name = name.replace("?", "")
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("named", encoding="utf-8")
    assert texts(indexed()) == {name: ["named"]}
    (folder / name).unlink()
    assert texts(indexed()) == {}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux allows any bytes as a name")
def test_a_name_that_is_not_unicode_costs_its_own_file(folder: Path, indexed: Index) -> None:
    (folder / "good.md").write_text("All is well.", encoding="utf-8")
    for name in (b"bad\xff.md", b"bad\xfe"):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_text("No.", encoding="utf-8")
    index = indexed()
    assert texts(index) == {"good.md": ["All is well."]}
    assert index.report.skipped == (
        Skipped("bad?", "its name is not valid Unicode"),
        Skipped("bad?.md", "its name is not valid Unicode"),
    )


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("a.html", b"<meta charset=utf-7><title>+2AA-</title><h1>A +2AA-</h1>One +2AA- two."),
        ("a.eml", b"Subject: A \xff\nContent-Type: text/plain; charset=utf-7\n\nOne +2AA- two."),
    ],
)
def test_half_a_character_costs_no_more_than_itself(
    name: str, source: bytes, folder: Path, indexed: Index
) -> None:
    (folder / "good.md").write_text("All is well.", encoding="utf-8")
    (folder / name).write_bytes(source)
    found = texts(indexed())
    assert found.pop("good.md") == ["All is well."]
    assert [text.splitlines()[-1] for text in found[name]] == ["One \ufffd two."]


def damage(directory: Path, how: str) -> None:
    files = [file for file in (directory / f"passages-{FORMAT}").iterdir() if file.is_file()]
    for file in files:
        if how == "empty":
            file.write_bytes(b"")
        elif how == "garbage":
            file.write_bytes(b"garbage" * 100)
        elif file.suffix not in (".json", ".lock"):
            file.unlink()


@pytest.mark.parametrize("how", ["empty", "garbage", "segments lost"])
def test_a_damaged_index_is_built_again(how: str, folder: Path, indexed: Index, tmp_path: Path) -> None:
    (folder / "a.md").write_text("first", encoding="utf-8")
    indexed()
    damage(tmp_path / "cache", how)
    assert texts(indexed()) == {"a.md": ["first"]}
    assert texts(indexed()) == {"a.md": ["first"]}


def test_an_index_of_another_format_is_dropped(folder: Path, indexed: Index, tmp_path: Path) -> None:
    (folder / "a.md").write_text("first", encoding="utf-8")
    old = tmp_path / "cache" / "passages-0"
    old.mkdir(parents=True)
    indexed()
    assert not old.exists()


def test_an_update_that_breaks_off_changes_nothing(
    folder: Path, indexed: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.md").write_text("first", encoding="utf-8")
    indexed()
    (folder / "a.md").write_text("second", encoding="utf-8")
    (folder / "b.md").write_text("third", encoding="utf-8")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr("bot.retrieval.index.folder_index.read_entry", stop)
        with pytest.raises(KeyboardInterrupt):
            indexed()
    assert texts(indexed()) == {"a.md": ["second"], "b.md": ["third"]}


def test_a_cache_that_can_not_be_written_leaves_the_index_in_memory(folder: Path, tmp_path: Path) -> None:
    (folder / "a.md").write_text("first", encoding="utf-8")
    (tmp_path / "file").write_text("no directory", encoding="utf-8")
    index = FolderIndex(folder, tmp_path / "file" / "cache")
    index.update()
    assert texts(index) == {"a.md": ["first"]}


def test_a_folder_that_is_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotADirectoryError, match="is not a folder"):
        FolderIndex(tmp_path / "none", None).update()


def test_a_folder_that_can_not_be_listed_is_no_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        scan(tmp_path / "none")


@pytest.mark.skipif(os.name == "nt", reason="Windows has shorter paths")
def test_no_depth_of_folders_is_too_much(folder: Path) -> None:
    path = folder
    for _ in range(1200):
        path /= "a"
        path.mkdir()
    (path / "deep.md").write_text("deep", encoding="utf-8")
    assert [file.path for file in scan(folder).files] == ["a/" * 1200 + "deep.md"]
    (path / "deep.md").unlink()
    while path != folder:  # pytest would clean up recursively
        path.rmdir()
        path = path.parent


def test_before_the_first_update_there_is_nothing_to_search(folder: Path) -> None:
    assert texts(FolderIndex(folder, None)) == {}


def test_two_folders_of_one_name_have_two_directories(tmp_path: Path) -> None:
    assert choose_cache_directory(tmp_path / "a" / "docs", tmp_path) != choose_cache_directory(
        tmp_path / "b" / "docs", tmp_path
    )
    assert choose_cache_directory(tmp_path / "a" / "my docs!", tmp_path).name.startswith("my-docs-")


PROCESS = """
import json, sys
from pathlib import Path
from bot.retrieval.index import FolderIndex
index = FolderIndex(Path(sys.argv[1]), Path(sys.argv[2]))
report = index.update()
print(json.dumps([report.documents, report.passages]))
"""


def test_processes_that_index_the_same_folder_at_once_agree(folder: Path, tmp_path: Path) -> None:
    for number in range(60):
        (folder / f"{number}.md").write_text(f"# Part\nThis is document {number}.\n" * 20, encoding="utf-8")
    command = [sys.executable, "-c", PROCESS, str(folder), str(tmp_path / "cache")]
    root = Path(__file__).parents[3]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, cwd=root) for _ in range(3)]
    reports = [json.loads(process.communicate(timeout=60)[0]) for process in running]
    assert reports == [[60, 60 * 20]] * 3
    index = FolderIndex(folder, tmp_path / "cache")
    index.update()
    assert sum(map(len, texts(index).values())) == 60 * 20


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["a.md", "b.txt", "sub/c.md"]),
        st.none() | st.text("ab# \n.", max_size=40),
    ),
    max_size=6,
)


@examples(10)
@given(STEPS, STEPS)
def test_step_by_step_or_fresh_the_index_is_the_same(
    before: list[tuple[str, str | None]], after: list[tuple[str, str | None]]
) -> None:
    # A thread of the engine may still write there when the test is over.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        folder = Path(directory, "folder")
        (folder / "sub").mkdir(parents=True)
        stepwise = FolderIndex(folder, Path(directory, "cache"))
        clock = 1_000_000_000
        for steps in (before, after):
            for name, text in steps:
                clock += 1_000_000_000
                if text is None:
                    (folder / name).unlink(missing_ok=True)
                else:
                    (folder / name).write_text(text, encoding="utf-8", newline="\n")
                    os.utime(folder / name, ns=(clock, clock))
            stepwise.update()
        fresh = FolderIndex(folder, None)
        fresh.update()
        assert texts(stepwise) == texts(fresh)
        assert stepwise.report == fresh.report


def test_an_entry_that_can_not_be_made_takes_back_the_whole_commit(tmp_path: Path) -> None:
    engine = SearchEngine(tmp_path)

    def entries() -> Any:
        yield Entry("x", "a", {"n": 1}, ["a"])
        raise ValueError("no")

    with pytest.raises(EngineError):
        engine.apply(entries())
    assert len(engine) == 0
    engine.apply([Entry("x", "b", {"n": 2}, ["b"])])
    assert [record["n"] for record in engine.iter_records("x")] == [2]


def test_one_writer_makes_several_commits_and_takes_back_the_one_that_fails(tmp_path: Path) -> None:
    engine = SearchEngine(tmp_path)

    def entries() -> Any:
        yield Entry("x", "b", {"n": 2}, ["b"])
        raise ValueError("no")

    with engine.keep_writer():
        engine.apply([Entry("x", "a", {"n": 1}, ["a"])])
        snapshot = engine.take_snapshot()
        with pytest.raises(EngineError):
            engine.apply(entries())
        engine.apply([Entry("x", "c", {"n": 3}, ["c"])])
    assert sorted(record["n"] for record in engine.iter_records("x")) == [1, 3]
    assert [record["n"] for record in snapshot.iter_records("x")] == [1]
    snapshot.apply([Removal("x", "a")])  # no writer has the lock any more
    assert [record["n"] for record in SearchEngine(tmp_path).iter_records("x")] == [3]


def test_removed_passages_do_not_count(folder: Path, indexed: Index) -> None:
    """No answer tells what a document said before it was removed, or changed."""
    (folder / "kept.md").write_text("Another one.", encoding="utf-8")
    (folder / "gone.md").write_text("The harbour has a xylopark.", encoding="utf-8")
    (folder / "changed.md").write_text("The harbour has a xylogate.", encoding="utf-8")
    indexed()
    (folder / "gone.md").unlink()
    (folder / "changed.md").write_text("The harbour is here.", encoding="utf-8")
    words = indexed().whole.words
    assert [words.frequency(one) for one in ("harbour", "xylopark", "xylogate")] == [1, 0, 0]
    assert (words.find_stems("harb", 5), words.find_stems("xylo", 5)) == (["harbour"], [])


def test_equal_scores_rank_alike_in_whatever_order_files_were_indexed(folder: Path, indexed: Index) -> None:
    """Else the order would tell people who may see all of this whether there is more."""
    for name in ("b.md", "a.md", "c.md"):
        (folder / name).write_text("The harbour is here.", encoding="utf-8")
        index = indexed()
    parts = index.whole, index.restrict(index.whole, frozenset({"a.md", "b.md"}))
    found = [[one.indexed.passage.path for one in part.find("", ["harbour"], 9)] for part in parts]
    assert found == [["a.md", "b.md", "c.md"], ["a.md", "b.md"]]


def test_what_is_equally_alike_ranks_alike_in_whatever_order_a_store_has_found_it(
    folder: Path, indexed: Index
) -> None:
    for name in ("b.md", "a.md", "c.md"):
        (folder / name).write_text(f"The harbour is here, says {name}.", encoding="utf-8")
    passages = [read_record(one).passage for one in indexed().whole.words.iter_records(PASSAGE)]
    for order in permutations([(passage, 0.5) for passage in passages]):
        found = FoundPassages(order, 3, ("english",)).find("", [], 9)
        assert [one.indexed.passage.path for one in found] == ["a.md", "b.md", "c.md"]


def test_a_part_of_the_earlier_index_is_not_cached_for_the_present_one(
    folder: Path, indexed: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.md").write_text("first", encoding="utf-8")
    (folder / "b.md").write_text("other", encoding="utf-8")
    index, seen = indexed(), frozenset({"a.md"})

    def search_meanwhile(*arguments: Any) -> IndexPart:
        index.restrict(index.whole, seen)
        return make_part(*arguments)

    monkeypatch.setattr("bot.retrieval.index.folder_index.make_part", search_meanwhile)
    (folder / "a.md").write_text("changed now", encoding="utf-8")
    index.update()
    assert index.restrict(index.whole, seen).listing.known["a.md"] == index.whole.listing.known["a.md"]


def test_what_is_searched_is_what_a_policy_was_asked_about(folder: Path, indexed: Index) -> None:
    """A policy may be slow, and a label may rise meanwhile."""
    (folder / "gate.docx").write_bytes(word("The gate opens at six."))
    index = indexed()

    def may_see(document: Reference) -> bool:
        higher = custom(label(ONE, Enabled="true", Name="Secret"))
        (folder / "gate.docx").write_bytes(word("The gate opens at nine.", docProps_custom=higher))
        index.update()
        return document.label is None

    part, scope = Documents("", FolderLabels(None)).select(index, may_see)
    assert [one.labels for one in scope.listing.known.values()] == [[]]
    assert [record["text"] for record in part.words.iter_records(PASSAGE)] == ["The gate opens at six."]
