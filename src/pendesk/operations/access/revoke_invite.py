"""revoke_invite: take an invite back before it is accepted."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import NotFound
from pendesk.domain.event import Event
from pendesk.domain.event_data import InviteData
from pendesk.domain.people import Invite
from pendesk.ids import parse_id
from pendesk.operations.access.list_invites import InviteView, invite_views
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import invites


class RevokeInvite(Input):
    invite_id: Annotated[Ident, Meta(description="The invite's id from list_invites.")]


def run(call: Call, args: RevokeInvite) -> InviteView:
    pid = parse_id(args.invite_id)
    invite = invites.by_id(call.tx, pid) if pid else None
    if invite is None:
        raise NotFound("invite", args.invite_id)
    invites.lock(call.tx, invite.hash)
    revoke(call, invite)
    return invite_views(call, [invite])[0]


def revoke(call: Call, invite: Invite) -> None:
    invites.mark_used(call.tx, invite.id)
    if invite.used_at is None:
        call.record(Event("invite.revoked", invite.id, data=InviteData(role=invite.role)))


OPERATION = Operation(
    name="revoke_invite",
    title="Revoke an invite",
    description=(
        "Take an invite back: its link no longer works. Revoking it again, or after it was accepted, changes nothing. "
        "Refused: 404 no such invite."
    ),
    input=RevokeInvite,
    output=InviteView,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.WRITE,
    run=run,
)
