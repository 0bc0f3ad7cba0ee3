"""``app.py teams-package``: what is in the zip, read by Microsoft's own schemas, and what is refused."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from bot.app.terminal.arguments import LANGUAGES
from bot.app.terminal.teams_package import COLOR, OUTLINE, find_fault, write_texts
from bot.config.teams_app import TeamsApp
from tests.bot.command import refused_here, run_here
from tests.npm_package import npm_package

BOT: Final = "11111111-2222-3333-4444-555555555555"
OPTIONS: Final = {
    "--bot-id": BOT,
    "--developer": "Contoso",
    "--website": "https://contoso.example",
    "--privacy": "https://contoso.example/privacy",
    "--terms": "https://contoso.example/terms",
}
ARGUMENTS: Final = [word for pair in OPTIONS.items() for word in pair]
VERSIONS: Final = {"1.24": ("1.24", "1.25", "1.27", "1.30"), "1.29": ("1.29", "1.30")}
"""Of the manifest's schema: which of them take what we write for one."""


def schema(version: str, name: str = "MicrosoftTeams") -> dict[str, Any]:
    package = npm_package(
        "@microsoft/app-manifest",
        "1.1.2",
        "sha512-uXdmYzhIcchi3Tc9Sh3pTDMe55zy7ge19bnYCGB1gzuyha85Ii7wfdTruwEhqseaX9pwsWDRB5Ot/ltv0rCONw==",
    )
    path = package / "build" / "json-schemas" / "teams" / f"v{version}" / f"{name}.schema.json"
    found: dict[str, Any] = json.loads(path.read_text("utf-8-sig"))
    return found


def find_faults(wanted: Mapping[str, Any], data: Mapping[str, Any]) -> list[str]:
    """What a schema has against some JSON."""
    from jsonschema import Draft7Validator

    return [error.message for error in Draft7Validator(wanted).iter_errors(data)]


def validate(manifest: Mapping[str, Any], version: str) -> None:
    """Microsoft's schema of this version takes the manifest."""
    own = manifest["manifestVersion"]
    declared = {"manifestVersion": version, "$schema": manifest["$schema"].replace(own, version)}
    # Of the schema itself nothing is asked: it has `\p{L}`, which Python's expressions lack.
    assert find_faults(schema(version), {**manifest, **declared}) == []


def written(*arguments: str, **environ: str) -> str:
    code, out, errors = run_here("teams-package", *arguments, **environ)
    assert code == 0, errors
    return out


@pytest.fixture
def app() -> TeamsApp:
    pages = {
        f"TEAMS_APP_{page}": f"https://contoso.example/{page}" for page in ("WEBSITE", "PRIVACY", "TERMS")
    }
    faults: list[str] = []
    found = TeamsApp.read({"MICROSOFTAPPID": BOT, "TEAMS_APP_DEVELOPER": "Contoso", **pages}, faults)
    assert faults == []
    return found


def test_the_package_of_a_folder(tmp_path: Path) -> None:
    docs, out = tmp_path / "docs", tmp_path / "app.zip"
    docs.mkdir()
    docs.joinpath("faq.md").write_text(
        "# Questions\n\n## How do I report a lost laptop?\n\nCall the service desk at once.\n", "utf-8"
    )
    said = written(*ARGUMENTS, "--docs", str(docs), "--out", str(out), "--copilot", "--manifest", "1.24")
    assert said.startswith(f"{out}: Bot Framework Citations 1.0.0, commands: 1")
    with zipfile.ZipFile(out) as package:
        assert sorted(package.namelist()) == sorted(
            ["manifest.json", "de.json", "fr.json", "es.json", COLOR[0], OUTLINE[0]]
        )
        manifest = json.loads(package.read("manifest.json"))
        for name, size in (COLOR, OUTLINE):
            tmp_path.joinpath(name).write_bytes(package.read(name))
            assert find_fault(tmp_path / name, size) == ""
        translated = [json.loads(package.read(f"{one}.json")) for one in ("de", "fr", "es")]
    (bot,) = manifest["bots"]
    questions = [{"title": "How do I report a lost laptop?", "description": "How do I report a lost laptop?"}]
    assert bot["commandLists"] == [
        {"scopes": ["personal", "team", "groupChat"], "commands": questions},
        {"scopes": ["copilot"], "commands": questions},
    ]
    for version in VERSIONS["1.24"]:
        validate(manifest, version)
    for one in translated:
        assert find_faults(schema("1.24", "MicrosoftTeams.Localization"), one) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("copilot", [False, True])
@pytest.mark.parametrize("version", VERSIONS)
def test_every_language_fits(app: TeamsApp, language: str, copilot: bool, version: str) -> None:
    texts: dict[str, Any] = write_texts(
        app,
        ["x" * (128 if version == "1.24" else 4000)] * (10 if version == "1.24" else 12),
        language=language,
        copilot=copilot,
        version=version,
        private=version == "1.29",
    )
    manifest = texts.pop("manifest.json")
    for one in VERSIONS[version]:
        validate(manifest, one)
    assert sorted(texts) == sorted(f"{one}.json" for one in LANGUAGES if one != language)


