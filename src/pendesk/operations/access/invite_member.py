"""invite_member: a link with which one person joins the workspace, once."""

import secrets
from typing import Annotated

from msgspec import Meta

from pendesk.clock import to_iso
from pendesk.domain import limits, token
from pendesk.domain.access import Role, RoleWord, Scope
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.event_data import InviteData
from pendesk.domain.membership import check_may_grant_role
from pendesk.domain.people import Invite
from pendesk.ids import new_id
from pendesk.operations.access.accounts import Email, owner_id_for_new_item
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import invites, people


class InviteMember(Input):
    """There is no idempotency_key here: a remembered answer would keep the secret."""

    # Chosen by the inviter, never by who accepts: nobody joins under an address that is another's.
    email: Annotated[Email, Meta(description="The address they will sign in with.")]
    role: RoleWord = "member"


class Invited(Output):
    url: str
    invite_id: str
    role: str
    expires_at: str
    email: str


def run(call: Call, args: InviteMember) -> Invited:
    role = Role.from_label(args.role)
    check_may_grant_role(call.actor, role)
    owner_id_for_new_item(call, "invite")
    email = args.email.lower()
    if people.account_by_email(call.tx, email) is not None:
        raise RuleBroken(f"{email} is a member already. Change their role instead.", code="already_member")
    code = token.make_link_or_cookie_secret(secrets.token_bytes(token.RANDOM_BYTES))
    expires_at = call.now + limits.INVITE_US
    invite = Invite(
        new_id(), token.hash_secret(code), email, role.label, call.actor.user_id, call.now, expires_at, used_at=None
    )
    invites.add(call.tx, invite)
    call.record(Event("invite.created", invite.id, data=InviteData(role=role.label)))
    return Invited(
        url=f"{call.installation.public_url}/invite?code={code}",
        invite_id=invite.id,
        role=role.label,
        expires_at=to_iso(expires_at),
        email=email,
    )


OPERATION = Operation(
    name="invite_member",
    title="Invite a member",
    description=(
        "A link with which one person joins the workspace with the role you choose, once, within 7 days. They choose "
        "their name and password. Send it yourself; it is shown in this answer and never again. Void once you may "
        "not give that role any more. Refused: 403 a role above yours, 422 already a member."
    ),
    input=InviteMember,
    output=Invited,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.WRITE,
    run=run,
)
