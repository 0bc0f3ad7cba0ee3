"""``app.py doctor``: each part of a deployment, well and not."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import AsyncIterator
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

import app
from bot.app.settings import Settings
from bot.app.terminal.doctor import examine
from bot.config.answer_sources import Microsoft365Options
from bot.config.credentials import Credentials
from bot.config.sign_in import SignInOptions
from bot.config.web_chat import WebChatOptions
from tests.bot.fake_entra import APP_ID, PASSWORD, SECRET, TENANT, FakeEntra, entra_running
from tests.bot.microsoft365_services import CONNECTION, microsoft365_running
from tests.bot.running import running
from tests.bot.table_source import TableSource
from tests.ports import free_port

ONE_TENANT = Credentials(app_id=APP_ID, password=SECRET, app_type="SingleTenant", tenant_id=TENANT)
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
async def entra() -> AsyncIterator[FakeEntra]:
    async with entra_running() as one:
        yield one


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (tmp_path / "ferns.md").write_text("# Ferns\n\nA fern wants moist soil.\n", "utf-8")
    return tmp_path


class Patient:
    """Has one deployment examined, and reads what is printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str], docs: Path) -> None:
        self._capsys = capsys
        self._docs = docs

    async def examined(self, url: str = "", **settings: Any) -> tuple[int, list[str]]:
        code = await examine(Settings(**{"docs": self._docs, **settings}), url)
        printed = self._capsys.readouterr().out.splitlines()
        return code, [line for line in printed if line.startswith(("ok ", "note ", "fault "))]


@pytest.fixture
def patient(capsys: pytest.CaptureFixture[str], docs: Path) -> Patient:
    return Patient(capsys, docs)


def in_days(days: float) -> str:
    return (dt.datetime.now(dt.UTC) + dt.timedelta(days=days)).isoformat()


async def test_all_is_well(entra: FakeEntra, patient: Patient, tmp_path: Path) -> None:
    entra.ends = {SECRET[:3]: in_days(100.5), "xyz": in_days(1)}
    async with running(TableSource(), credentials=PASSWORD, cloud=entra.cloud) as bot:
        code, lines = await patient.examined(
            f"http://{bot}/api/messages",
            credentials=ONE_TENANT,
            cloud=entra.cloud,
            state=f"sqlite:///{(tmp_path / 'state.db').as_posix()}",
        )
    assert lines[0] == "ok     The credentials get a token."
    assert lines[1].startswith("ok     The client secret ends in 100 days, on ")
    assert lines[2:4] == ["ok     The channels' keys can be fetched.", "ok     The clock is right."]
    assert lines[4].startswith(f"fault  http://{bot} is not an https address.")
    assert lines[5] == f"ok     http://{bot}/api/messages answers, and asks for a channel's token."
    assert lines[6] == "ok     The state is kept."
    assert lines[7].endswith("is indexed with 1 document, 1 passage.")
    assert code == 1  # for want of TLS alone
    assert SECRET not in "".join(lines)
    assert sum(line.startswith("fault") for line in lines) == 1


async def test_the_connection_by_which_people_sign_in(patient: Patient) -> None:
    async with microsoft365_running() as services:
        told: list[str] = []
        for services.down in (False, True):
            _, lines = await patient.examined(
                credentials=PASSWORD,
                cloud=services.cloud,
                service_hosts=frozenset({"127.0.0.1"}),
                source="microsoft365",
                source_options=Microsoft365Options(),
                sign_in=SignInOptions(connection=CONNECTION),
            )
            told += [line for line in lines if "sign in" in line or "sign-in" in line or "365" in line]
    assert told[0] == "ok     People can sign in by the connection graph."
    assert told[1].startswith("note   Whether Microsoft 365 answers shows when a person asks")
    assert told[2].startswith("fault  Bot Service offers no sign-in by graph (status 503). Compare SIGN_IN")
    assert services.asked == []


