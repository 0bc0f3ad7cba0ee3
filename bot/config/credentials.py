"""The bot's registration, from the variables that the Bot Framework samples use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from .cloud import CLOUDS, PUBLIC, Cloud
from .env import GUID, GUID_EXAMPLE, Environment

_APP_TYPES: Final = {name.lower(): name for name in ("MultiTenant", "SingleTenant", "UserAssignedMSI")}
_OF_ONE_TENANT: Final = frozenset({"singletenant", "userassignedmsi"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """The bot's registration with Azure Bot Service, in the terms of the Bot Framework samples."""

    app_id: str
    password: str = field(default="", repr=False)
    app_type: str = "MultiTenant"
    tenant_id: str = ""


def read_credentials(env: Environment) -> Credentials | None:
    """Read the credentials; None without ``MicrosoftAppId``. The faults contain no secret."""
    app_id, password = env.get("MicrosoftAppId"), env.get("MicrosoftAppPassword")
    type_name, tenant = env.get("MicrosoftAppType", "MultiTenant"), env.get("MicrosoftAppTenantId")
    if not app_id:
        if password:
            env.faults.append("MicrosoftAppPassword is set, but MicrosoftAppId is not")
        return None
    app_type = _APP_TYPES.get(type_name.lower(), "")
    if not app_type:
        env.faults.append(f"MicrosoftAppType={type_name} is not known: use {', '.join(_APP_TYPES.values())}")
    if not GUID.fullmatch(app_id):
        env.faults.append(f"MicrosoftAppId is not a GUID such as {GUID_EXAMPLE}")
    if not password and app_type != "UserAssignedMSI":
        env.faults.append("MicrosoftAppId is set, but MicrosoftAppPassword is not")
    if not tenant and app_type.lower() in _OF_ONE_TENANT:
        env.faults.append(f"MicrosoftAppType={app_type} needs MicrosoftAppTenantId")
    return Credentials(app_id=app_id, password=password, app_type=app_type, tenant_id=tenant)


def read_cloud(env: Environment) -> Cloud:
    """Read the cloud from ``ChannelService``."""
    value = env.get("ChannelService")
    cloud = CLOUDS.get(value.rstrip("/").lower())
    if cloud is None:
        known = " or ".join(filter(None, CLOUDS))
        env.faults.append(f"ChannelService={value} is not known: use {known}, or none")
    return cloud or PUBLIC


def read_tenants(env: Environment) -> frozenset[str]:
    """Read the tenants whose members are answered on Teams; an empty set means all."""
    if env.get("TEAMS_TENANT_IDS") == "*":
        return frozenset()
    app_type = env.get("MicrosoftAppType").lower()
    if "TEAMS_TENANT_IDS" not in env and "MicrosoftAppId" in env and app_type in _OF_ONE_TENANT:
        # People of other tenants can install a single-tenant bot too, and would get its documents.
        return _read_own_tenant(env)
    fault = f"TEAMS_TENANT_IDS: {{}} is not a GUID such as {GUID_EXAMPLE}"
    tenants = env.read_ids("TEAMS_TENANT_IDS", GUID, fault)
    if "TEAMS_TENANT_IDS" in env and not tenants:
        env.faults.append("TEAMS_TENANT_IDS names no tenant")
    return frozenset(tenant.lower() for tenant in tenants)


def _read_own_tenant(env: Environment) -> frozenset[str]:
    tenant = env.get("MicrosoftAppTenantId")
    if tenant and not GUID.fullmatch(tenant):
        # Activities of Teams have a tenant's id, and not its domain.
        env.faults.append(
            f"MicrosoftAppTenantId={tenant} is not a GUID: use the tenant's id, "
            "or name whom to answer on Teams with TEAMS_TENANT_IDS"
        )
    return frozenset({tenant.lower()})
