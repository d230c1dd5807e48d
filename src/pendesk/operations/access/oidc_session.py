"""What an OpenID provider says of a person becomes a session. Not an operation: before it there is nobody to admit."""

from typing import NamedTuple

from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.domain.errors import Forbidden
from pendesk.domain.event import Event
from pendesk.domain.oidc import Identity
from pendesk.domain.people import Member, User
from pendesk.ids import new_id
from pendesk.operations.access.start_session import as_actor, begin_session
from pendesk.operations.dispatch import Store
from pendesk.operations.operation import Call, Installation
from pendesk.store import identities, people, sign_in
from pendesk.store.engine.tx import Tx
from pendesk.store.installation import find_first_workspace


class Joining(NamedTuple):
    """Whose verified address makes them a member without an invite, and with which role."""

    domains: frozenset[str]
    role: Role


async def start_oidc_session(
    store: Store, installation: Installation, identity: Identity, joining: Joining, browser: str = ""
) -> str:
    """The session's secret; refused where nobody here is that person."""
    user = await store.read("", lambda tx: _known(tx, identity))
    if user is None:
        return await _join(store, installation, identity, joining, browser)
    home = await store.read("", lambda tx: sign_in.home(tx, user.id))
    if user.kind != "person" or home is None:
        raise _not_a_member(identity)

    def work(tx: Tx) -> str:
        people.lock_member(tx, user.id)  # a removal that is under way comes first
        still = _known(tx, identity)
        if still is None or still.id != user.id or people.member(tx, user.id) is None:
            raise _not_a_member(identity)
        call = Call(tx, as_actor(home), installation)
        if identities.user(tx, identity.issuer, identity.subject) is None:
            _link(call, identity)
        return begin_session(call, "oidc", browser)

    return await store.write(home.workspace_id, work)


def _link(call: Call, identity: Identity) -> None:
    """The first proof of who owns the address. Until now whoever made the account could know its password."""
    user_id = call.actor.user_id
    identities.link(call.tx, identity.issuer, identity.subject, user_id)
    people.set_password(call.tx, user_id, None)
    sign_in.end_others_everywhere(call.tx, user_id, None)
    call.record(Event("user.linked", user_id, data={"issuer": identity.issuer}))


def _known(tx: Tx, identity: Identity) -> User | None:
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


async def _join(store: Store, installation: Installation, identity: Identity, joining: Joining, browser: str) -> str:
    workspace_id = await store.read("", find_first_workspace)
    email = identity.email
    if workspace_id is None or email is None or email.partition("@")[2] not in joining.domains:
        raise _not_a_member(identity)

    def work(tx: Tx) -> str:
        if people.user_by_email(tx, email) is not None:
            raise Forbidden("You were added a moment ago. Sign in once more.", code="try_again")
        user = User(new_id(), "person", email, identity.name, None, tx.now)
        people.add_user(tx, user)
        people.add_member(tx, Member(user.id, joining.role.word, tx.now, None))
        identities.link(tx, identity.issuer, identity.subject, user.id)
        call = Call(tx, Actor(tx.workspace, user.id, user.name, joining.role, ALL_SCOPES, "web"), installation)
        call.record(Event("user.created", user.id, data={"name": user.name, "kind": user.kind}))
        told = {"name": user.name, "kind": user.kind, "role": joining.role.word, "by": "oidc"}
        call.record(Event("member.added", user.id, data=told))
        return begin_session(call, "oidc", browser)

    return await store.write(workspace_id, work)


def _not_a_member(identity: Identity) -> Forbidden:
    whom = identity.email or "this account (the provider told no verified email address)"
    return Forbidden(f"No account here is for {whom}. Ask for an invite.", code="not_a_member")
