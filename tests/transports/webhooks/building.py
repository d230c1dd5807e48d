"""What an agent does beside GitHub's calls."""

from typing import Any

from tests.transports.webhooks.conftest import Hub


async def claim(hub: Hub, number: int = 0) -> dict[str, Any]:
    action = hub.work.actions[number]
    await hub.desk.call(hub.owner, "claim_action", action_pid=action["pid"])
    await hub.desk.call(hub.owner, "get_action_brief", action_pid=action["pid"])
    return action


async def report(hub: Hub, action: dict[str, Any], sha: str, **more: Any) -> None:
    told = {"message": "As the agent tells it", **more}
    await hub.desk.call(hub.owner, "report_commit", action_pid=action["pid"], sha=sha, **told)


async def submit(hub: Hub, action: dict[str, Any], pr_url: str) -> None:
    await hub.desk.call(
        hub.owner, "submit_for_review", action_pid=action["pid"], pr_url=pr_url, summary="The form is there."
    )


async def evidence(hub: Hub, number: int = 0) -> list[tuple[str, bool] | None]:
    """Of each criterion: the level of its best evidence, and whether that is stale."""
    found = []
    for criterion in (await hub.action(number))["criteria"]:
        piece = criterion.get("evidence")
        found.append((piece["level"], "stale" in piece) if piece else None)
    return found
