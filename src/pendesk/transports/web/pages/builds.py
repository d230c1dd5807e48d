"""GET /specs/{spec}/builds: what was published, and what changed from build to build."""

from typing import Any

from pendesk.transports.web.parts.field_names import FIELD_NAMES
from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    spec = await view.call("get_spec_draft", spec_id=view.named("spec"))
    found = await view.call("list_builds", spec_id=spec.pid, cursor=_number(view.asked("cursor")))
    shown = _number(view.asked("build")) or (int(spec.build[1:]) if spec.build else None)
    diff = None
    if shown is not None:
        since = _number(view.asked("since"))
        if since is not None:
            since, shown = sorted((since, shown))
        diff = await view.call("compare_builds", spec_id=spec.pid, to_build=shown, from_build=since)
    told = {"spec": spec, "builds": found.builds, "next_cursor": found.next_cursor}
    return {**told, "diff": diff, "names": FIELD_NAMES}


def _number(text: str | None) -> int | None:
    """As it stands in an address: B2, or 2."""
    digits = (text or "").lstrip("Bb")
    return int(digits) if digits.isdecimal() and len(digits) < 10 else None


PAGE = Page("/specs/{spec}/builds", "builds.html", load)
