"""The settings, read from the environment and validated once at startup."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, SkipValidation

from citations import LabelFormatError, LabelRanking
from citations.text import decode_text, did_you_mean

from ..access.policy import AccessPolicy, load_policy
from ..config.answer_sources import SOURCES
from ..config.cloud import PUBLIC, Cloud
from ..config.credentials import (
    Credentials,
    find_cloud,
    list_tenants,
    read_credentials,
    read_own_tenant,
    take_agents_names,
)
from ..config.env import (
    GUID_EXAMPLE,
    PORT_WORDS,
    PORTS,
    Guid,
    Listed,
    SettingsError,
    SeveralFaultsError,
    Variables,
    Words,
    lower,
    read_environment,
)
from ..config.language_model import (
    EmbeddingOptions,
    LanguageModel,
    LocalModelOptions,
    read_embedding_options,
    read_language_model,
)
from ..config.loopback import is_loopback
from ..config.service_urls import Host
from ..config.sign_in import ALWAYS, SignInOptions, read_sign_in
from ..config.telemetry import TelemetryOptions
from ..config.web_chat import WebChatOptions, read_web_chat
from ..conversation.doubt_options import DoubtOptions
from ..conversation.queue import ANSWERS, WAITING
from ..state.store_url import IN_MEMORY, create_store

SAMPLES: Final = Path(__file__).parent.parent / "samples"
"""The documents that are searched if no folder is configured."""

SAMPLE_LABELS: Final = SAMPLES.with_name("sample-labels.toml")

PORT: Final = 3978
"""The port that the Bot Framework's samples use."""


def _load_policy(value: object) -> object:
    return load_policy(value) if isinstance(value, str) else value


