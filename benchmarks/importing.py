"""CPU time until the library is there, here and in other checkouts.

``python -m benchmarks.importing ../base`` prints a column for each checkout.

Each row is the median of runs in processes of their own, in turns, with bytecode, less that of a process that
imports nothing. The second row is what a program pays that renders one answer and ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Final

HERE: Final = Path(__file__).parents[1]
RUNS: Final = 20
_APPLICATION: Final = """
import gc, sys
gc.disable()
sys.modules["rich"] = None  # a tool of the tests brings it, and structlog would load it
import bot.app.command, bot.app.application, bot.app.answer_source"""
CODES: Final = {
    "import citations": "import citations",
    "from citations import …, and one rendering": """
from citations import Answer, Reference, channel, cite, render
found = Reference(id="1", name="Proxy settings", url="https://example.com/proxy")
render(cite(Answer(text="Set a proxy [1].", references=(found,))), channel("webchat"))
""",
    "python app.py --help": """
import contextlib, io, app
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
    app.main(["--help"])
""",
    "import botbuilder.core, aiohttp.web": "import botbuilder.core, aiohttp.web",
    "the import of the application": _APPLICATION,
    "the same, with a folder of documents": f"{_APPLICATION}, bot.sources.folder, bot.document_view.page",
}


def cpu_time(code: str, root: Path) -> float:
    """Milliseconds of CPU that a new process takes for ``code``."""
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    clock = "import time, sys; exec(sys.argv[1]); print(time.process_time())"
    done = subprocess.run(
        [sys.executable, "-c", clock, code], cwd=root, env=environ, stdout=subprocess.PIPE, check=True
    )
    return float(done.stdout) * 1000


def main() -> None:
    """Print the CPU time of each import here, and in the checkouts that are named."""
    roots = [HERE, *map(Path, sys.argv[1:])]
    cases = {"nothing": "pass", **CODES}
    taken: dict[tuple[str, Path], list[float]] = {(name, root): [] for name in cases for root in roots}
    for _ in range(RUNS + 1):
        for (name, root), times in taken.items():
            times.append(cpu_time(cases[name], root))
    for name in CODES:
        # The first run of each writes the bytecode.
        shown = [median(taken[name, root][1:]) - median(taken["nothing", root][1:]) for root in roots]
        print(f"{name:45}", *(f"{milliseconds:7.0f} ms" for milliseconds in shown))


if __name__ == "__main__":
    main()
