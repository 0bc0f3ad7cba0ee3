"""The settings, read from the environment and validated once at startup."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from citations import LabelFormatError, LabelRanking

from ..access.policy import AccessPolicy, load_policy
from ..config.cloud import PUBLIC, Cloud
from ..config.credentials import Credentials, read_cloud, read_credentials, read_tenants
from ..config.embeddings import EmbeddingOptions, read_embedding_options
from ..config.env import SettingsError, read_integer, read_port, read_switch
from ..config.language_model import LanguageModel, read_language_model
from ..config.loopback import is_loopback
from ..config.service_urls import read_service_hosts
from ..config.telemetry import TelemetryOptions
from ..config.telemetry import read_options as read_telemetry_options
from ..conversation.doubt_options import DoubtOptions, read_doubt_options
from ..conversation.queue import ANSWERS, WAITING
from ..state.store_url import IN_MEMORY, create_store
from .source_table import SOURCES

SAMPLES: Final = Path(__file__).parent.parent / "samples"
"""The documents that are searched if no folder is configured."""

SAMPLE_LABELS: Final = SAMPLES.with_name("sample-labels.toml")

PORT: Final = 3978
"""The port that the Bot Framework's samples use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one bot. Without ``credentials`` it serves this machine only."""

    host: str = "127.0.0.1"
    port: int = PORT
    source: str = "folder"
    docs: Path = SAMPLES
    credentials: Credentials | None = None
    cloud: Cloud = PUBLIC
    """The cloud of the bot's registration."""
    llm: LanguageModel | None = None
    embeddings: EmbeddingOptions | None = None
    """The embedding model that finds a folder's passages beside their words. Without one, words alone do."""
    source_options: Any = None
    """The settings of the answer source, which its row in :data:`SOURCES` reads."""
    state: str = field(default=IN_MEMORY, repr=False)
    """The URL of the store of the bot's state; it may contain a password."""
    labels: LabelRanking | None = None
    """The sensitivity labels, with the rules that assign them and the ceiling of each channel."""
    policy: AccessPolicy | None = None
    """The access policy. Without one, every asker may have everything searched."""
    teams_tenants: frozenset[str] = frozenset()
    """The tenants whose members are answered on Teams; an empty set means all."""
    max_answers: int = ANSWERS
    """Questions that are answered at the same time."""
    max_waiting: int = WAITING
    """Questions that wait in the queue; further ones are refused."""
    teams_cards: bool = False
    """Whether Teams gets passages without a URL as Adaptive Cards."""
    doubts: DoubtOptions = field(default_factory=DoubtOptions)
    """Whether doubts are shown below an answer, and the model that judges support."""
    service_hosts: frozenset[str] = frozenset()
    """Hosts of service URLs besides the channels' own; ``.example.com`` means every name below it."""
    telemetry: TelemetryOptions = field(default_factory=TelemetryOptions)
    """Whether there are metrics and traces."""

    @property
    def local(self) -> bool:
        """Whether the bot accepts requests without a token, because only this machine can reach it."""
        return self.credentials is None

    @property
    def serves_documents(self) -> bool:
        """Whether the bot serves the documents; not with an access policy, which is not asked for files."""
        return self.local and self.source in ("folder", "llamaindex") and self.policy is None

    @property
    def uses_model(self) -> bool:
        """Whether the answer source has the language model write its answers, if there is one."""
        return self.source in ("folder", "llamaindex")

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Settings:
        """Read ``environ``, in which a blank variable counts as absent.

        Raises :class:`SettingsError` with all faults at once; none of them contains a secret.
        """
        given = {name: value.strip() for name, value in environ.items() if value.strip()}
        faults: list[str] = []
        settings = cls(
            host=given.get("HOST", "127.0.0.1"),
            port=PORT if (chosen := read_port("PORT", given, faults)) is None else chosen,
            source=(source := _read_source(given, faults)),
            docs=_read_folder(given, faults),
            credentials=read_credentials(given, faults),
            cloud=read_cloud(given, faults),
            llm=read_language_model(given, faults),
            embeddings=read_embedding_options(given, faults),
            source_options=SOURCES[source].read(given, faults) if source in SOURCES else None,
            state=_read_state_url(given, faults),
            labels=_read_labels(given, faults),
            policy=_read_policy(given, faults),
            teams_tenants=read_tenants(given, faults),
            max_answers=read_integer("MAX_ANSWERS", given, faults, default=ANSWERS, among=range(1, 10_001)),
            max_waiting=read_integer("MAX_WAITING", given, faults, default=WAITING, among=range(100_001)),
            teams_cards=read_switch("TEAMS_CARDS", given, faults, default=False),
            doubts=read_doubt_options(given, faults),
            service_hosts=read_service_hosts(given, faults),
            telemetry=read_telemetry_options(given, faults),
        )
        if "MicrosoftAppId" not in given and not is_loopback(settings.host):
            # Without credentials, any sender that reaches the bot can make it send to any address.
            faults.append(
                f"HOST={settings.host} can be reached from other machines, which needs MicrosoftAppId and "
                "MicrosoftAppPassword; use HOST=127.0.0.1 without them"
            )
        if faults:
            raise SettingsError(tuple(faults))
        return settings


def _read_source(given: Mapping[str, str], faults: list[str]) -> str:
    name = given.get("ANSWER_SOURCE", "folder").lower()
    if name not in SOURCES:
        faults.append(f"ANSWER_SOURCE={name} is not known: use {' or '.join(SOURCES)}")
    return name


def _read_folder(given: Mapping[str, str], faults: list[str]) -> Path:
    if "DOCS_DIR" not in given:
        return SAMPLES
    folder = Path(given["DOCS_DIR"]).expanduser()
    if not folder.exists():
        faults.append(f"the folder {folder} does not exist (DOCS_DIR, --docs)")
    elif not folder.is_dir():
        faults.append(f"{folder} is not a folder (DOCS_DIR, --docs)")
    return folder


def _read_state_url(given: Mapping[str, str], faults: list[str]) -> str:
    url = given.get("STATE_URL", IN_MEMORY)
    try:
        create_store(url)
    except ValueError as error:
        faults.append(f"STATE_URL {error}")
    return url


def _read_labels(given: Mapping[str, str], faults: list[str]) -> LabelRanking | None:
    value = given.get("LABELS_FILE")
    samples = "DOCS_DIR" not in given and given.get("ANSWER_SOURCE", "folder").lower() == "folder"
    if value is None:
        return LabelRanking.from_toml(SAMPLE_LABELS.read_text("utf-8")) if samples else None
    file = Path(value).expanduser()
    try:
        return LabelRanking.from_toml(file.read_text("utf-8-sig"))
    except OSError as error:
        faults.append(f"LABELS_FILE={value} can't be read: {error.strerror or type(error).__name__}")
    except UnicodeDecodeError:
        faults.append(f"LABELS_FILE={value} is not UTF-8")
    except LabelFormatError as error:
        faults += [f"LABELS_FILE={value}: {fault}" for fault in error.faults]
    return None


def _read_policy(given: Mapping[str, str], faults: list[str]) -> AccessPolicy | None:
    value = given.get("ACCESS_POLICY")
    if value is None:
        return None
    try:
        return load_policy(value)
    except ValueError as error:
        faults.append(f"ACCESS_POLICY={value} {error}")
        return None