def _load_labels(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return LabelRanking.from_toml(decode_text(_expand(Path(value)).read_bytes()))
    except OSError as error:
        raise ValueError(f" can't be read: {error.strerror or type(error).__name__}") from error
    except LabelFormatError as error:
        raise SeveralFaultsError(f": {fault}" for fault in error.faults) from error
    except ValueError as error:
        raise ValueError(f" is {error}") from None


def _expand(path: Path) -> Path:
    """A path whose ``~`` is the person's home; as it is where there is no such person."""
    try:
        return path.expanduser()
    except RuntimeError:
        return path


def _check_folder(folder: Path) -> Path:
    folder = _expand(folder)
    try:
        found = folder.exists()
        if folder.is_dir():
            os.scandir(folder).close()
    except OSError as error:
        raise ValueError(f"{folder} can't be read: {error.strerror} (DOCS_DIR, --docs)") from error
    if not found:
        # Quotes in .env make "C:\new" a line break and "ew", which is shown as it was written.
        hint = "" if str(folder).isprintable() else ": in .env, write backslashes without quotes"
        raise ValueError(f"the folder {folder} does not exist{hint} (DOCS_DIR, --docs)")
    if not folder.is_dir():
        raise ValueError(f"{folder} is not a folder (DOCS_DIR, --docs)")
    return folder


def _check_state(url: str) -> str:
    create_store(url)
    return url


def _check_source(name: str) -> str:
    if name.lower() not in SOURCES:
        raise ValueError(f"is not known{did_you_mean(name, SOURCES)}: use {' or '.join(SOURCES)}")
    return name.lower()


class GeneralSettings(Variables):
    """The variables of the bot as a whole."""

    cloud: Annotated[Cloud, BeforeValidator(find_cloud), Words()] = Field(
        default=PUBLIC, validation_alias="ChannelService"
    )
    """`https://botframework.azure.us` for a bot that is registered in Azure Government."""
    host: str = "127.0.0.1"
    """The address to listen on. Another one than this machine's needs credentials."""
    published_on_loopback: bool = False
    """`true`: others than this machine don't reach the port, because it is published as
    `127.0.0.1:3978:3978`. Then a bot [in a container](running.md#try-the-image) needs no credentials. It
    trusts whoever reaches the port."""
    port: Annotated[int, PORTS, PORT_WORDS] = PORT
    """The port to listen on; 0 means any free one. `--port` does the same."""
    source: Annotated[str, AfterValidator(_check_source), Words()] = Field(
        default="folder", validation_alias="ANSWER_SOURCE"
    )
    """Who answers: `folder`, or another of the [answer sources](../README.md#answer-sources)."""
    docs: Annotated[Path, AfterValidator(_check_folder), Words("{error}")] = Field(
        default=SAMPLES, validation_alias="DOCS_DIR"
    )
    """The folder of documents; `--docs` does the same. Without it, sample documents are searched."""
    state: Annotated[str, AfterValidator(_check_state), Words("{name} {error}")] = Field(
        default=IN_MEMORY, validation_alias="STATE_URL", repr=False
    )
    """Where the bot keeps what it needs between turns. `memory:` ends with the process.
    `sqlite:///state.db` survives a restart; an absolute path has four slashes. `redis://host:6379/0` is
    shared by several replicas."""
    labels: Annotated[
        LabelRanking | None, SkipValidation, BeforeValidator(_load_labels), Words("{name}={value}{error}")
    ] = Field(default=None, validation_alias="LABELS_FILE")
    """The file of [sensitivity labels](labels.md): the labels, the rules, and the ceiling of each channel.
    The samples have their own."""
    policy: Annotated[AccessPolicy | None, SkipValidation, BeforeValidator(_load_policy)] = Field(
        default=None, validation_alias="ACCESS_POLICY"
    )
    """`module:callable`, your code that decides [who may see what](labels.md#who-may-see-what). Without it
    everybody may see everything."""
    private_in_groups: bool = False
    """`true`: in group chats and channels of Teams, the person who asks
    [alone sees the answer](teams-app.md#answers-that-one-person-sees)."""
    max_answers: int = Field(default=ANSWERS, ge=1, le=10_000)
    """How many questions are answered at once. As many finished answers again may be on their way to their
    channels."""
    max_waiting: int = Field(default=WAITING, ge=0, le=100_000)
    """How many more questions may wait. A question above both limits is declined at once. Questions of one
    conversation are answered one after the other, in their order."""
    teams_cards: Annotated[
        bool | Literal["all"],
        BeforeValidator(lower),
        Words("{name}={value} is not known: use true, false or all"),
    ] = False
    """`true`: on Teams, the badge of a passage without a URL opens it as an Adaptive Card. `all`: so does
    that of any passage longer than the 160 characters of its pop-up. Such cards are in Teams' public
    developer preview. Teams fails on them in streams, so answers in one-on-one chats have none."""
    teams_extended_markdown: bool = False
    """`true`: on Teams, headings, tables and thematic breaks of an answer stay what they are
    ([extendedmarkdown](channels.md#extended-markdown)). It is a public developer preview of Teams, whose
    older clients may show such text as it is typed."""
    teams_tenants: Annotated[
        frozenset[Annotated[Guid, AfterValidator(str.lower)]],
        BeforeValidator(list_tenants),
        Words(f"{{name}}: {{value}} is not a GUID such as {GUID_EXAMPLE}", "{name} names no tenant"),
    ] = Field(default=frozenset(), validation_alias="TEAMS_TENANT_IDS")
    """The ids of the tenants whose people are answered on Teams, or `*` for all. Without it, a
    `SingleTenant` or `UserAssignedMSI` bot answers the people of its own tenant, and a `MultiTenant` bot
    answers everybody."""
    service_hosts: Annotated[
        frozenset[Host],
        Listed,
        Words("{name}: {value} is not a host, such as bots.example.com, or *.example.com"),
    ] = Field(default=frozenset(), validation_alias="SERVICE_URL_HOSTS")
    """Further hosts that may get answers and the bot's token, such as `bots.example.com` or
    `*.example.com`. They are reached by https, and on this machine also by http."""


class Settings(GeneralSettings):
    """The settings of one bot. Without ``credentials`` it serves this machine only."""

    credentials: Credentials | None = None
    llm: LanguageModel | None = None
    local_models: LocalModelOptions = LocalModelOptions()
    embeddings: EmbeddingOptions | None = None
    """The embedding model that finds a folder's passages beside their words. Without one, words alone do."""
    source_options: Any = None
    """The settings of the answer source, by :data:`SOURCES`."""
    sign_in: SignInOptions | None = None
    """How people sign in, where the source answers from what each may read."""
    doubts: DoubtOptions = DoubtOptions()
    telemetry: TelemetryOptions = TelemetryOptions()
    web_chat: WebChatOptions | None = None
    """The pages that get tokens for Web Chat; none without it."""

    @property
    def local(self) -> bool:
        """Whether the bot accepts requests without a token, because only this machine can reach it."""
        return self.credentials is None

    @property
    def answers_privately(self) -> bool:
        """Whether in a group of Teams each person alone sees the answers to their questions."""
        return self.private_in_groups or (self.sign_in is not None and self.sign_in.groups == "private")

    @property
    def serves_documents(self) -> bool:
        """Whether the bot serves the documents; not with an access policy, which is not asked for files."""
        return self.local and self.source in ("folder", "llamaindex") and self.policy is None

    @property
    def uses_model(self) -> bool:
        """Whether the answer source has the language model write its answers, if there is one."""
        return self.source in ("folder", "llamaindex", "microsoft365")

    @property
    def looks_for_models(self) -> bool:
        """Whether models of this machine are looked for: where none is named, and only this machine asks."""
        is_mine = self.source == "folder" and self.serves_documents
        return is_mine and self.llm is None and self.local_models.mode != "off"

    @classmethod
    def from_env(
        cls, environ: Mapping[str, str], known: Iterable[str] = (), *, serves: bool = True
    ) -> Settings:
        """Read ``environ``, in which a blank variable counts as absent; ``known`` are faults of its file.

        What never ``serves`` anybody, as the app package, needs no credentials. Raises
        :class:`SettingsError` with all faults at once; none of them contains a secret.
        """
        faults = list(known)
        given = take_agents_names(read_environment(environ), faults)
        general = dict(GeneralSettings.read(given, faults))
        if "TEAMS_TENANT_IDS" not in given:
            general["teams_tenants"] = read_own_tenant(given, faults)
        if given.keys().isdisjoint({"LABELS_FILE", "DOCS_DIR"}) and general["source"] == "folder":
            general["labels"] = LabelRanking.from_toml(SAMPLE_LABELS.read_text("utf-8"))
        sign_in = read_sign_in(given, faults)
        if sign_in and sign_in.service:
            general["cloud"] = replace(general["cloud"], sign_in_service=sign_in.service)
        options = SOURCES.get(given.get("ANSWER_SOURCE", "folder").lower())
        settings = cls.model_construct(
            **general,
            credentials=read_credentials(given, faults),
            llm=read_language_model(given, faults),
            local_models=LocalModelOptions.read(given, faults),
            embeddings=read_embedding_options(given, faults),
            sign_in=sign_in,
            source_options=options.read(given, faults) if options else None,
            doubts=DoubtOptions.read(given, faults),
            telemetry=TelemetryOptions.read(given, faults),
            web_chat=read_web_chat(given, faults),
        )
        host = given.get("HOST", settings.host)
        if "MICROSOFTAPPID" not in given and not is_loopback(host) and not settings.published_on_loopback:
            # Without credentials, any sender that reaches the bot can make it send to any address.
            faults.append(
                f"HOST={host} can be reached from other machines, which needs MicrosoftAppId and "
                "MicrosoftAppPassword; use HOST=127.0.0.1 without them"
            )
        if settings.sign_in and serves and "MICROSOFTAPPID" not in given:
            faults.append("SIGN_IN_CONNECTION needs MicrosoftAppId: people sign in by the bot's registration")
        if settings.source == ALWAYS and settings.cloud.graph != PUBLIC.graph:
            faults.append(f"ANSWER_SOURCE={ALWAYS} is for the public cloud alone, without ChannelService")
        if faults:
            raise SettingsError(faults)
        return settings
