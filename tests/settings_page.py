"""Write docs/settings.md and deploy/bot.env from the settings themselves: ``python -m tests.settings_page``."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bot.app.settings import GeneralSettings
from bot.config.answer_sources import SOURCES
from bot.config.credentials import Credentials
from bot.config.env import Variables
from bot.config.language_model import MODELS, EmbeddingOptions, LocalModelOptions
from bot.config.sign_in import SignInOptions
from bot.config.teams_app import TeamsApp
from bot.config.telemetry import TelemetryOptions
from bot.config.web_chat import WebChatOptions
from bot.conversation.doubt_options import DoubtOptions

PAGE: Final = Path(__file__).parents[1] / "docs" / "settings.md"
ENV_FILE: Final = PAGE.parents[1] / "deploy" / "bot.env"
_START, _END = "<!-- python -m tests.settings_page writes what follows -->", "<!-- up to here -->"
_CHOSEN: Final[dict[type[Variables], str]] = {
    options: f"`ANSWER_SOURCE={name}`" for name, options in SOURCES.items() if options
}
SUBJECTS: Final[dict[str, tuple[type[Variables], ...]]] = {
    "The bot": (GeneralSettings, DoubtOptions),
    "Its registration with Azure Bot Service": (Credentials,),
    "Its app package for Teams": (TeamsApp,),
    "Web Chat on pages of yours": (WebChatOptions,),
    "People's sign-in": (SignInOptions,),
    "A model that writes the answers": (*MODELS, LocalModelOptions),
    "Search by meaning": (EmbeddingOptions,),
    "Metrics and traces": (TelemetryOptions,),
    **{title: (kind,) for kind, title in _CHOSEN.items()},
}


def tables() -> str:
    """A section for each subject, with a row for each variable where it comes first."""
    seen: set[str] = set()
    return "\n\n".join(
        f"## {title}\n\n| variable | default | meaning |\n|----------|---------|---------|\n"
        + "\n".join(row for kind in kinds for row in _rows(kind, seen))
        for title, kinds in SUBJECTS.items()
    )


def _rows(kind: type[Variables], seen: set[str]) -> Iterator[str]:
    for variable, default, meaning in _variables(kind, seen):
        yield f"| `{variable}` | {default} | {meaning} |"


def _variables(kind: type[Variables], seen: set[str]) -> Iterator[tuple[str, str, str]]:
    """Each variable that was not seen, its default and its meaning."""
    said = _meanings(kind)
    for name in kind.model_fields:
        variable = kind.variable_of(name)
        if variable in seen or name not in said:
            continue
        seen.add(variable)
        yield variable, _show(kind, name), said[name]


def env_file() -> str:
    """Every variable with its meaning, each behind a sign that leaves it out."""
    seen: set[str] = set()
    lines = [_ENV_HEAD]
    for title, kinds in SUBJECTS.items():
        lines.append(f"\n# {title.replace('`', '')}\n")
        for variable, default, meaning in (one for kind in kinds for one in _variables(kind, seen)):
            plain = re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", meaning).replace("`", "")
            lines += textwrap.wrap(plain, 110, initial_indent="# ", subsequent_indent="# ")
            lines.append(f"#{variable}={'' if default == 'needed' else default.strip('`')}")
    return "\n".join([*lines, _ENV_END])


def _show(kind: type[Variables], name: str) -> str:
    """A default as it is written in the environment; nothing where the variable has none."""
    field = kind.model_fields[name]
    if field.is_required():
        return "needed" if kind in _CHOSEN else ""
    if isinstance(field.default, bool):
        return "`true`" if field.default else ""
    return f"`{field.default}`" if isinstance(field.default, int | str) and field.default != "" else ""


def _meanings(kind: type[Variables]) -> dict[str, str]:
    """The docstring below each field."""
    (definition,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(definition, ast.ClassDef)
    return {
        field.target.id: " ".join(below.value.value.split())
        for field, below in zip(definition.body, definition.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(below, ast.Expr)
        and isinstance(below.value, ast.Constant)
        and isinstance(below.value.value, str)
    }


def page() -> str:
    """The page, with its tables written anew."""
    text = PAGE.read_text(encoding="utf-8")
    before, after = text.partition(_START)[0], text.partition(_END)[2]
    return f"{before}{_START}\n\n{tables()}\n\n{_END}{after}"


_ENV_HEAD = """\
# All variables of the bot, for docker run --env-file and deploy/compose.yaml: copy this file to deploy/.env, take
# away the # where you set one, and let nobody else read it. docs/settings.md has the same as a table.
# python -m tests.settings_page writes this file."""


_ENV_END = """
# What other programs read, too

# A proxy between the bot and the internet.
#HTTPS_PROXY=
# Certificate authorities in place of the system's, as a file.
#SSL_CERT_FILE=
# Where the page's Web Chat is downloaded from.
#npm_config_registry=
"""


if __name__ == "__main__":
    ENV_FILE.write_text(env_file(), encoding="utf-8", newline="\n")
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
