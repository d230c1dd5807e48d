"""Why a project has nothing to claim for somebody, as the owner of the data folder sees it."""

from typing import Any

from pendesk.cli.parts.console import Console
from pendesk.cli.parts.local import Local, at_desk
from pendesk.settings import Settings


def why_nothing(settings: Settings, context: dict[str, Any], connect: str) -> tuple[str, str]:
    """What is so, and the command that changes it; without one, nothing is wrong."""
    console = Console()
    console.data = str(settings.data)
    return at_desk(console, lambda local: _why(local, context, connect))


async def _why(local: Local, context: dict[str, Any], connect: str) -> tuple[str, str]:
    project = context["project"]
    key, who = project["key"], context["userName"]
    if project["state"] != "active":
        return f"{key} is {project['state']}", f"Run: pendesk project activate {key}"
    specs = (await local.call_all("list_specs", "specs", project_id=key))["specs"]
    published = [spec for spec in specs if spec["build"] is not None]
    if not published:
        if not specs:
            fix = f"Write one in the web app; or for the sample, run: pendesk demo && {connect} --project HRB"
            return f"{key} has no spec yet", fix
        return f"no spec of {key} is published", f"Run: pendesk spec publish {specs[0]['pid']}"
    for spec in published:
        draft = await local.call("get_spec_draft", spec_id=spec["pid"])
        if context["userId"] in [each["userId"] for each in draft["participants"]]:
            return f"all that {who} could take in {key} is taken, waits for something else, or is done", ""
    told = f"{who} takes part in no published spec of {key}"
    return told, f"Run: pendesk spec share {published[0]['pid']} {context['userId']}"