@pytest.mark.parametrize(
    ("error", "mend"),
    [
        ("AADSTS7000222: it ended", "The secret has ended. Make a new client secret in Entra ID"),
        ("AADSTS7000215: wrong", "It needs the secret's value, and not its id."),
        ("AADSTS700016: unknown", "Look whether MicrosoftAppId and MicrosoftAppTenantId belong together."),
        ("something else", "Look at MicrosoftAppId, MicrosoftAppPassword"),
    ],
)
async def test_credentials_that_get_no_token(
    entra: FakeEntra, patient: Patient, error: str, mend: str
) -> None:
    refused = {"error": "invalid_client", "error_description": f"{error} {SECRET}"}
    entra.only, entra.status, entra.answer = "token", 401, json.dumps(refused).encode()
    code, lines = await patient.examined(credentials=ONE_TENANT, cloud=entra.cloud)
    assert code == 1
    assert lines[0].startswith("fault  The credentials get no token: invalid_client")
    assert mend in lines[0]
    assert SECRET not in "".join(lines)


@pytest.mark.parametrize(
    ("ends", "line"),
    [
        ({SECRET[:3]: in_days(5.5)}, "fault  The client secret ends in 5 days"),
        ({"xyz": in_days(5)}, "note   When the client secret ends can't be known from here."),
        ({}, "note   When the client secret ends can't be known from here."),
    ],
)
async def test_when_the_secret_ends(
    entra: FakeEntra, patient: Patient, ends: dict[str, str], line: str
) -> None:
    entra.ends = ends
    code, lines = await patient.examined(credentials=ONE_TENANT, cloud=entra.cloud)
    assert lines[1].startswith(line)
    assert code == line.startswith("fault")


async def test_a_clock_that_is_wrong(entra: FakeEntra, patient: Patient) -> None:
    there = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=1000)
    entra.headers, entra.only = {"Date": format_datetime(there, usegmt=True)}, "metadata"
    entra.answer = b'{"jwks_uri": "x"}'
    _, lines = await patient.examined(credentials=PASSWORD, cloud=entra.cloud)
    assert any(line.startswith("fault  The clock of this machine is") and "behind" in line for line in lines)


async def test_what_stands_in_front(entra: FakeEntra, patient: Patient) -> None:
    _, lines = await patient.examined(entra.url)
    assert lines[1].startswith("ok     The certificate of 127.0.0.1 is valid for ")
    assert f"fault  {entra.url}/api/messages does not lead to the bot (status 404)." in lines[2]
    _, lines = await patient.examined(entra.url.replace("127.0.0.1", "localhost"))
    assert lines[1].startswith("fault  The certificate of localhost is not valid: Hostname mismatch")
    _, lines = await patient.examined(f"127.0.0.1:{free_port()}")
    assert "can't be reached (" in lines[1]
    assert ".py:" not in lines[1]
    _, lines = await patient.examined("https://[::1")
    assert lines[1].startswith("fault  https://[::1 is no address.")
    async with running(TableSource()) as bot:
        _, lines = await patient.examined(f"http://{bot}")
    assert "takes messages without a token (status 400). Give the bot there its MicrosoftAppId" in lines[2]


async def test_what_the_bot_uses_is_not_there(patient: Patient, tmp_path: Path) -> None:
    (tmp_path / "ferns.md").rename(tmp_path / "ferns.doc")
    options = WebChatOptions(secret=SECRET, origins=("https://example.com",), direct_line=NOWHERE)
    code, lines = await patient.examined(state="redis://:pw@127.0.0.1:9/0", web_chat=options)
    assert code == 1
    faults = [line.removeprefix("fault  ") for line in lines if line.startswith("fault")]
    assert faults[0].startswith(f"{NOWHERE} gives no token for Web Chat")
    assert faults[1].startswith("The state can't be kept in redis://127.0.0.1:9/0")
    assert "no document can be read. app.py index says why." in faults[2]
    assert SECRET not in "".join(lines)


def test_settings_that_are_wrong(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "x")
    assert app.main(["doctor"]) == 1
    assert capsys.readouterr().out.startswith("fault  PORT=x is not a port")
