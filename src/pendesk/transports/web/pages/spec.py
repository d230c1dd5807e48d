"""GET /specs/{spec}: a spec as it is being written, with its plans, actions and criteria, all on one page."""

from typing import Any

from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    spec = await view.call("get_spec_draft", spec_id=view.named("spec"), plan_id=view.asked("plan"))
    members = await view.call("list_members")
    taking_part = {one.user_id for one in spec.participants}
    others = [one for one in members.members if one.user_id not in taking_part]
    return {"spec": spec, "others": others}


PAGE = Page("/specs/{spec}", "spec.html", load)
