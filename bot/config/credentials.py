"""The bot's registration, from the variables that the Bot Framework samples or the Agents SDK use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Final

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from .cloud import CLOUDS, Cloud
from .env import GUID, GUID_EXAMPLE, Guid, Variables, Words, split_list

MULTI_TENANT: Final = "MultiTenant"
SINGLE_TENANT: Final = "SingleTenant"
MANAGED_IDENTITY: Final = "UserAssignedMSI"
FEDERATED_IDENTITY: Final = "FederatedIdentity"
_APP_TYPES: Final = {
    name.lower(): name for name in (MULTI_TENANT, SINGLE_TENANT, MANAGED_IDENTITY, FEDERATED_IDENTITY)
}
_OF_ONE_TENANT: Final = frozenset({SINGLE_TENANT, MANAGED_IDENTITY, FEDERATED_IDENTITY})
_WITHOUT_SECRET: Final = frozenset({MANAGED_IDENTITY, FEDERATED_IDENTITY})
_OF_AGENTS: Final = "CONNECTIONS__SERVICE_CONNECTION__SETTINGS__"
_AGENTS_NAMES: Final = {
    "CLIENTID": "MicrosoftAppId",
    "CLIENTSECRET": "MicrosoftAppPassword",
    "TENANTID": "MicrosoftAppTenantId",
    "FEDERATEDCLIENTID": "MANAGED_IDENTITY_CLIENT_ID",
}
"""The variables of the Microsoft 365 Agents SDK, and ours for the same things."""
_AGENTS_TYPES: Final = {
    "clientsecret": "",
    "usermanagedidentity": MANAGED_IDENTITY,
    "federatedcredentials": FEDERATED_IDENTITY,
}
"""The values of its ``AUTHTYPE``, and ours. Of a secret's, the tenant tells which one it is."""


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
    tenant_id: str = Field(default="", validation_alias="MicrosoftAppTenantId")
    """The id of the tenant. All types but `MultiTenant` need it."""
    app_type: Annotated[str, BeforeValidator(_find_app_type), Words()] = Field(
        default="", validation_alias="MicrosoftAppType"
    )
    """The type: `SingleTenant`, `UserAssignedMSI`, `FederatedIdentity` or `MultiTenant`. Without it,
    `SingleTenant` where a tenant is given, and else `MultiTenant`, which Azure makes no more."""
    managed_identity_id: str = Field(default="", validation_alias="MANAGED_IDENTITY_CLIENT_ID")
    """The client id of the managed identity whose token stands for a secret. The type
    `FederatedIdentity` needs it."""

    @property
    def kind(self) -> str:
        """The type of the registration, which follows the tenant where none is named."""
        return self.app_type or _type_by_tenant(self.tenant_id)

    @classmethod
    def find_contradictions(cls, given: Mapping[str, str]) -> Iterator[str]:
        """What the type of the registration needs, and is not there."""
        app_type = _type_of(given)
        if "MICROSOFTAPPPASSWORD" not in given and app_type not in _WITHOUT_SECRET:
            yield "MicrosoftAppId is set, but MicrosoftAppPassword is not"
        if "MICROSOFTAPPTENANTID" not in given and app_type in _OF_ONE_TENANT:
            yield f"MicrosoftAppType={app_type} needs MicrosoftAppTenantId"
        if "MANAGED_IDENTITY_CLIENT_ID" not in given and app_type == FEDERATED_IDENTITY:
            yield f"MicrosoftAppType={app_type} needs MANAGED_IDENTITY_CLIENT_ID"


def _type_by_tenant(tenant: str) -> str:
    return SINGLE_TENANT if tenant else MULTI_TENANT


def _type_of(given: Mapping[str, str]) -> str:
    """The type of a registration; a name that is not known stays as it is."""
    name = given.get("MICROSOFTAPPTYPE", "")
    return _APP_TYPES.get(name.lower(), name) or _type_by_tenant(given.get("MICROSOFTAPPTENANTID", ""))


def take_agents_names(given: Mapping[str, str], faults: list[str]) -> dict[str, str]:
    """``given`` with the variables of the Agents SDK under our names.

    Governing source: the Agents SDK's ``AgentAuthConfiguration``. Where both are given, they are the same.
    """
    taken = dict(given)
    theirs = {ours: given.get(f"{_OF_AGENTS}{name}", "") for name, ours in _AGENTS_NAMES.items()}
    auth = f"{_OF_AGENTS}AUTHTYPE"
    if (kind := given.get(auth, "")) and kind.lower() not in _AGENTS_TYPES:
        known = "ClientSecret, UserManagedIdentity or FederatedCredentials"
        faults.append(f"{auth}={kind} is not known here: use {known}")
    theirs["MicrosoftAppType"] = _AGENTS_TYPES.get(kind.lower(), "")
    for name, value in theirs.items():
        if value and taken.setdefault(name.upper(), value).lower() != value.lower():
            faults.append(f"{name} and the Agents SDK's name for it are different: leave one of them out")
    return taken


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
    if _type_of(given) not in _OF_ONE_TENANT or "MICROSOFTAPPID" not in given:
        return frozenset()
    tenant = given.get("MICROSOFTAPPTENANTID", "")
    if tenant and not GUID.fullmatch(tenant):
        # Activities of Teams have a tenant's id, and not its domain.
        faults.append(
            f"MicrosoftAppTenantId={tenant} is not a GUID: use the tenant's id, "
            "or name whom to answer on Teams with TEAMS_TENANT_IDS"
        )
    return frozenset({tenant.lower()})
