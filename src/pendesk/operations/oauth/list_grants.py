"""list_grants: which programs may act in a person's name, by OAuth."""

from typing import Annotated

from msgspec import Meta

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.membership import check_may_manage_account
from pendesk.domain.oauth import Grant
from pendesk.operations.access.accounts import UserPid, find_account_defaulting_to_caller
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, to_iso_or_none
from pendesk.store import grants


class ListGrants(Input):
    user_pid: UserPid | None = None
    everyone: Annotated[bool, Meta(description="Grants of all members; for admins.")] = False


class GrantView(Output):
    grant_id: str
    client_id: str
    client_name: str
    user_id: str
    user_name: str
    scopes: list[str]
    created_at: str
    refreshed_at: str
    expires_at: str
    last_used_at: str | None = None
    revoked_at: str | None = None


class GrantList(Output):
    grants: list[GrantView]


def run(call: Call, args: ListGrants) -> GrantList:
    user_id = None
    if not args.everyone or call.actor.role < Role.ADMIN:
        account = find_account_defaulting_to_caller(call, args.user_pid)
        check_may_manage_account(call.actor, account)
        user_id = account.user_id
    return GrantList(grants=[to_grant_view(*in_use) for in_use in grants.live(call.tx, user_id)])


def to_grant_view(grant: Grant, user_name: str, last_used_at: int | None = None) -> GrantView:
    return GrantView(
        grant_id=grant.id,
        client_id=grant.client_id,
        client_name=grant.client_name,
        user_id=grant.user_id,
        user_name=user_name,
        scopes=grant.scopes.split(),
        created_at=to_iso(grant.created_at),
        refreshed_at=to_iso(grant.refreshed_at),
        expires_at=to_iso(grant.expires_at),
        last_used_at=to_iso_or_none(last_used_at),
        revoked_at=to_iso_or_none(grant.revoked_at),
    )


OPERATION = Operation(
    name="list_grants",
    title="List grants",
    description=(
        "Programs that signed in through the browser and can act in your name, with scopes and when they were last "
        "used; an admin may list everyone's. Revoke one with revoke_grant."
    ),
    input=ListGrants,
    output=GrantList,
    scope=Scope.PERSON,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
