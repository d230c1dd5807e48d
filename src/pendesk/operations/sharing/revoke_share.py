"""revoke_share: a link ends at once; a mirror on another server is no longer updated."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import NotFound
from pendesk.domain.event import Event
from pendesk.domain.share import Share
from pendesk.ids import parse_id
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.sharing.share_results import ShareId, ShareView, share_views
from pendesk.store import publications, shares

NEXT_STEP = (
    "{server} still shows the mirror as it was sent last, and its token is deleted here. Have it removed there "
    "(remove_picture), and revoke the token there too."
)


class RevokeShare(Input):
    share_id: ShareId


class ShareRevoked(ShareView):
    next_step: str = ""


def run(call: Call, args: RevokeShare) -> ShareRevoked:
    share = _find_and_lock_share(call, args.share_id)
    (view,) = share_views(call, [revoke(call, share)])
    return ShareRevoked(
        **{name: getattr(view, name) for name in view.__struct_fields__},
        next_step=NEXT_STEP.format(server=share.server_url) if share.server_url else "",
    )


def revoke(call: Call, share: Share) -> Share:
    if share.revoked_at is not None:
        return share
    shares.revoke(call.tx, share.id)
    publications.remove_by_share(call.tx, share.id)
    event_data = {"serverUrl": share.server_url} if share.server_url else {}
    call.record(Event("share.revoked", share.id, share.project_id, action_id=share.action_id, data=event_data))
    return share._replace(revoked_at=call.now)


def _find_and_lock_share(call: Call, share_id: str) -> Share:
    pid = parse_id(share_id)
    if pid is not None:
        shares.lock(call.tx, pid)
    share = shares.by_id(call.tx, pid) if pid else None
    if share is None:
        raise NotFound("share", share_id)
    return share


OPERATION = Operation(
    name="revoke_share",
    title="Revoke a share",
    description=(
        "End a share: its link stops working. For a mirror on another server (state published), also "
        "delete that server's token. Revoking it again changes nothing. Refused: 404 no such share."
    ),
    input=RevokeShare,
    output=ShareRevoked,
    # What guests rely on is not an agent's to end: no tool takes away for good.
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
