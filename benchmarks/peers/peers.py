"""The peers: how each is run, and what of it can be judged."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import platformdirs

from .answers import MarkerForm
from .bots.wire import Job, Results

ROOT: Final = Path(__file__).parents[2]
BOTS: Final = Path(__file__).with_name("bots")


@dataclass(frozen=True, slots=True)
class Peer:
    """A program on a channel.

    ``rules`` are those that it does something for; the others are left to its user. ``better`` says what it
    does better than this library. ``requirement`` is installed into an environment of the script's own.
    """

    name: str
    bot: str
    form: MarkerForm
    channel: str
    rules: str
    streams: bool = False
    requirement: str = ""
    better: str = ""

    @property
    def snippet(self) -> str:
        """The function that answers, as it ran."""
        source = (BOTS / f"{self.bot}.py").read_text("utf-8")
        functions = [
            one for one in ast.parse(source).body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        [found] = [one for one in functions if one.name == "answer"]
        return ast.get_source_segment(source, found) or ""

    def run(self, jobs: Sequence[Job]) -> tuple[dict[str, str], Results]:
        """The versions of its packages, and what left it."""
        done = subprocess.run(
            [self._python(), "-W", "ignore", "-m", f"benchmarks.peers.bots.{self.bot}"],
            cwd=ROOT,
            input=json.dumps(jobs),
            stdout=subprocess.PIPE,
            encoding="utf-8",
            check=True,
        )
        answered = json.loads(done.stdout)
        return answered["versions"], answered["results"]

    def _python(self) -> str:
        """The interpreter: this one, or that of an environment which is made once."""
        if not self.requirement:
            return sys.executable
        folder = (
            platformdirs.user_cache_path("botframework-citations-peers", appauthor=False) / self.requirement
        )
        python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
        if not (folder / "installed").exists():
            venv.create(folder, clear=True)
            pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
            subprocess.run([*pip, self.requirement], check=True)
            (folder / "installed").touch()
        return str(python)


_SDK: Final = "1234567 9"
_TEXT: Final = "  345   9"
PEERS: Final = (
    Peer("this library, Web Chat", "ours", MarkerForm.NUMBER, "webchat", rules="123456789", streams=True),
    Peer("this library, Teams", "ours", MarkerForm.NUMBER, "msteams", rules="123456789", streams=True),
    Peer("Agents SDK, Web Chat", "agents", MarkerForm.DOC, "webchat", rules=_SDK, streams=True),
    Peer(
        "Agents SDK, Teams",
        "agents",
        MarkerForm.DOC,
        "msteams",
        rules=_SDK,
        streams=True,
        better="""\
Better: it hosts the bot, with tokens, state, a queue for the channel's pace and the limit of time of a
stream on Microsoft 365 Copilot. This library has none of that, and [its middleware](integrations.md) runs
inside the SDK. An abstract may have 480 characters, where ours has 160.""",
    ),
    Peer(
        "Teams SDK",
        "teams",
        MarkerForm.NUMBER,
        "msteams",
        rules=_SDK,
        streams=True,
        better="""\
Better: a name or abstract that is too long is an error at once, where this library shortens it. It hosts
the bot, and its models say what each field means and may hold.""",
    ),
    Peer(
        "teams-ai 1",
        "teams_ai",
        MarkerForm.DOC,
        "msteams",
        rules=_SDK,
        streams=True,
        requirement="teams-ai==1.8.2",
        better="""\
Better: it asks the model itself, with prompts, tools and moderation. Shown is how it streams; a finished
answer goes from a planner through the library's own action, which needs no code.""",
    ),
    Peer(
        "LangChain",
        "langchain",
        MarkerForm.NONE,
        "webchat",
        rules="  345 7 9",
        streams=True,
        better="""\
Better: it has one form for the citations of all models, with the words that rest on each source. No marker
has to be found in a text, so nothing is taken for one. This library [reads its messages](suppliers.md).""",
    ),
    Peer(
        "Writer's sample",
        "writer_sample",
        MarkerForm.NAMED,
        "webchat",
        rules=_TEXT,
        better="Better: four lines, which anyone can read and change.",
    ),
    Peer(
        "Open WebUI's page",
        "open_webui_page",
        MarkerForm.NUMBER,
        "open-webui",
        rules="1" + _TEXT[1:],
        better="""\
Better: a source keeps the number that the model was given, so that a person can compare both. Open WebUI's
page shows all passages of a source behind one number.""",
    ),
)
