"""GET /p/{key}/specs: the specs of a project, by goal."""

from typing import Any

from pendesk.transports.web.view import Page, View

NO_GOAL = "No goal"


async def load(view: View) -> dict[str, Any]:
    project = await view.call("get_project", project_id=view.named("key"))
    found = await view.call("list_specs", project_id=project.pid, cursor=view.asked("cursor"))
    titles = {goal.pid: goal.title for goal in project.goals}
    groups: dict[str, list[Any]] = {title: [] for title in [*titles.values(), NO_GOAL]}
    for spec in found.specs:
        groups[titles.get(spec.goal_id, NO_GOAL)].append(spec)
    return {
        "project": project,
        "groups": {title: specs for title, specs in groups.items() if specs},
        "goal_choices": [("", "None"), *titles.items()] if titles else [],
        "next_cursor": found.next_cursor,
    }


PAGE = Page("/p/{key}/specs", "specs.html", load)
