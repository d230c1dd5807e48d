"""Where a webhook may lead: by the rule that its deliveries are sent by, so none is saved that would never work."""

from pendesk.operations.outbound import Outbound


async def check_webhook_address(outbound: Outbound, url: str | None) -> None:
    """None: the address stays as it is. Its name may lead elsewhere later, so each delivery is judged again."""
    if url is not None:
        await outbound.check_allowed(url)
