"""GET /specs/{spec}/builds: what was published, and what changed from build to build."""

from typing import Any

from pendesk.transports.web.parts.field_names import FIELD_NAMES
from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    spec = await view.call("get_spec_draft", spec_id=view.path_param("spec"))
    page = await view.call("list_builds", spec_id=spec.pid, cursor=_parse_build_number(view.query_param("cursor")))
    number = _parse_build_number(view.query_param("build")) or (int(spec.build[1:]) if spec.build else None)
    diff = None
    if number is not None:
        since = _parse_build_number(view.query_param("since"))
        if since is not None:
            since, number = sorted((since, number))
        diff = await view.call("compare_builds", spec_id=spec.pid, to_build=number, from_build=since)
    data = {"spec": spec, "builds": page.builds, "next_cursor": page.next_cursor}
    return {**data, "diff": diff, "names": FIELD_NAMES}


def _parse_build_number(text: str | None) -> int | None:
    """As it stands in an address: B2, or 2."""
    digits = (text or "").lstrip("Bb")
    return int(digits) if digits.isdecimal() and len(digits) < 10 else None


PAGE = Page("/specs/{spec}/builds", "builds.html", load)
