"""start_oidc_session: what an OpenID provider says of a person becomes a session."""

from typing import NamedTuple

from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.domain.errors import Forbidden
from pendesk.domain.event import Event
from pendesk.domain.event_data import MemberAddedData, UserCreatedData, UserLinkedData
from pendesk.domain.oidc import Identity
from pendesk.domain.people import Member, User
from pendesk.ids import new_id
from pendesk.operations.access.sessions import actor_of_signed_in_member, begin_session_and_get_secret
from pendesk.operations.operation import Call, Kind, Match, PrivilegedCall, SecretOperation
from pendesk.store import identities, people, sign_in
from pendesk.store.engine.tx import Tx
from pendesk.store.installation import find_first_workspace_id
from pendesk.store.sign_in import WorkspaceMember


class JoinPolicy(NamedTuple):
    """Whose verified address makes them a member without an invite, and with which role."""

    domains: frozenset[str]
    role: Role


class StartOidcSession(NamedTuple):
    identity: Identity
    joining: JoinPolicy
    browser: str = ""


def find(call: PrivilegedCall, args: StartOidcSession) -> Match[WorkspaceMember | None]:
    """None where they join now."""
    user = _find_user(call.tx, args.identity)
    if user is None:
        return Match(_require_joinable_workspace_id(call.tx, args), None)
    home = sign_in.oldest_membership(call.tx, user.id)
    if user.kind != "person" or home is None:
        raise _not_a_member_error(args.identity)
    return Match(home.workspace_id, home)


def run(call: PrivilegedCall, args: StartOidcSession, home: WorkspaceMember | None) -> str:
    if home is None:
        return _create_member_and_session_secret(call, args)
    identity = args.identity
    people.lock_member(call.tx, home.user_id)  # a removal that is under way comes first
    user = _find_user(call.tx, identity)
    if user is None or user.id != home.user_id or people.member(call.tx, home.user_id) is None:
        raise _not_a_member_error(identity)
    call.act_as(actor_of_signed_in_member(home))
    if identities.user(call.tx, identity.issuer, identity.subject) is None:
        _link_identity_and_clear_password(call, identity)
    return begin_session_and_get_secret(call, "oidc", args.browser)


def _link_identity_and_clear_password(call: Call, identity: Identity) -> None:
    """The first proof of who owns the address. Until now whoever made the account could know its password."""
    user_id = call.actor.user_id
    identities.link(call.tx, identity.issuer, identity.subject, user_id)
    people.set_password(call.tx, user_id, None)
    sign_in.end_other_sessions_in_all_workspaces(call.tx, user_id, None)
    call.record(Event("user.linked", user_id, data=UserLinkedData(issuer=identity.issuer), about_user_id=user_id))


def _find_user(tx: Tx, identity: Identity) -> User | None:
    """By the subject, which never changes; the first time by the address, which the provider has verified."""
    user = identities.user(tx, identity.issuer, identity.subject)
    if user is None and identity.email is not None:
        user = people.user_by_email(tx, identity.email)
        if user is not None and identities.is_linked(tx, identity.issuer, user.id):
            # The address was given to somebody else since: a new colleague must not get the former one's account.
            raise Forbidden(
                f"The account of {identity.email} belongs to another person at the provider. Ask an admin.",
                code="another_person",
            )
    return user


def _require_joinable_workspace_id(tx: Tx, args: StartOidcSession) -> str:
    workspace_id, email = find_first_workspace_id(tx), args.identity.email
    if workspace_id is None or email is None or email.partition("@")[2] not in args.joining.domains:
        raise _not_a_member_error(args.identity)
    return workspace_id


def _create_member_and_session_secret(call: PrivilegedCall, args: StartOidcSession) -> str:
    identity, role = args.identity, args.joining.role
    if people.user_by_email(call.tx, identity.email or "") is not None:
        raise Forbidden("You were added a moment ago. Sign in once more.", code="try_again")
    user = User(new_id(), "person", identity.email, identity.name, None, call.now)
    people.add_user(call.tx, user)
    people.add_member(call.tx, Member(user.id, role.label, call.now, None))
    identities.link(call.tx, identity.issuer, identity.subject, user.id)
    call.act_as(Actor(call.tx.workspace, user.id, user.name, role, ALL_SCOPES, "web"))
    call.record(Event("user.created", user.id, data=UserCreatedData(kind=user.kind)))
    member = MemberAddedData(role=role.label, kind=user.kind, by="oidc")
    call.record(Event("member.added", user.id, data=member))
    return begin_session_and_get_secret(call, "oidc", args.browser)


def _not_a_member_error(identity: Identity) -> Forbidden:
    account = identity.email or "this account (the provider told no verified email address)"
    return Forbidden(f"No account here is for {account}. Ask for an invite.", code="not_a_member")


OPERATION = SecretOperation(
    name="start_oidc_session",
    title="Sign in with an OpenID provider",
    description="The new session's secret; refused where nobody here is the person that the provider names.",
    input=StartOidcSession,
    output=str,
    kind=Kind.WRITE,
    check=None,
    find=find,
    verify=None,
    run=run,
)
