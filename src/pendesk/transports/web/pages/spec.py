"""GET /specs/{spec}: a spec as it is being written, with its plans, actions and criteria, all on one page."""

from typing import Any

from pendesk.transports.web.parts.comment_thread import load_comments
from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    spec = await view.call("get_spec_draft", spec_id=view.path_param("spec"), plan_id=view.query_param("plan"))
    members = await view.call("list_members")
    participants = {participant.user_id for participant in spec.participants}
    others = [member for member in members.members if member.user_id not in participants]
    proposals = await view.call("list_proposals", spec_id=spec.pid)
    comments = await load_comments(view, spec.project.pid, spec.pid)
    steps = await view.call("get_first_steps") if view.query_param("published") else None
    return {
        "own_address": f"/specs/{spec.ref_code or spec.pid}",
        "spec": spec,
        "others": others,
        "proposals": proposals.proposals,
        "comments": comments,
        "watch": await view.call("list_watchers", object_id=spec.pid),
        "steps": steps,
    }


PAGE = Page("/specs/{spec}", "spec.html", load)
