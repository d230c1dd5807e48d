"""Why an agent has nothing to do in a project, as the owner of the data folder sees it."""

from typing import Any

from pendesk.cli.parts.console import Console
from pendesk.cli.parts.local import LocalClient, run_locally
from pendesk.settings import Settings


def no_work_reason_and_fix(settings: Settings, context: dict[str, Any], connect_command: str) -> tuple[str, str]:
    """The reason, and the command that changes it; empty if nothing is wrong."""
    console = Console()
    console.data = str(settings.data)
    return run_locally(console, lambda local: _find_no_work_reason_and_fix(local, context, connect_command))


async def _find_no_work_reason_and_fix(
    local: LocalClient, context: dict[str, Any], connect_command: str
) -> tuple[str, str]:
    project = context["project"]
    key, user_name = project["key"], context["userName"]
    if project["state"] != "active":
        return f"{key} is {project['state']}", f"Run: pendesk project activate {key}"
    specs = (await local.call_all_pages("list_specs", "specs", project_id=key))["specs"]
    published = [spec for spec in specs if spec["build"] is not None]
    if not published:
        if not specs and await _has_tasks(local, key):
            return f"every task of {key} is in progress, blocked, done, or not in todo yet", ""
        if not specs:
            fix = f"Write one in the web app; or for the sample, run: pendesk demo && {connect_command} --project HRB"
            return f"{key} has no spec yet", fix
        return f"no spec of {key} is published", f"Run: pendesk spec publish {specs[0]['pid']}"
    for spec in published:
        draft = await local.call("get_spec_draft", spec_id=spec["pid"])
        if draft["everyoneTakesPart"] or context["userId"] in [
            participant["userId"] for participant in draft["participants"]
        ]:
            return f"every action of {key} that {user_name} may claim is claimed, blocked or done", ""
    problem = f"{user_name} is not a participant of any published spec of {key}"
    return problem, f"Run: pendesk spec share {published[0]['pid']} {context['userId']}"


async def _has_tasks(local: LocalClient, project_key: str) -> bool:
    """A project of tasks alone is a whole one: it needs no spec."""
    counts: dict[str, int] = (await local.call("get_project", project_id=project_key))["counts"]
    return any(counts.values())
