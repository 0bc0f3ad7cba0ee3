"""The bot's registration, from the variables that the Bot Framework samples use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from .cloud import CLOUDS, PUBLIC, Cloud
from .env import GUID, GUID_EXAMPLE, read_ids

_APP_TYPES: Final = {name.lower(): name for name in ("MultiTenant", "SingleTenant", "UserAssignedMSI")}
_OF_ONE_TENANT: Final = frozenset({"singletenant", "userassignedmsi"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """The bot's registration with Azure Bot Service, in the terms of the Bot Framework samples."""

    app_id: str
    password: str = field(default="", repr=False)
    app_type: str = "MultiTenant"
    tenant_id: str = ""


def read_credentials(given: Mapping[str, str], faults: list[str]) -> Credentials | None:
    """Read the credentials; None without ``MicrosoftAppId``. The faults contain no secret."""
    app_id, password = given.get("MicrosoftAppId", ""), given.get("MicrosoftAppPassword", "")
    type_name, tenant = given.get("MicrosoftAppType", "MultiTenant"), given.get("MicrosoftAppTenantId", "")
    if not app_id:
        if password:
            faults.append("MicrosoftAppPassword is set, but MicrosoftAppId is not")
        return None
    app_type = _APP_TYPES.get(type_name.lower(), "")
    if not app_type:
        faults.append(f"MicrosoftAppType={type_name} is not known: use {', '.join(_APP_TYPES.values())}")
    if not GUID.fullmatch(app_id):
        faults.append(f"MicrosoftAppId is not a GUID such as {GUID_EXAMPLE}")
    if not password and app_type != "UserAssignedMSI":
        faults.append("MicrosoftAppId is set, but MicrosoftAppPassword is not")
    if not tenant and app_type.lower() in _OF_ONE_TENANT:
        faults.append(f"MicrosoftAppType={app_type} needs MicrosoftAppTenantId")
    return Credentials(app_id=app_id, password=password, app_type=app_type, tenant_id=tenant)


def read_cloud(given: Mapping[str, str], faults: list[str]) -> Cloud:
    """Read the cloud from ``ChannelService``."""
    value = given.get("ChannelService", "")
    cloud = CLOUDS.get(value.rstrip("/").lower())
    if cloud is None:
        known = " or ".join(filter(None, CLOUDS))
        faults.append(f"ChannelService={value} is not known: use {known}, or none")
    return cloud or PUBLIC


def read_tenants(given: Mapping[str, str], faults: list[str]) -> frozenset[str]:
    """Read the tenants whose members are answered on Teams; an empty set means all."""
    if given.get("TEAMS_TENANT_IDS") == "*":
        return frozenset()
    app_type = given.get("MicrosoftAppType", "").lower()
    if "TEAMS_TENANT_IDS" not in given and "MicrosoftAppId" in given and app_type in _OF_ONE_TENANT:
        # People of other tenants can install a single-tenant bot too, and would get its documents.
        return _read_own_tenant(given, faults)
    fault = f"TEAMS_TENANT_IDS: {{}} is not a GUID such as {GUID_EXAMPLE}"
    tenants = read_ids("TEAMS_TENANT_IDS", given, faults, GUID, fault)
    if "TEAMS_TENANT_IDS" in given and not tenants:
        faults.append("TEAMS_TENANT_IDS names no tenant")
    return frozenset(tenant.lower() for tenant in tenants)


def _read_own_tenant(given: Mapping[str, str], faults: list[str]) -> frozenset[str]:
    tenant = given.get("MicrosoftAppTenantId", "")
    if tenant and not GUID.fullmatch(tenant):
        # Activities of Teams have a tenant's id, and not its domain.
        faults.append(
            f"MicrosoftAppTenantId={tenant} is not a GUID: use the tenant's id, "
            "or name whom to answer on Teams with TEAMS_TENANT_IDS"
        )
    return frozenset({tenant.lower()})
