"""get_share: what a guest sees through a link."""

import msgspec

from pendesk.domain.access import Role, Scope
from pendesk.domain.mirror import ActionMirror, ProjectMirror
from pendesk.domain.publication import Mirror
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, to_iso_or_none
from pendesk.operations.sharing.guests import Secret, find_share_or_mirror_by_link
from pendesk.operations.sharing.mirror_flow import ShownFlow, lay_out_flow_graph
from pendesk.operations.sharing.mirror_json import ShownAction, ShownProject, to_shown_action, to_shown_project
from pendesk.operations.sharing.mirror_source import build_mirror_for_share


class GetShare(Input):
    secret: Secret


class Shared(Output):
    """project or action: one of the two. drawnAt: how old the page is. flow: where a project's actions stand."""

    takes_items: bool
    drawn_at: str | None
    project: ShownProject | None = None
    action: ShownAction | None = None
    flow: ShownFlow | None = None
    expires_at: str | None = None


def run(call: Call, args: GetShare) -> Shared:
    opened = find_share_or_mirror_by_link(call, args.secret)
    if isinstance(opened, Mirror):
        received = msgspec.json.decode(opened.content, type=ShownProject)
        return Shared(
            takes_items=True,
            drawn_at=to_iso_or_none(opened.drawn_at),
            project=received,
            flow=lay_out_flow_graph(received),
        )
    mirror = build_mirror_for_share(call, opened)
    project = to_shown_project(mirror) if isinstance(mirror, ProjectMirror) else None
    return Shared(
        takes_items=bool(opened.takes_items),
        drawn_at=to_iso_or_none(call.now),
        project=project,
        flow=lay_out_flow_graph(project) if project else None,
        action=to_shown_action(mirror) if isinstance(mirror, ActionMirror) else None,
        expires_at=to_iso_or_none(opened.expires_at),
    )


OPERATION = Operation(
    name="get_share",
    title="Open a share",
    description="What the link of a share shows. Refused: 404 the link is unknown, has ended or was revoked.",
    input=GetShare,
    output=Shared,
    scope=Scope.GUEST,
    role=Role.VIEWER,
    kind=Kind.HEAVY_READ,
    run=run,
)
