"""The settings of Web Chat on pages of one's own: the Direct Line secret, and the pages that get tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from .env import Listed, Variables, WebUrl, Words
from .loopback import is_loopback

DIRECT_LINE: Final = "https://directline.botframework.com"
_EXAMPLE: Final = "https://www.example.com"
_DEFAULT_PORTS: Final = {"https": 443, "http": 80}


def _check_secure(url: str) -> str:
    """The secret is sent there, and a token is read there."""
    parts = urlsplit(url)
    if parts.scheme != "https" and not is_loopback(parts.hostname or ""):
        raise ValueError("is not an https URL")
    return url


def _check_origin(text: str) -> str:
    parts = urlsplit(text.rstrip("/").lower())
    host, port = parts.hostname, parts.port  # a port that is none raises ValueError
    if not host or parts.scheme not in _DEFAULT_PORTS or "@" in parts.netloc or "*" in host:
        raise ValueError("no origin")
    if parts.path or parts.query or parts.fragment:
        raise ValueError("no origin")
    host = f"[{host}]" if ":" in host else host
    shown = "" if port in (None, _DEFAULT_PORTS[parts.scheme]) else f":{port}"
    return _check_secure(f"{parts.scheme}://{host}{shown}")


class WebChatOptions(Variables):
    """Who gets tokens at `/webchat/token`, and for what secret."""

    secret: str = Field(validation_alias="DIRECT_LINE_SECRET", repr=False)
    """A secret of the registration's Direct Line channel. With `WEBCHAT_ORIGINS`, the bot gives
    [pages of yours](web-page.md) tokens for Web Chat at `/webchat/token`."""
    origins: Annotated[
        tuple[Annotated[str, AfterValidator(_check_origin)], ...],
        Listed,
        Field(min_length=1),
        Words(
            f"{{name}}: {{value}} is not the origin of a page, such as {_EXAMPLE}", "{name} names no origin"
        ),
    ] = Field(validation_alias="WEBCHAT_ORIGINS")
    """The origins of those pages, such as `https://www.example.com`, with commas between them."""
    direct_line: Annotated[
        WebUrl,
        AfterValidator(_check_secure),
        Words(f"{{name}} is not an https URL such as {DIRECT_LINE}"),
    ] = Field(default=DIRECT_LINE, validation_alias="DIRECT_LINE_URL")
    """Where Direct Line is: `https://europe.directline.botframework.com` for data that stays in Europe,
    `https://directline.botframework.azure.us` for Azure Government."""


def read_web_chat(given: Mapping[str, str], faults: list[str]) -> WebChatOptions | None:
    """Read the settings; None with neither the secret nor the origins."""
    some = {"DIRECT_LINE_SECRET", "WEBCHAT_ORIGINS"} & given.keys()
    return WebChatOptions.read(given, faults) if some else None
