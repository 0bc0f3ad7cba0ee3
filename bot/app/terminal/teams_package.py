"""``python app.py teams-package``: the zip that brings the bot to Teams, and to Microsoft 365 Copilot.

The manifest's schema is ``MicrosoftTeams.schema.json`` of one of :data:`MANIFESTS`. A newer Teams takes an
older manifest.
"""

from __future__ import annotations

import json
import struct
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from uuid import NAMESPACE_URL, uuid5

from citations.text import printable

from ...config.env import SettingsError
from ...config.teams_app import TeamsApp
from ...languages import Sentence, say_in
from ..answer_source import create_source
from ..settings import Settings
from .arguments import LANGUAGES, MANIFESTS
from .wait import wait_until_read

_SCHEMAS: Final = "https://developer.microsoft.com/json-schemas/teams"
_SCOPES: Final = ("personal", "team", "groupChat")
_ICONS: Final = Path(__file__).parent / "teams"
COLOR: Final = ("color.png", 192)
OUTLINE: Final = ("outline.png", 32)
"""The names of the icons in the package, and their width and height in pixels."""
_GROUPS: Final = ("team", "groupChat")
_MOST_COMMANDS: Final = {"1.29": 12, "1.24": 10}
_LONGEST_TITLE: Final = 128
_LONGEST_PROMPT: Final = 4000
_PNG: Final = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class PackageOptions:
    """How a package is written.

    ``icons`` are files that go in the place of ours, by their names in the package. ``language`` is that of
    the manifest; the others are translations. With ``copilot``, Microsoft 365 Copilot offers the bot, too.
    ``manifest`` is one of :data:`MANIFESTS`.
    """

    out: Path
    icons: Mapping[str, Path] = field(default_factory=dict)
    language: str = "en"
    copilot: bool = False
    manifest: str = MANIFESTS[0]


async def write_package(settings: Settings, app: TeamsApp, options: PackageOptions) -> int:
    """Write the package, say what is in it, and return the exit code 0.

    Raises :class:`SettingsError` for a file that can't be written, or a manifest that is too old for the
    settings.
    """
    if settings.answers_privately and options.manifest != MANIFESTS[0]:
        name = "PRIVATE_IN_GROUPS=true" if settings.private_in_groups else "SIGN_IN_GROUPS=private"
        raise SettingsError(
            (f"{name} needs manifest {MANIFESTS[0]}: leave out --manifest {options.manifest}",)
        )
    files = {name: (options.icons.get(name) or _ICONS / name) for name, _ in (COLOR, OUTLINE)}
    questions = await _suggested_questions(settings, options.manifest)
    token_host = urlsplit(settings.cloud.sign_in_service).netloc
    texts = write_texts(
        app,
        questions,
        language=options.language,
        copilot=options.copilot,
        token_host=token_host if settings.sign_in else "",
        version=options.manifest,
        private=settings.answers_privately,
    )
    try:
        with zipfile.ZipFile(options.out, "w", zipfile.ZIP_DEFLATED) as package:
            for name, text in texts.items():
                package.writestr(name, json.dumps(text, ensure_ascii=False, indent=2) + "\n")
            for name, path in files.items():
                package.write(path, name)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SettingsError((f"{options.out} can't be written: {reason} (--out)",)) from error
    print(printable(f"{options.out}: {app.name} {app.version}, commands: {len(questions)}"))
    print("Teams > Apps > Manage your apps > Upload an app takes it: docs/teams-app.md has the rest.")
    return 0


def write_texts(  # noqa: PLR0913 - all but the first two are given by name
    app: TeamsApp,
    questions: Sequence[str],
    *,
    language: str = "en",
    copilot: bool = False,
    token_host: str = "",
    version: str = MANIFESTS[0],
    private: bool = False,
) -> dict[str, dict[str, object]]:
    """The manifest of schema ``version`` and a file for each other language, by their names in the package.

    Where people sign in, ``token_host`` is the host of Bot Service's token service (Teams, "Update app
    manifest for SSO"). Where each alone sees their answers in groups (``private``), Teams offers them to ask
    so, too ("Targeted messages").
    """
    others = [one for one in LANGUAGES if one != language]
    commands = [*_command_lists(questions, copilot=copilot, prompts=version != "1.24")]
    if private:
        commands.append(_ask_privately(language))
    manifest: dict[str, object] = {
        **_write_head(app, language, version),
        "defaultInstallScope": "personal",
        "bots": [
            {
                "botId": app.bot_id,
                "scopes": [*_SCOPES, *(("copilot",) if copilot else ())],
                "supportsFiles": False,
                "isNotificationOnly": False,
                **({"supportsTargetedMessages": True} if private else {}),
                "commandLists": commands,
            }
        ],
        "localizationInfo": {
            "defaultLanguageTag": language,
            "additionalLanguages": [{"languageTag": one, "file": f"{one}.json"} for one in others],
        },
    }
    if token_host:
        manifest["validDomains"] = [token_host]
        manifest["webApplicationInfo"] = {"id": app.bot_id, "resource": f"api://botid-{app.bot_id}"}
    if copilot:
        manifest["copilotAgents"] = {"customEngineAgents": [_describe_agent(app, language)]}
    return {"manifest.json": manifest, **{f"{one}.json": _translate(app, one, version) for one in others}}


