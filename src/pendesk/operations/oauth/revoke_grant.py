"""revoke_grant: end the access of a program that signed in by OAuth, from its next request on."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import NotFound
from pendesk.ids import parse_id
from pendesk.operations.fields import Ident
from pendesk.operations.oauth.issue import record_grant_revoked
from pendesk.operations.oauth.list_grants import GrantView, to_grant_view
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import grants, people


class RevokeGrant(Input):
    grant_id: Annotated[Ident, Meta(description="The grant's id from list_grants.")]


def run(call: Call, args: RevokeGrant) -> GrantView:
    pid = parse_id(args.grant_id)
    if pid is not None:
        grants.lock_out(call.tx, pid)
    grant = grants.by_id(call.tx, pid) if pid else None
    if grant is None or (grant.user_id != call.actor.user_id and call.actor.role < Role.ADMIN):
        raise NotFound("grant", args.grant_id)
    if grant.revoked_at is None:
        grants.revoke(call.tx, grant.id)
        record_grant_revoked(call, grant, "a person ended it")
        grant = grant._replace(revoked_at=call.now)
    user = people.user(call.tx, grant.user_id)
    return to_grant_view(grant, user.name if user else "")


OPERATION = Operation(
    name="revoke_grant",
    title="Revoke a grant",
    description=(
        "Revoke the access of a program that signed in by OAuth: all its tokens are refused with 401 from the next "
        "request on. A second call changes nothing. Admins may revoke any grant. Refused: 404 no such grant of yours."
    ),
    input=RevokeGrant,
    output=GrantView,
    scope=Scope.PERSON,
    role=Role.VIEWER,
    kind=Kind.WRITE,
    run=run,
)
