"""``python -m tests.fuzz TARGET``: look for inputs that break a promise, with Atheris.

Atheris isn't among the tests' requirements, because it has wheels for Linux alone: ``pip install
atheris==3.0.0``. A run ends after ``--minutes``, or with the traceback of the first promise that is
broken; its input is then the file ``crash-…`` in the folder. A next run with the same ``--folder`` goes
on from what this one found. With ``--keep`` nothing is looked for: what broke a promise, and those of the
folder's inputs that reach more than the tests do, are added to ``tests/corpus/fuzz``.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from . import kept

TARGETS = ("reading", "rendering", "checking")


def main() -> None:
    """Fuzz a target, or keep what earlier runs found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--folder", type=Path, help="where inputs are collected; a new one if not given")
    parser.add_argument("--keep", action="store_true", help="keep what of --folder reaches something")
    arguments = parser.parse_args()
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="fuzz-"))
    print(f"inputs are in {folder}")
    if arguments.keep:
        keep(arguments.target, folder)
    else:
        fuzz(arguments.target, folder, f"-max_total_time={arguments.minutes * 60:.0f}")


def fuzz(name: str, folder: Path, *options: str) -> None:
    """Run libFuzzer, which ends the process."""
    import atheris

    # What is to be watched can't have been imported before.
    with atheris.instrument_imports(include=["citations"]):
        target: Any = importlib.import_module(f".{name}", __package__)
    inputs, words = folder / "inputs", folder / "words"
    inputs.mkdir(parents=True, exist_ok=True)
    write(inputs, (*kept.load(name), *target.seeds()))
    words.write_text(dictionary(target.WORDS), encoding="ascii")
    places = (f"-dict={words}", f"-artifact_prefix={folder}/", f"-max_len={target.LONGEST}", "-timeout=120")
    atheris.Setup([sys.argv[0], *places, *options, str(inputs)], target.promise)
    atheris.Fuzz()


def keep(name: str, folder: Path) -> None:
    """Keep what is kept, what broke a promise, and of the inputs what together reaches more."""
    from .reach import reaching

    target: Any = importlib.import_module(f".{name}", __package__)
    before = kept.load(name)
    found = [path.read_bytes() for path in (folder / "inputs").iterdir()]
    broke = [path.read_bytes() for path in folder.glob("crash-*")]
    reached = reaching(target.walk, found, (*target.seeds(), *before))
    kept.save(name, (*before, *broke, *reached))


def write(folder: Path, inputs: Iterable[bytes]) -> None:
    """A file for each of ``inputs``."""
    for data in inputs:
        (folder / kept.name_of(data)).write_bytes(data)


def dictionary(words: Iterable[str]) -> str:
    """What a mutation may insert, as libFuzzer reads it."""
    encoded = (word.encode("utf-8", "surrogatepass") for word in words)
    return "".join('"' + "".join(f"\\x{byte:02x}" for byte in word) + '"\n' for word in encoded)


if __name__ == "__main__":
    main()
