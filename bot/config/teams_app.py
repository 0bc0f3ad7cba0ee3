"""The settings of the app package for Teams: what its manifest says of the bot."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field

from .env import GUID_EXAMPLE, Guid, Variables, Words

_VERSION: Final = re.compile(r"(0|[1-9][0-9]{0,4})\.(0|[1-9][0-9]{0,4})\.(0|[1-9][0-9]{0,4})")
_COLOR: Final = re.compile(r"#[0-9A-Fa-f]{6}")
_WEB: Final = re.compile(r"https://[^\s/@]+\.[^\s/@]+(?:/\S*)?", re.IGNORECASE)
_MAX_URL: Final = 2048


def _at_most(longest: int) -> Any:
    """A text of Teams' manifest, with the most characters that its schema allows."""

    def check(text: str) -> str:
        if len(text) > longest:
            raise ValueError(f"has {len(text)} characters: Teams takes {longest}")
        return text

    return AfterValidator(check)


def _check_page(url: str) -> str:
    if not _WEB.fullmatch(url) or len(url) > _MAX_URL:
        raise ValueError("is not an https URL such as https://www.example.com/privacy")
    return url


def _check_color(color: str) -> str:
    if not _COLOR.fullmatch(color):
        raise ValueError("is not a colour such as #2F5BEA")
    return color.upper()


def _check_version(version: str) -> str:
    if not _VERSION.fullmatch(version):
        raise ValueError("is not a version such as 1.0.2")
    return version


_Page = Annotated[
    str,
    AfterValidator(_check_page),
    Words(missing="{name} is missing: Teams needs an https URL of yours there"),
]


class TeamsApp(Variables):
    """What `app.py teams-package` writes into the manifest."""

    prefix = "TEAMS_APP_"

    bot_id: Annotated[
        Guid,
        Words(
            f"{{name}} is not a GUID such as {GUID_EXAMPLE}",
            "{name} is missing: the id of the bot's registration",
        ),
    ] = Field(validation_alias="MicrosoftAppId")
    name: Annotated[str, _at_most(30), Words()] = "Bot Framework Citations"
    """The name of the app, at most 30 characters."""
    full_name: Annotated[str, _at_most(100), Words()] = ""
    """A longer name, at most 100 characters. Without it, the name."""
    summary: Annotated[str, _at_most(80), Words()] = ""
    """What the app does, in at most 80 characters. Without it, a sentence in each language of the package."""
    description: Annotated[str, _at_most(4000), Words()] = ""
    """The same at length, in at most 4000 characters."""
    developer: Annotated[
        str, _at_most(32), Words(missing="{name} is missing: who offers the app, such as your company")
    ]
    """Who offers the app, at most 32 characters. `teams-package` needs it."""
    website: _Page
    """An https URL of the developer's. `teams-package` needs it, and the next two."""
    privacy: _Page
    """The https URL of a privacy statement."""
    terms: _Page
    """The https URL of the terms of use."""
    color: Annotated[str, AfterValidator(_check_color), Words()] = "#2F5BEA"
    """The colour behind the icon, such as `#2F5BEA`."""
    version: Annotated[str, AfterValidator(_check_version), Words()] = "1.0.0"
    """The version of the package. Teams takes an update only with a higher one."""
