"""GET /p/{key}/specs: the specs of a project, by goal."""

from typing import Any

from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    project = await view.call("get_project", project_id=view.path_param("key"))
    page = await view.call("list_specs", project_id=project.pid, cursor=view.query_param("cursor"))
    proposals = await view.call("list_proposals", project_id=project.pid)
    known = {goal.pid for goal in project.goals}
    loose = [spec for spec in page.specs if spec.goal_id not in known]
    groups = [(goal, [spec for spec in page.specs if spec.goal_id == goal.pid]) for goal in project.goals]
    return {
        "project": project,
        "groups": groups + ([(None, loose)] if loose else []),
        "goal_choices": [("", "None"), *((goal.pid, goal.title) for goal in project.goals)] if project.goals else [],
        "next_cursor": page.next_cursor,
        "proposals": proposals.proposals,
    }


PAGE = Page("/p/{key}/specs", "specs.html", load, follows_log=True)
