"""The settings of people's sign-in, for sources that answer from what each person may read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field

from .env import Variables, WebUrl, Words, lower, url_words

ALWAYS: Final = "microsoft365"
"""The value of ``ANSWER_SOURCE`` for which everybody signs in."""
_PERSONAL: Final = (ALWAYS, "azure-search")
_EUROPE: Final = "https://europe.token.botframework.com"
_WHAT: Final = "the name of the OAuth connection of the bot's registration, by which people sign in"


class SignInOptions(Variables):
    """How people sign in."""

    prefix = "SIGN_IN_"

    connection: Annotated[str, Field(min_length=1), Words()]
    """The name of the OAuth connection of the bot's registration, by which people
    [sign in](microsoft365.md#set-it-up). `ANSWER_SOURCE=microsoft365` needs it. With
    `ANSWER_SOURCE=azure-search`, each person's token goes to the knowledge base."""
    service: Annotated[WebUrl, url_words(_EUROPE)] = ""
    """Where Bot Service signs people in, for a bot whose data stays in a region, such as
    `https://europe.token.botframework.com`."""
    groups: Annotated[
        bool | Literal["private"],
        BeforeValidator(lower),
        Words("{name}={value} is not known: use true, false or private"),
    ] = False
    """`true`: people who signed in are answered in group chats and teams, too, where all others read the
    answers. `private`: so that [each alone sees](teams-app.md#answers-that-one-person-sees) the answers.
    Without it, the bot asks them to write to it alone."""


def read_sign_in(given: Mapping[str, str], faults: list[str]) -> SignInOptions | None:
    """Read the settings; None without ``SIGN_IN_CONNECTION``, and for a source that is the same for all."""
    source = given.get("ANSWER_SOURCE", "").lower()
    if source in _PERSONAL and "SIGN_IN_CONNECTION" in given:
        return SignInOptions.read(given, faults)
    if source == ALWAYS:
        faults.append(f"ANSWER_SOURCE={source} needs SIGN_IN_CONNECTION: {_WHAT}")
    return None