def _write_head(app: TeamsApp, language: str, version: str) -> dict[str, object]:
    """What a manifest says of the app itself."""
    return {
        "$schema": f"{_SCHEMAS}/v{version}/MicrosoftTeams.schema.json",
        "manifestVersion": version,
        "version": app.version,
        # The app's own id. The same bot always has the same, so that a new package is an update.
        "id": str(uuid5(NAMESPACE_URL, f"botframework-citations:{app.bot_id.lower()}")),
        "developer": {
            "name": app.developer,
            "websiteUrl": app.website,
            "privacyUrl": app.privacy,
            "termsOfUseUrl": app.terms,
        },
        "name": {"short": app.name, "full": app.full_name or app.name},
        "description": _describe(app, language),
        "icons": {"color": COLOR[0], "outline": OUTLINE[0]},
        "accentColor": app.color,
    }


def _describe_agent(app: TeamsApp, language: str) -> dict[str, object]:
    return {
        "id": app.bot_id,
        "type": "bot",
        "disclaimer": {"text": say_in(language, Sentence.APP_DISCLAIMER)},
    }


def find_fault(icon: Path, size: int) -> str:
    """Why Teams refuses a file as an icon of so many pixels; empty if it takes it."""
    try:
        head = icon.read_bytes()[:24]
    except OSError as error:
        return f"{icon} can't be read: {error.strerror or type(error).__name__}"
    if head[:8] != _PNG or len(head) < 24:
        return f"{icon} is not a PNG image"
    width, height = struct.unpack(">II", head[16:24])
    return (
        ""
        if width == height == size
        else f"{icon} has {width} × {height} pixels: Teams needs {size} × {size}"
    )


def _command_lists(questions: Sequence[str], *, copilot: bool, prompts: bool) -> Iterator[dict[str, object]]:
    """The questions as commands, which Teams and Copilot offer before the first message.

    Choosing one inserts its title or, of a prompt, the whole question.
    """
    commands = [
        {"title": one[:_LONGEST_TITLE], "description": one}
        | ({"type": "prompt", "prompt": one} if prompts else {})
        for one in questions
    ]
    if commands:
        yield {"scopes": list(_SCOPES), "commands": commands}
        if copilot:
            yield {"scopes": ["copilot"], "commands": commands}


def _describe(app: TeamsApp, language: str) -> dict[str, str]:
    short = app.summary or say_in(language, Sentence.APP_SUMMARY)
    return {"short": short, "full": app.description or say_in(language, Sentence.APP_DESCRIPTION)}


def _ask_privately(language: str) -> dict[str, object]:
    """The command of a group for a question whose answer its person alone sees. It inserts its title."""
    title = say_in(language, Sentence.APP_ASK_PRIVATELY)
    command = {"title": title, "description": say_in(language, Sentence.APP_ONLY_YOU_SEE)}
    return {"scopes": list(_GROUPS), "triggers": ["mention", "slash"], "commands": [command]}


def _translate(app: TeamsApp, language: str, version: str) -> dict[str, object]:
    described = _describe(app, language)
    return {
        "$schema": f"{_SCHEMAS}/v{version}/MicrosoftTeams.Localization.schema.json",
        "name.short": app.name,
        "name.full": app.full_name or app.name,
        "description.short": described["short"],
        "description.full": described["full"],
    }


async def _suggested_questions(settings: Settings, version: str) -> list[str]:
    """The questions that the bot suggests to everybody: those that a command can have."""
    if settings.policy:
        return []  # a package is for all, and a person may not see every document
    source = create_source(settings, "")
    await source.open()
    try:
        await wait_until_read(source)
        found = await source.suggestions()
    finally:
        await source.close()
    longest = _LONGEST_TITLE if version == "1.24" else _LONGEST_PROMPT
    return [one for one in found if len(one) <= longest][: _MOST_COMMANDS[version]]
