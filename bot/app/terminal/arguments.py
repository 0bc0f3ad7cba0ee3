"""The arguments of ``python app.py``. Its help loads nothing of the bot, so that it is there at once."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Final

from citations.cli.suggesting_parser import SuggestingParser

SOURCES: Final = (
    "folder",
    "writer",
    "llamaindex",
    "open-webui",
    "perplexity",
    "microsoft365",
    "azure-search",
    "openai",
)
"""The values of ``ANSWER_SOURCE``, as ``bot.config.answer_sources`` has them with their settings."""
MANIFESTS: Final = ("1.29", "1.24")
"""The versions of the manifest's schema. 1.29 is the first that lets people ask so that they alone read the
answer, and has prompts; 1.24 is the first whose commands take a whole question."""
LANGUAGES: Final = ("en", "de", "fr", "es")
"""The languages of the app package."""
PACKAGE: Final = "teams-package"
DOCTOR: Final = "doctor"
TEAMS_OPTIONS: Final = {
    "--name": ("TEAMS_APP_NAME", "the app's name, at most 30 characters"),
    "--full-name": ("TEAMS_APP_FULL_NAME", "a longer name, at most 100"),
    "--summary": ("TEAMS_APP_SUMMARY", "what it does, at most 80"),
    "--description": ("TEAMS_APP_DESCRIPTION", "the same at length, at most 4000"),
    "--developer": ("TEAMS_APP_DEVELOPER", "who offers it, at most 32"),
    "--website": ("TEAMS_APP_WEBSITE", "an https URL of yours"),
    "--privacy": ("TEAMS_APP_PRIVACY", "the https URL of a privacy statement"),
    "--terms": ("TEAMS_APP_TERMS", "the https URL of the terms of use"),
    "--color": ("TEAMS_APP_COLOR", "the colour behind the icon, such as #2F5BEA"),
    "--app-version": ("TEAMS_APP_VERSION", "the package's version, higher for each update"),
    "--bot-id": ("MICROSOFTAPPID", "the id of the bot's registration"),
}
"""The options of ``teams-package``: the variable that each stands for, and what it is."""
SERVING_OPTIONS: Final = {
    "--docs": ("DOCS_DIR", "docs"),
    "--port": ("PORT", "port"),
    "--source": ("ANSWER_SOURCE", "source"),
    "--model": ("LOCAL_MODEL", "model"),
}
"""The other options that stand for a variable: its name, and that of the argument."""


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read ``arguments``. Exits with 0 after the help, and with 2 where they are wrong."""
    parser = build_parser()
    options = parser.parse_args(arguments)
    if options.command == "ask" and not options.question.strip():
        parser.error("the question is empty")
    return options


def build_parser() -> SuggestingParser:
    """The parser of the command line."""
    parser = SuggestingParser(
        prog="app.py",
        description="Ask your own documents in a browser and get answers whose every claim can be checked.",
        epilog="Without --docs it asks a few sample documents. Settings: see docs/settings.md.",
    )
    parser.add_argument("--docs", metavar="DIR", help="the folder to ask (DOCS_DIR)")
    parser.add_argument("--port", metavar="N", help="the port to listen on, 0 for any free one (PORT, 3978)")
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.set_defaults(source="", model="", command="")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    about = "print the answer to one question, with numbered sources; exit code 1 if nothing was found"
    one = commands.add_parser("ask", help=about, description=f"{about[0].upper()}{about[1:]}.")
    one.add_argument("question", metavar="QUESTION")
    one.add_argument(
        "--source", metavar="NAME", choices=SOURCES, help=f"{', '.join(SOURCES)} (ANSWER_SOURCE)"
    )
    about = "auto: the first model that runs on this machine words the answer (LOCAL_MODEL)"
    one.add_argument("--model", choices=("auto", "off"), help=about)
    one.add_argument("--json", action="store_true", help="print what python -m citations render reads")
    about = "print which files of the folder are read, and which are not, and why"
    listing = commands.add_parser("index", help=about, description=f"{about[0].upper()}{about[1:]}.")
    about = "write the app package that brings the bot to Teams"
    package = commands.add_parser(PACKAGE, help=about, description=f"{about[0].upper()}{about[1:]}.")
    for option, (variable, meaning) in TEAMS_OPTIONS.items():
        package.add_argument(option, dest=variable, metavar="TEXT", help=f"{meaning} ({variable})")
    package.add_argument("--icon", metavar="PNG", help="an icon of 192 × 192 pixels, in colour")
    package.add_argument("--outline", metavar="PNG", help="an icon of 32 × 32 pixels, white on transparent")
    package.add_argument(
        "--language", choices=LANGUAGES, default="en", help="the language of the manifest (en)"
    )
    package.add_argument("--copilot", action="store_true", help="offer the bot in Microsoft 365 Copilot, too")
    about = f"the version of the manifest's schema ({MANIFESTS[0]})"
    package.add_argument("--manifest", choices=MANIFESTS, default=MANIFESTS[0], help=about)
    package.add_argument("--out", metavar="FILE", default="teams-app.zip", help="the package (teams-app.zip)")
    about = "check a deployment, and say what mends it; exit code 1 if something does not work"
    check = commands.add_parser(DOCTOR, help=about, description=f"{about[0].upper()}{about[1:]}.")
    check.add_argument(
        "--url", metavar="URL", default="", help="the bot's public address, https://bot.example.com"
    )
    for command in (one, listing, package, check):
        command.add_argument("--docs", metavar="DIR", default=argparse.SUPPRESS, help="the folder (DOCS_DIR)")
    return parser
