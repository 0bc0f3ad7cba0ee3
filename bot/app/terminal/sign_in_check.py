"""What ``doctor`` looks at of people's sign-in: whether Bot Service has the connection."""

from __future__ import annotations

from typing import Final

from botbuilder.schema import Activity, ChannelAccount, ConversationAccount

from ...access.registration import Registration
from ...config.cloud import Cloud
from ...config.credentials import Credentials
from ...config.service_urls import ServiceUrls
from ...config.sign_in import SignInOptions
from ...connector import ChannelRefusal, ConnectorError, Connectors
from .finding import Finding, fault, good

_CHANNEL: Final = "directline"
_MEND: Final = (
    "Compare SIGN_IN_CONNECTION with the OAuth connection settings of the bot in the Azure portal: "
    "docs/microsoft365.md."
)


async def check_sign_in(
    options: SignInOptions, credentials: Credentials, cloud: Cloud, named: frozenset[str]
) -> Finding:
    """Ask Bot Service where nobody would sign in. Beside the cloud's, requests go to ``named`` hosts."""
    registration = Registration(credentials, cloud)
    connectors = Connectors(registration.tokens, ServiceUrls(frozenset(cloud.service_hosts), named))
    nobody = Activity(
        id="doctor",
        channel_id=_CHANNEL,
        service_url="https://directline.botframework.com/",
        conversation=ConversationAccount(id="doctor"),
        from_property=ChannelAccount(id="doctor"),
        recipient=ChannelAccount(id=credentials.app_id),
    )
    await connectors.open()
    try:
        tokens = connectors.user_tokens(cloud.token_service, cloud.scope, credentials.app_id)
        await tokens.get_sign_in_resource(options.connection, nobody, None)
    except ChannelRefusal as error:
        return fault(f"Bot Service offers no sign-in by {options.connection} (status {error.status}).", _MEND)
    except ConnectorError as error:
        return fault(f"Bot Service offers no sign-in: {error}.", "Let the bot connect to it.")
    finally:
        await connectors.close()
        await registration.close()
    return good(f"People can sign in by the connection {options.connection}.")
