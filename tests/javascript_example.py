"""The example in JavaScript, and the engines of Node that read what vectors say."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from .clients.engines import installed
from .programs import find_program

_ROOT: Final = Path(__file__).parents[1]
EXAMPLE: Final = _ROOT / "examples/javascript/citations.mjs"
_NORMAL_HTML: Final = _ROOT / "vectors/normal_html.mjs"


def in_node(lines: Iterable[dict[str, Any]]) -> list[Any]:
    """What ``vectors.mjs`` answers to each line."""
    script = _ROOT / "tests/vectors.mjs"
    done = subprocess.run(
        [find_program("node"), *map(str, (script, installed(), EXAMPLE, _NORMAL_HTML))],
        input="".join(json.dumps(line) + "\n" for line in lines).encode(),
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.split(b"\n") if line]
