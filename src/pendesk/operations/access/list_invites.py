"""list_invites: who may still join; never the links themselves."""

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import PAGE_ROWS
from pendesk.domain.people import Invite
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import invites, people


class ListInvites(Input):
    pass


class InviteView(Output):
    """createdBy is also its owner: an invite is never handed over."""

    invite_id: str
    role: str
    created_by: str
    created_by_name: str
    created_at: str
    expires_at: str
    email: str


class InviteList(Output):
    invites: list[InviteView]


def run(call: Call, args: ListInvites) -> InviteList:
    return InviteList(invites=invite_views(call, invites.pending_invites(call.tx, PAGE_ROWS)))


def invite_views(call: Call, pending: list[Invite]) -> list[InviteView]:
    names = people.names_by_user_id(call.tx, [invite.created_by for invite in pending])
    return [
        InviteView(
            invite_id=invite.id,
            role=invite.role,
            created_by=invite.created_by,
            created_by_name=names[invite.created_by],
            created_at=to_iso(invite.created_at),
            expires_at=to_iso(invite.expires_at),
            email=invite.email,
        )
        for invite in pending
    ]


OPERATION = Operation(
    name="list_invites",
    title="List invites",
    description="Invites that nobody has accepted yet, the newest first. Take one back with revoke_invite.",
    input=ListInvites,
    output=InviteList,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.READ,
    run=run,
)
