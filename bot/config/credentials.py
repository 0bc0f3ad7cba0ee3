"""The bot's registration, from the variables that the Bot Framework samples use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Final

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from .cloud import CLOUDS, Cloud
from .env import GUID, GUID_EXAMPLE, Guid, Variables, Words, split_list

_APP_TYPES: Final = {name.lower(): name for name in ("MultiTenant", "SingleTenant", "UserAssignedMSI")}
_OF_ONE_TENANT: Final = frozenset({"singletenant", "userassignedmsi"})


def _find_app_type(name: str) -> str:
    if known := _APP_TYPES.get(name.lower()):
        return known
    raise ValueError(f"is not known: use {', '.join(_APP_TYPES.values())}")


class Credentials(Variables):
    """The bot's registration with Azure Bot Service, in the terms of the Bot Framework samples."""

    app_id: Annotated[Guid, Words(f"{{name}} is not a GUID such as {GUID_EXAMPLE}")] = Field(
        validation_alias="MicrosoftAppId"
    )
    """The id of the bot's [registration](running.md#register-it), under the name of the Bot Framework
    samples."""
    password: str = Field(default="", validation_alias="MicrosoftAppPassword", repr=False)
    """The secret of the registration. A `UserAssignedMSI` has none."""
    app_type: Annotated[str, BeforeValidator(_find_app_type), Words()] = Field(
        default="MultiTenant", validation_alias="MicrosoftAppType"
    )
    """The type: `MultiTenant`, `SingleTenant` or `UserAssignedMSI`."""
    tenant_id: str = Field(default="", validation_alias="MicrosoftAppTenantId")
    """The id of the tenant. The types `SingleTenant` and `UserAssignedMSI` need it."""

    @classmethod
    def find_contradictions(cls, given: Mapping[str, str]) -> Iterator[str]:
        """What the type of the registration needs, and is not there."""
        app_type = given.get("MICROSOFTAPPTYPE", "MultiTenant")
        if "MICROSOFTAPPPASSWORD" not in given and app_type.lower() != "userassignedmsi":
            yield "MicrosoftAppId is set, but MicrosoftAppPassword is not"
        if "MICROSOFTAPPTENANTID" not in given and app_type.lower() in _OF_ONE_TENANT:
            yield f"MicrosoftAppType={_APP_TYPES[app_type.lower()]} needs MicrosoftAppTenantId"


def read_credentials(given: Mapping[str, str], faults: list[str]) -> Credentials | None:
    """Read the credentials; None without ``MicrosoftAppId``. The faults contain no secret."""
    if "MICROSOFTAPPID" in given:
        return Credentials.read(given, faults)
    if "MICROSOFTAPPPASSWORD" in given:
        faults.append("MicrosoftAppPassword is set, but MicrosoftAppId is not")
    return None


def find_cloud(value: object) -> object:
    """The cloud of a value of ``ChannelService``."""
    if isinstance(value, Cloud):
        return value
    if cloud := CLOUDS.get(str(value).rstrip("/").lower()):
        return cloud
    raise ValueError(f"is not known: use {' or '.join(filter(None, CLOUDS))}, or none")


def list_tenants(value: object) -> object:
    """The ids of tenants in a value of ``TEAMS_TENANT_IDS``; none for ``*``, which means all."""
    if value == "*":
        return []
    if not (ids := split_list(value)):
        raise PydanticCustomError("too_short", "no tenant")
    return ids


def read_own_tenant(given: Mapping[str, str], faults: list[str]) -> frozenset[str]:
    """The bot's own tenant, if it is registered for one and ``TEAMS_TENANT_IDS`` is not set.

    People of other tenants can install such a bot too, and would get its documents.
    """
    if given.get("MICROSOFTAPPTYPE", "").lower() not in _OF_ONE_TENANT or "MICROSOFTAPPID" not in given:
        return frozenset()
    tenant = given.get("MICROSOFTAPPTENANTID", "")
    if tenant and not GUID.fullmatch(tenant):
        # Activities of Teams have a tenant's id, and not its domain.
        faults.append(
            f"MicrosoftAppTenantId={tenant} is not a GUID: use the tenant's id, "
            "or name whom to answer on Teams with TEAMS_TENANT_IDS"
        )
    return frozenset({tenant.lower()})
