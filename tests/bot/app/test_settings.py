"""The environment: what it gives, and every fault at once."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

import pytest

from bot.access.policy import load_policy
from bot.app.settings import SAMPLES, Settings
from bot.config.cloud import US_GOVERNMENT
from bot.config.credentials import Credentials
from bot.config.env import OPENAI, SettingsError, load_env_file
from bot.config.language_model import AnthropicModel, OpenAIModel
from bot.state.store_url import file_of
from tests.bot.command import refused_here
from tests.settings_page import ENV_FILE, PAGE, SUBJECTS, env_file, page

ID = "0c3d4b55-1111-4222-8333-000000000001"
OWN = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
SINGLE = {"MicrosoftAppId": ID, "MicrosoftAppPassword": "s3cret", "MicrosoftAppType": "SingleTenant"}
OTHER = "0c3d4b55-1111-4222-8333-000000000009"
FEDERATED = Credentials(app_id=ID, app_type="FederatedIdentity", tenant_id=OWN, managed_identity_id=OTHER)

BY_TENANT = Credentials(app_id=ID, password="s3cret", tenant_id=OWN)
AUTHTYPE = "CONNECTIONS__SERVICE_CONNECTION__SETTINGS__AUTHTYPE"
KNOWN = "ClientSecret, UserManagedIdentity or FederatedCredentials"


def agents(**settings: str) -> dict[str, str]:
    """Variables of the Agents SDK."""
    return {f"CONNECTIONS__SERVICE_CONNECTION__SETTINGS__{name}": value for name, value in settings.items()}


OF_ONE = Credentials(app_id=ID, password="s3cret", app_type="SingleTenant")

GOOD = [
    ({}, Settings()),
    ({"HOST": " ", "PORT": "", "DOCS_DIR": "  "}, Settings()),
    ({"HOST": "::1", "PORT": "0"}, Settings(host="::1", port=0)),
    ({"HOST": "127.8.9.1"}, Settings(host="127.8.9.1")),
    (
        {"HOST": "0.0.0.0", "MicrosoftAppId": ID, "MicrosoftAppPassword": "s3cret"},
        Settings(host="0.0.0.0", credentials=Credentials(app_id=ID, password="s3cret")),
    ),
    (
        {"MicrosoftAppId": ID, "MicrosoftAppType": "userassignedmsi", "MicrosoftAppTenantId": OWN.upper()},
        Settings(
            credentials=Credentials(app_id=ID, app_type="UserAssignedMSI", tenant_id=OWN.upper()),
            teams_tenants=frozenset({OWN}),
        ),
    ),
    (
        {**SINGLE, "MicrosoftAppTenantId": OWN},
        Settings(credentials=OF_ONE.model_copy(update={"tenant_id": OWN}), teams_tenants=frozenset({OWN})),
    ),
    (
        {**SINGLE, "MicrosoftAppTenantId": OWN, "TEAMS_TENANT_IDS": ID},
        Settings(credentials=OF_ONE.model_copy(update={"tenant_id": OWN}), teams_tenants=frozenset({ID})),
    ),
    (
        {**SINGLE, "MicrosoftAppTenantId": "contoso.com", "TEAMS_TENANT_IDS": "*"},
        Settings(credentials=OF_ONE.model_copy(update={"tenant_id": "contoso.com"})),
    ),
    ({"MicrosoftAppType": "SingleTenant"}, Settings()),
    (  # The type follows the tenant.
        {"MicrosoftAppId": ID, "MicrosoftAppPassword": "s3cret", "MicrosoftAppTenantId": OWN},
        Settings(credentials=BY_TENANT, teams_tenants=frozenset({OWN})),
    ),
    (
        {
            "MicrosoftAppId": ID,
            "MicrosoftAppType": "FederatedIdentity",
            "MicrosoftAppTenantId": OWN,
            "MANAGED_IDENTITY_CLIENT_ID": OTHER,
        },
        Settings(credentials=FEDERATED, teams_tenants=frozenset({OWN})),
    ),
    (
        agents(CLIENTID=ID, CLIENTSECRET="s3cret", TENANTID=OWN),
        Settings(credentials=BY_TENANT, teams_tenants=frozenset({OWN})),
    ),
    (
        agents(CLIENTID=ID, CLIENTSECRET="s3cret", AuthType="ClientSecret"),
        Settings(credentials=Credentials(app_id=ID, password="s3cret")),
    ),
    (
        agents(CLIENTID=ID, TENANTID=OWN, AUTHTYPE="UserManagedIdentity") | {"MicrosoftAppId": ID.upper()},
        Settings(
            credentials=Credentials(app_id=ID.upper(), app_type="UserAssignedMSI", tenant_id=OWN),
            teams_tenants=frozenset({OWN}),
        ),
    ),
    (
        agents(CLIENTID=ID, TENANTID=OWN, AUTHTYPE="federatedcredentials", FEDERATEDCLIENTID=OTHER),
        Settings(credentials=FEDERATED, teams_tenants=frozenset({OWN})),
    ),
    ({"CLIENT_ID": ID, "CLIENT_SECRET": "of another program"}, Settings()),
    ({"ChannelService": "https://botframework.azure.us/"}, Settings(cloud=US_GOVERNMENT)),
    ({"OPENAI_API_KEY": "a key that many have set for other tools"}, Settings()),
    (
        {"OPENAI_MODEL": "m", "OPENAI_API_KEY": "k"},
        Settings(llm=OpenAIModel(model="m", api_key="k", base_url=OPENAI)),
    ),
    (
        {"OPENAI_MODEL": "m", "OPENAI_BASE_URL": "http://localhost:8080/v1"},
        Settings(llm=OpenAIModel(model="m", base_url="http://localhost:8080/v1")),
    ),
    ({"ANTHROPIC_API_KEY": "a key that many have set for other tools"}, Settings()),
    (
        {"ANTHROPIC_MODEL": "m", "ANTHROPIC_API_KEY": "k"},
        Settings(llm=AnthropicModel(model="m", api_key="k", base_url="https://api.anthropic.com")),
    ),
    (
        {"ANTHROPIC_MODEL": "m", "ANTHROPIC_BASE_URL": "http://localhost:4000/v1/"},
        Settings(llm=AnthropicModel(model="m", base_url="http://localhost:4000")),
    ),
    (
        {"OPENAI_MODEL": "m", "OPENAI_API_KEY": "k", "ANTHROPIC_MODEL": "for another tool"},
        Settings(llm=OpenAIModel(model="m", api_key="k")),
    ),
    ({"STATE_URL": "memory:"}, Settings()),
    (
        {"TEAMS_TENANT_IDS": f"{ID.upper()}, {ID[:-1]}2"},
        Settings(teams_tenants=frozenset({ID, f"{ID[:-1]}2"})),
    ),
    ({"TEAMS_CARDS": "1"}, Settings(teams_cards=True)),
    ({"TEAMS_CARDS": "All"}, Settings(teams_cards="all")),
    ({"MAX_ANSWERS": "7", "MAX_WAITING": "0"}, Settings(max_answers=7, max_waiting=0)),
    (
        {"SERVICE_URL_HOSTS": "Bots.example.com, *.example.org ::1"},
        Settings(service_hosts=frozenset({"bots.example.com", ".example.org", "::1"})),
    ),
    (
        {"ACCESS_POLICY": "tests.bot.access.test_access:open_handed"},
        Settings(policy=load_policy("tests.bot.access.test_access:open_handed")),
    ),
    ({"STATE_URL": "sqlite:///state.db"}, Settings(state="sqlite:///state.db")),
    ({"STATE_URL": "rediss://:s3cret@cache:6380/0"}, Settings(state="rediss://:s3cret@cache:6380/0")),
]

FAULTY = [
    ({"HOST": "0.0.0.0"}, ["HOST=0.0.0.0 can be reached from other machines"]),
    ({"HOST": "localhost.example.com"}, ["HOST=localhost.example.com"]),
    ({"PORT": "80x"}, ["PORT=80x is not a port"]),
    ({"PORT": "65536"}, ["PORT=65536"]),
    ({"PORT": "-1"}, ["PORT=-1"]),
    ({"ANSWER_SOURCE": "oracle"}, ["ANSWER_SOURCE=oracle is not known"]),
    ({"DOCS_DIR": "/no/such/folder"}, ["does not exist"]),
    ({"DOCS_DIR": __file__}, ["is not a folder"]),
    ({"DOCS_DIR": "x" * 5000}, ["(DOCS_DIR, --docs)"]),
    ({"DOCS_DIR": "B\udcfcro", "PORT": "x"}, ["DOCS_DIR is not valid Unicode", "PORT=x"]),
    ({"DOCS_DIR": "~no-such-person/x"}, ["the folder ~no-such-person/x does not exist"]),
    ({"LABELS_FILE": "~no-such-person/x"}, ["LABELS_FILE=~no-such-person/x can't be read"]),
    ({"TEAMS_TENANT_IDS": f"{ID},contoso.com"}, ["TEAMS_TENANT_IDS: contoso.com is not a GUID"]),
    (
        {"SERVICE_URL_HOSTS": "a.test, https://b.test/, *"},
        ["SERVICE_URL_HOSTS: https://b.test/", "SERVICE_URL_HOSTS: * is not"],
    ),
    ({"TEAMS_TENANT_IDS": ","}, ["TEAMS_TENANT_IDS names no tenant"]),
    ({"TEAMS_CARDS": "often"}, ["TEAMS_CARDS=often is not known: use true, false or all"]),
    ({"MAX_ANSWERS": "0"}, ["MAX_ANSWERS=0 is not a whole number from 1 to 10000"]),
    ({"MAX_WAITING": "-1"}, ["MAX_WAITING=-1 is not a whole number from 0"]),
    ({"ACCESS_POLICY": "access"}, ["ACCESS_POLICY=access is not module:callable"]),
    ({"ACCESS_POLICY": "no.such:policy"}, ["can't be loaded: No module named 'no'"]),
    ({"ACCESS_POLICY": "json:policy"}, ["can't be loaded: module 'json' has no attribute 'policy'"]),
    ({"MicrosoftAppPassword": "s3cret"}, ["MicrosoftAppId is not"]),
    ({"MicrosoftAppId": ID}, ["MicrosoftAppPassword is not"]),
    ({"MicrosoftAppId": "bot", "MicrosoftAppPassword": "s3cret"}, ["MicrosoftAppId is not a GUID"]),
    (
        {"MicrosoftAppId": ID, "MicrosoftAppPassword": "s3cret", "MicrosoftAppType": "SingleTenant"},
        ["needs MicrosoftAppTenantId"],
    ),
    (
        {**SINGLE, "MicrosoftAppTenantId": "contoso.com"},
        ["MicrosoftAppTenantId=contoso.com is not a GUID: use the tenant's id, or name whom to answer"],
    ),
    (
        {"ChannelService": "https://botframework.azure.cn"},
        ["ChannelService=https://botframework.azure.cn is not"],
    ),
    (
        agents(CLIENTID=ID, CLIENTSECRET="s", AUTHTYPE="certificate"),
        [
            f"{AUTHTYPE}=certificate is not known here: use {KNOWN}",
        ],
    ),
    (
        agents(CLIENTID=OTHER, CLIENTSECRET="s") | {"MicrosoftAppId": ID},
        ["MicrosoftAppId and the Agents SDK's name for it are different: leave one of them out"],
    ),
    (
        {"MicrosoftAppId": ID, "MicrosoftAppType": "FederatedIdentity", "MicrosoftAppTenantId": OWN},
        ["MicrosoftAppType=FederatedIdentity needs MANAGED_IDENTITY_CLIENT_ID"],
    ),
    (
        {"MicrosoftAppId": ID, "MicrosoftAppPassword": "p", "MicrosoftAppType": "Skill"},
        ["MicrosoftAppType=Skill"],
    ),
    ({"OPENAI_BASE_URL": "http://localhost/v1"}, ["OPENAI_MODEL is not"]),
    ({"OPENAI_MODEL": "m"}, ["OPENAI_MODEL needs OPENAI_API_KEY"]),
    ({"OPENAI_MODEL": "m", "OPENAI_BASE_URL": "localhost:8080"}, ["OPENAI_BASE_URL is not an http"]),
    ({"OPENAI_MODEL": "m", "OPENAI_BASE_URL": "http://localhost:v1"}, ["OPENAI_BASE_URL is not an http"]),
    ({"OPENAI_MODEL": "m", "OPENAI_BASE_URL": "http://local host"}, ["OPENAI_BASE_URL is not an http"]),
    ({"ANTHROPIC_MODEL": "m"}, ["ANTHROPIC_MODEL needs ANTHROPIC_API_KEY"]),
    ({"ANTHROPIC_MODEL": "m", "ANTHROPIC_BASE_URL": "localhost"}, ["ANTHROPIC_BASE_URL is not an http"]),
    ({"STATE_URL": "state.db"}, ["STATE_URL is not known: use memory:, sqlite:///FILE or redis://HOST:PORT"]),
    ({"STATE_URL": "postgres://u:s3cret@host/db"}, ["STATE_URL is not known"]),
    ({"STATE_URL": "sqlite://state.db"}, ["STATE_URL names no file"]),
    ({"STATE_URL": "sqlite:///"}, ["STATE_URL names no file"]),
    ({"STATE_URL": "sqlite:///:memory:"}, ["STATE_URL names no file"]),
    ({"STATE_URL": "redis://:s3cret@host:port"}, ["STATE_URL is not a URL that Redis' client understands"]),
    ({"STATE_URL": "redis://:s3cret@[host"}, ["STATE_URL is not a URL that Redis' client understands"]),
    (
        {"HOST": "10.0.0.1", "PORT": "x", "ANSWER_SOURCE": "y", "DOCS_DIR": "/no/such", "OPENAI_MODEL": "m"},
        ["PORT=x", "ANSWER_SOURCE=y", "/no/such", "OPENAI_MODEL", "HOST=10.0.0.1"],
    ),
]


@pytest.mark.parametrize(("environ", "expected"), GOOD)
def test_what_the_environment_gives(environ: dict[str, str], expected: Settings) -> None:
    # Without a folder, the samples' labels come with the samples.
    found = Settings.from_env(environ).model_copy(update={"labels": None, "embeddings": None})
    assert found == expected


@pytest.mark.parametrize(("environ", "expected"), FAULTY)
def test_every_fault_is_reported_at_once(environ: dict[str, str], expected: list[str]) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_env(environ)
    assert len(caught.value.faults) == len(expected)
    for words in expected:
        assert any(words in fault for fault in caught.value.faults)
    for fault in caught.value.faults:
        assert "s3cret" not in fault
        assert "\n" not in fault


def test_a_secret_is_not_shown() -> None:
    settings = Settings.from_env(
        {
            "MicrosoftAppId": ID,
            "MicrosoftAppPassword": "s3cret",
            "OPENAI_MODEL": "m",
            "OPENAI_API_KEY": "s3cret",
            "STATE_URL": "redis://:s3cret@127.0.0.1/0",
        }
    )
    assert "s3cret" not in repr(settings)


def test_the_folder_is_the_one_named(tmp_path: Path) -> None:
    assert Settings.from_env({"DOCS_DIR": str(tmp_path)}).docs == tmp_path
    assert Settings.from_env({}).docs == SAMPLES


# Notepad begins a file with a byte order mark. Windows PowerShell's `>` writes UTF-16.
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_the_labels_are_those_of_the_file_and_the_samples_have_their_own(
    tmp_path: Path, encoding: str
) -> None:
    file = tmp_path / "labels.toml"
    file.write_bytes('[[label]]\r\nid = "g"\r\nname = "Général"\r\npriority = 0\r\n'.encode(encoding))
    read = Settings.from_env({"LABELS_FILE": str(file)}).labels
    assert read
    assert [label.name for label in read.labels] == ["Général"]
    assert Settings.from_env({"DOCS_DIR": str(tmp_path)}).labels is None
    assert (
        Settings.from_env({"ANSWER_SOURCE": "writer", "WRITER_API_KEY": "k", "WRITER_GRAPH_IDS": ID}).labels
        is None
    )
    samples = Settings.from_env({}).labels
    assert samples
    assert [label.name for label in samples.labels][:3] == ["Public", "Internal", "Confidential"]


def test_every_fault_of_a_labels_file_stops_the_start(tmp_path: Path) -> None:
    file = tmp_path / "labels.toml"
    file.write_text(
        '[[label]]\nid = "g"\npriority = "low"\n[[rule]]\nlabel = "h"\nfile = "*"\n', encoding="utf-8"
    )
    with pytest.raises(SettingsError) as raised:
        Settings.from_env({"LABELS_FILE": str(file), "PORT": "x"})
    about = [fault for fault in raised.value.faults if fault.startswith(f"LABELS_FILE={file}: ")]
    assert len(about) == 3
    assert len(raised.value.faults) == 4
    file.write_bytes(b"# \xff")
    for written, word in (
        (file, "is not UTF-8 text: byte 2"),
        (tmp_path, "can't be read"),
        (tmp_path / "none", "can't be read"),
    ):
        with pytest.raises(SettingsError, match=word):
            Settings.from_env({"LABELS_FILE": str(written)})


def test_a_ceiling_for_no_channel_stops_the_start(tmp_path: Path) -> None:
    file = tmp_path / "labels.toml"
    file.write_text(
        '[[label]]\nid = "g"\nname = "G"\npriority = 0\n[ceiling]\nteams = "g"\n', encoding="utf-8"
    )
    with pytest.raises(SettingsError) as raised:
        Settings.from_env({"LABELS_FILE": str(file)})
    (fault,) = raised.value.faults
    assert fault == (
        f"LABELS_FILE={file}: line 6: ceiling is for 'teams', which is no channel's id; "
        "did you mean 'msteams'?"
    )


# The file .env


def test_a_file_has_what_the_environment_leaves_out(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text(
        "# mine\n\nPORT=8080\nexport HOST='::1' # as a shell has it\nDOCS_DIR=~/docs\nOPENAI_MODEL=\n",
        "utf-8-sig",
    )
    environ = {"PORT": "9090", "HOST": " "}
    assert load_env_file(file, environ) == []
    assert environ == {"PORT": "9090", "HOST": "::1", "DOCS_DIR": "~/docs"}
    assert load_env_file(tmp_path / "none", environ) == []


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_as_windows_writes_it(tmp_path: Path, encoding: str) -> None:
    file, environ = tmp_path / ".env", dict[str, str]()
    file.write_bytes("HOST=grün\r\nPORT=1\r\n".encode(encoding))
    assert load_env_file(file, environ) == []
    assert environ == {"HOST": "grün", "PORT": "1"}


def test_every_line_of_the_file_that_is_none_is_named(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("PORT=1\n'what\nHOST=a\n=b\n", "utf-8")
    environ: dict[str, str] = {}
    assert load_env_file(file, environ) == [f"{file}, line {line}: this is not NAME=value" for line in (2, 4)]
    assert environ == {}
    file.write_bytes("PORT=1 # für\n".encode("cp1252"))
    assert load_env_file(file, environ) == [f"{file} is not UTF-8 text: byte 10"]
    assert load_env_file(tmp_path, environ)[0].startswith(f"{tmp_path} can't be read: ")


def test_the_start_reads_the_file_in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ".env"
    file.write_text("PORT=x\nTEAMS_CARDS=often\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    for name in ("PORT", "TEAMS_CARDS", "DOCS_DIR"):
        monkeypatch.delenv(name, raising=False)
    assert refused_here() == [
        "PORT=x is not a port: use a number from 0 (any free one) to 65535",
        "TEAMS_CARDS=often is not known: use true, false or all",
    ]
    file.write_text('DOCS_DIR="C:\\new"\n', "utf-8")
    assert refused_here() == [
        "the folder C:\\new does not exist: in .env, write backslashes without quotes (DOCS_DIR, --docs)"
    ]
    file.write_text("what is this\n", "utf-8")
    assert len(refused_here(PORT="y")) == 2, "a fault of the file, and one of the environment"


def test_names_have_any_case_as_on_windows() -> None:
    found = Settings.from_env({"MICROSOFTAPPID": ID, "MICROSOFTAPPPASSWORD": "p", "port": "1"})
    assert (found.credentials, found.port) == (Credentials(app_id=ID, password="p"), 1)


def test_a_variable_that_has_the_name_of_a_field_is_another_one() -> None:
    names = [(kind, name) for kinds in SUBJECTS.values() for kind in kinds for name in kind.model_fields]
    foreign = {name.upper() for _, name in names} - {kind.variable_of(name).upper() for kind, name in names}
    assert {"MODEL", "CLOUD", "STATE", "API_KEY"} <= foreign
    wanted = [
        {"MicrosoftAppId": ID, "MicrosoftAppPassword": "p", "OPENAI_MODEL": "m", "OPENAI_API_KEY": "k"},
        {"ANSWER_SOURCE": "writer", "WRITER_API_KEY": "k", "WRITER_GRAPH_IDS": ID, "ANTHROPIC_API_KEY": "k"},
        {"ANSWER_SOURCE": "openai", "OPENAI_MODEL": "m", "OPENAI_API_KEY": "k", "METRICS_PORT": "1"},
    ]
    for environ in wanted:
        assert Settings.from_env(dict.fromkeys(foreign, "x") | environ) == Settings.from_env(environ)


def test_code_that_makes_settings_reads_no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "1")
    assert Settings().port == 3978


def test_the_page_has_each_variable_as_it_is() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m tests.settings_page"


def test_the_file_for_a_container_has_each_variable_as_it_is(tmp_path: Path) -> None:
    assert ENV_FILE.read_text(encoding="utf-8") == env_file(), "python -m tests.settings_page"
    named = re.findall(r"^#(\w+)=", env_file(), re.MULTILINE)
    assert set(named) == set(re.findall(r"^\| `(\w+)`", PAGE.read_text("utf-8"), re.MULTILINE))
    copy = tmp_path / ".env"
    copy.write_text(env_file().replace("#MicrosoftAppId=", f"MicrosoftAppId={ID}"), "utf-8")
    environ: dict[str, str] = {}
    assert (load_env_file(copy, environ), environ) == ([], {"MicrosoftAppId": ID})


FILES = [
    ("sqlite:///state.db", "state.db"),
    ("sqlite:///data/state.db", "data/state.db"),
    ("sqlite:////var/lib/bot/state.db", "/var/lib/bot/state.db"),
    ("SQLite:///C:/Users/Anne/state.db", "C:/Users/Anne/state.db"),
    (r"sqlite:///C:\Users\Anne\state.db", r"C:\Users\Anne\state.db"),
    ("sqlite:///with space & 100%.db", "with space & 100%.db"),
]


@pytest.mark.parametrize(("url", "file"), FILES)
def test_three_slashes_and_then_the_file(url: str, file: str) -> None:
    assert file_of(url) == Path(file)


def test_a_folder_that_may_not_be_listed_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The superuser may list any folder, so that the system's refusal is made."""

    def refuse(path: Path) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(SettingsError) as caught:
        Settings.from_env({"DOCS_DIR": str(tmp_path)})
    assert caught.value.faults == (f"{tmp_path} can't be read: Permission denied (DOCS_DIR, --docs)",)
