"""CPU time of reading documents: 6 KB of text as Word and PDF, and the files of a folder by their formats.

    python -m benchmarks.reading [FOLDER]

The document is made here, always the same, with the usual styles of python-docx and ReportLab. PDF is
compared with the bare text of its pages, as pypdfium2 gives it. Each row is the best of ``ROUNDS``, in turns.
"""

from __future__ import annotations

import io
import random
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import docx
import pypdfium2
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate

from bot.retrieval.document import UnreadableError
from bot.retrieval.files import READERS, read

ROUNDS: Final = 9
WORDS: Final = (
    "the office policy travel of employees and laptops is holiday days request manager before after "
    "costs euros for each year with approval team desk remote work train flight hotel receipt limit report"
).split()


def main() -> None:
    """Print the table, and a row for each format of a folder."""
    word, pdf = write_documents()
    reads: dict[str, Callable[[], object]] = {
        "Word": lambda: read(word, "a.docx"),
        "PDF": lambda: read(pdf, "a.pdf"),
        "its bare text": lambda: read_bare(pdf),
    }
    best = dict.fromkeys(reads, float("inf"))
    for _ in range(ROUNDS):
        for name, function in reads.items():
            best[name] = min(best[name], measure(function))
    print("| 6 KB of text | CPU | documents a second | bare text |")
    print("|--|--:|--:|--:|")
    for name, spent in best.items():
        ratio = f"{spent / best['its bare text']:.1f}" if name != "Word" else ""
        print(f"| {name} | {spent * 1000:.1f} ms | {1 / spent:.0f} | {ratio} |")
    for folder in sys.argv[1:]:
        print_folder(Path(folder))


def print_folder(folder: Path) -> None:
    """Print the seconds that the files of each format take."""
    files = defaultdict[str, list[tuple[str, bytes]]](list)
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in READERS and path.is_file():
            files[path.suffix.lower()].append((path.name, path.read_bytes()))
    for suffix, found in sorted(files.items()):
        spent = min(measure(partial(read_all, found)) for _ in range(3))
        print(f"| {len(found)} files of {suffix} | {spent:.2f} s |")


def read_all(files: list[tuple[str, bytes]]) -> None:
    """Read files; one that can't be read is refused."""
    for name, data in files:
        with suppress(UnreadableError):
            read(data, name)


def measure(function: Callable[[], object]) -> float:
    """Seconds of CPU that a call takes."""
    start = time.process_time()
    function()
    return time.process_time() - start


def read_bare(data: bytes) -> int:
    """Read the text of a PDF's pages as the library gives it, and nothing else."""
    source = pypdfium2.PdfDocument(data)
    length = sum(len(page.get_textpage().get_text_range()) for page in source)
    source.close()
    return length


def write_documents() -> tuple[bytes, bytes]:
    """The same chapters as a Word document and as a PDF."""
    chance, styles = random.Random(5), getSampleStyleSheet()
    document, story = docx.Document(), []
    for chapter in range(9):
        document.add_heading(f"Chapter {chapter}", 1)
        story.append(Paragraph(f"Chapter {chapter}", styles["Heading1"]))
        for _ in range(2):
            sentences = (" ".join(chance.choices(WORDS, k=14)).capitalize() for _ in range(4))
            words = ". ".join(sentences) + "."
            document.add_paragraph(words)
            story.append(Paragraph(words, styles["Normal"]))
    word, pdf = io.BytesIO(), io.BytesIO()
    document.save(word)
    SimpleDocTemplate(pdf).build(story)
    return word.getvalue(), pdf.getvalue()


if __name__ == "__main__":
    main()