def test_where_people_sign_in_teams_may_exchange_their_tokens(app: TeamsApp) -> None:
    texts = write_texts(app, [], copilot=True, token_host="token.botframework.com")
    manifest: dict[str, Any] = dict(texts["manifest.json"])
    validate(manifest, "1.29")
    assert manifest["validDomains"] == ["token.botframework.com"]
    assert manifest["webApplicationInfo"] == {"id": BOT, "resource": f"api://botid-{BOT}"}


def test_the_package_of_microsoft_365(tmp_path: Path) -> None:
    out = tmp_path / "app.zip"
    europe = "europe.token.botframework.com"
    chosen = {"ANSWER_SOURCE": "microsoft365", "SIGN_IN_CONNECTION": "graph"}
    written(*ARGUMENTS, "--out", str(out), **chosen, SIGN_IN_SERVICE=f"https://{europe}")
    with zipfile.ZipFile(out) as package:
        assert json.loads(package.read("manifest.json"))["validDomains"] == [europe]


def test_a_wrong_manifest_is_wrong(app: TeamsApp) -> None:
    manifest: dict[str, Any] = dict(write_texts(app, [])["manifest.json"])
    (wrong,) = find_faults(schema("1.29"), {**manifest, "accentColor": "blue"})
    assert "blue" in wrong


def test_the_same_bot_has_the_same_app(app: TeamsApp) -> None:
    ids = {json.dumps(write_texts(app, [one])["manifest.json"]["id"]) for one in ("a", "b")}
    assert len(ids) == 1
    assert BOT not in ids.pop()


def test_all_that_is_missing_or_too_long_is_named_at_once() -> None:
    assert refused_here(
        "teams-package", "--name", "x" * 31, "--color", "red", "--website", "http://x", "--icon", "none.png"
    ) == [
        "MicrosoftAppId is missing: the id of the bot's registration",
        f"--name {'x' * 31} has 31 characters: Teams takes 30",
        "TEAMS_APP_DEVELOPER is missing: who offers the app, such as your company",
        "--website http://x is not an https URL such as https://www.example.com/privacy",
        "TEAMS_APP_PRIVACY is missing: Teams needs an https URL of yours there",
        "TEAMS_APP_TERMS is missing: Teams needs an https URL of yours there",
        "--color red is not a colour such as #2F5BEA",
        "none.png can't be read: No such file or directory",
    ]


def test_icons_have_their_sizes(tmp_path: Path) -> None:
    icon, outline = tmp_path / "icon.png", tmp_path / "outline.png"
    icon.write_bytes(b"GIF89a")
    faults = refused_here("teams-package", *ARGUMENTS, "--icon", str(icon), "--outline", str(outline))
    assert faults == [
        f"{icon} is not a PNG image",
        f"{outline} can't be read: No such file or directory",
    ]
    ours = Path("bot/app/terminal/teams/color.png")
    assert find_fault(ours, 32) == f"{ours} has 192 × 192 pixels: Teams needs 32 × 32"


def test_a_policy_leaves_no_question_in_it(tmp_path: Path) -> None:
    out = tmp_path / "app.zip"
    said = written(*ARGUMENTS, "--out", str(out), ACCESS_POLICY="tests.bot.access.test_access:open_handed")
    assert "commands: 0" in said
    zipfile.ZipFile(out).testzip()


def test_a_question_is_a_prompt_that_is_kept_whole(app: TeamsApp) -> None:
    question = f"How do I report {'a very ' * 20}old laptop?"
    manifest: dict[str, Any] = dict(write_texts(app, [question])["manifest.json"])
    assert manifest["manifestVersion"] == "1.29"
    ((commands,),) = [[one["commands"] for one in bot["commandLists"]] for bot in manifest["bots"]]
    assert commands == [
        {"title": question[:128], "description": question, "type": "prompt", "prompt": question}
    ]
    assert "supportsTargetedMessages" not in manifest["bots"][0]
    validate(manifest, "1.29")


def test_where_each_alone_sees_the_answers_teams_offers_to_ask_so(tmp_path: Path) -> None:
    out = tmp_path / "app.zip"
    written(*ARGUMENTS, "--out", str(out), "--language", "de", PRIVATE_IN_GROUPS="true")
    with zipfile.ZipFile(out) as package:
        manifest = json.loads(package.read("manifest.json"))
    (bot,) = manifest["bots"]
    assert bot["supportsTargetedMessages"] is True
    assert bot["commandLists"][-1] == {
        "scopes": ["team", "groupChat"],
        "triggers": ["mention", "slash"],
        "commands": [{"title": "Vertraulich fragen", "description": "Nur Sie sehen die Antwort."}],
    }
    validate(manifest, "1.29")
    # An older schema refuses it.
    declared = {"manifestVersion": "1.28", "$schema": manifest["$schema"].replace("1.29", "1.28")}
    assert find_faults(schema("1.28"), {**manifest, **declared})
    assert refused_here("teams-package", *ARGUMENTS, "--manifest", "1.24", PRIVATE_IN_GROUPS="true") == [
        "PRIVATE_IN_GROUPS=true needs manifest 1.29: leave out --manifest 1.24"
    ]
    chosen = {"ANSWER_SOURCE": "microsoft365", "SIGN_IN_CONNECTION": "graph", "SIGN_IN_GROUPS": "private"}
    assert refused_here("teams-package", *ARGUMENTS, "--manifest", "1.24", **chosen) == [
        "SIGN_IN_GROUPS=private needs manifest 1.29: leave out --manifest 1.24"
    ]
