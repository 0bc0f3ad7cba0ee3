"""What the environment asks for, read and checked once, before anything starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from citations import LabelFormatError, LabelRanking

from ..access.policy import AccessPolicy, load_policy
from ..config.cloud import PUBLIC, Cloud
from ..config.credentials import Credentials, read_cloud, read_credentials, read_tenants
from ..config.env import SettingsError, read_integer, read_port, read_switch
from ..config.language_model import LanguageModel, read_language_model
from ..config.loopback import is_loopback
from ..config.service_urls import read_service_hosts
from ..config.telemetry import TelemetryOptions
from ..config.telemetry import read_options as read_telemetry_options
from ..conversation.queue import ANSWERS, WAITING
from ..state.choose import IN_MEMORY, choose
from .source_table import SOURCES

SAMPLES: Final = Path(__file__).parent.parent / "samples"
"""The documents that are asked when nobody names a folder."""

SAMPLE_LABELS: Final = SAMPLES / "labels.toml"

PORT: Final = 3978
"""The port of the Bot Framework's samples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How this bot runs. Without ``credentials`` it is for this machine only."""

    host: str = "127.0.0.1"
    port: int = PORT
    source: str = "folder"
    docs: Path = SAMPLES
    credentials: Credentials | None = None
    cloud: Cloud = PUBLIC
    """Where the bot is registered, if it is."""
    llm: LanguageModel | None = None
    source_options: Any = None
    """The settings of ``source`` itself: what its row in :data:`SOURCES` reads."""
    state: str = field(default=IN_MEMORY, repr=False)
    """Where the bot keeps what it needs between turns: a URL, which may have a password."""
    labels: LabelRanking | None = None
    """The sensitivity labels, what has which, and what may leave on which channel."""
    policy: AccessPolicy | None = None
    """Says who may have what searched; without one, everybody may have everything searched."""
    teams_tenants: frozenset[str] = frozenset()
    """The tenants whose people are answered on Teams; empty: all."""
    max_answers: int = ANSWERS
    """Questions that are answered at once."""
    max_waiting: int = WAITING
    """Questions that may wait for that; the others are declined."""
    teams_cards: bool = False
    """Whether Teams gets passages without a URL as Adaptive Cards."""
    service_hosts: frozenset[str] = frozenset()
    """Hosts that answers may go to besides the channels' own; ``.example.com`` is every name below it."""
    telemetry: TelemetryOptions = field(default_factory=TelemetryOptions)
    """Whether there are metrics and traces."""

    @property
    def local(self) -> bool:
        """Whether anyone may talk to the bot, because only this machine can reach it."""
        return self.credentials is None

    @property
    def serves_documents(self) -> bool:
        """Whether the documents themselves can be opened here.

        Whoever can reach a file by its URL asks no policy.
        """
        return self.local and self.source == "folder" and self.policy is None

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Settings:
        """Read ``environ``; a blank variable counts as absent.

        Raises :class:`SettingsError` with all faults at once, none of which repeats a secret.
        """
        given = {name: value.strip() for name, value in environ.items() if value.strip()}
        faults: list[str] = []
        settings = cls(
            host=given.get("HOST", "127.0.0.1"),
            port=PORT if (chosen := read_port("PORT", given, faults)) is None else chosen,
            source=(source := _source(given, faults)),
            docs=_docs(given, faults),
            credentials=read_credentials(given, faults),
            cloud=read_cloud(given, faults),
            llm=read_language_model(given, faults),
            source_options=SOURCES[source].read(given, faults) if source in SOURCES else None,
            state=_state(given, faults),
            labels=_labels(given, faults),
            policy=_policy(given, faults),
            teams_tenants=read_tenants(given, faults),
            max_answers=read_integer("MAX_ANSWERS", given, faults, default=ANSWERS, among=range(1, 10_001)),
            max_waiting=read_integer("MAX_WAITING", given, faults, default=WAITING, among=range(100_001)),
            teams_cards=read_switch("TEAMS_CARDS", given, faults, default=False),
            service_hosts=read_service_hosts(given, faults),
            telemetry=read_telemetry_options(given, faults),
        )
        if "MicrosoftAppId" not in given and not is_loopback(settings.host):
            # Without credentials anyone who reaches the bot may make it answer to any address.
            faults.append(
                f"HOST={settings.host} can be reached from other machines, which needs MicrosoftAppId and "
                "MicrosoftAppPassword; use HOST=127.0.0.1 without them"
            )
        if faults:
            raise SettingsError(tuple(faults))
        return settings


def _source(given: Mapping[str, str], faults: list[str]) -> str:
    name = given.get("ANSWER_SOURCE", "folder").lower()
    if name not in SOURCES:
        faults.append(f"ANSWER_SOURCE={name} is not known: use {' or '.join(SOURCES)}")
    return name


def _docs(given: Mapping[str, str], faults: list[str]) -> Path:
    if "DOCS_DIR" not in given:
        return SAMPLES
    folder = Path(given["DOCS_DIR"]).expanduser()
    if not folder.exists():
        faults.append(f"the folder {folder} does not exist (DOCS_DIR, --docs)")
    elif not folder.is_dir():
        faults.append(f"{folder} is not a folder (DOCS_DIR, --docs)")
    return folder


def _state(given: Mapping[str, str], faults: list[str]) -> str:
    url = given.get("STATE_URL", IN_MEMORY)
    try:
        choose(url)
    except ValueError as error:
        faults.append(f"STATE_URL {error}")
    return url


def _labels(given: Mapping[str, str], faults: list[str]) -> LabelRanking | None:
    written = given.get("LABELS_FILE")
    samples = "DOCS_DIR" not in given and given.get("ANSWER_SOURCE", "folder").lower() == "folder"
    if written is None:
        return LabelRanking.from_toml(SAMPLE_LABELS.read_text("utf-8")) if samples else None
    file = Path(written).expanduser()
    try:
        return LabelRanking.from_toml(file.read_text("utf-8-sig"))
    except OSError as error:
        faults.append(f"LABELS_FILE={written} can't be read: {error.strerror or type(error).__name__}")
    except UnicodeDecodeError:
        faults.append(f"LABELS_FILE={written} is not UTF-8")
    except LabelFormatError as error:
        faults += [f"LABELS_FILE={written}: {fault}" for fault in error.faults]
    return None


def _policy(given: Mapping[str, str], faults: list[str]) -> AccessPolicy | None:
    written = given.get("ACCESS_POLICY")
    if written is None:
        return None
    try:
        return load_policy(written)
    except ValueError as error:
        faults.append(f"ACCESS_POLICY={written} {error}")
        return None
