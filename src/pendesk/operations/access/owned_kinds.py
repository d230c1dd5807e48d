"""How each kind of what a member owns is locked, ended and handed over: by the verbs of its own room."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from pendesk.domain.event import EventKind
from pendesk.domain.ownership import OwnedKind
from pendesk.operations.access import revoke_invite, revoke_token
from pendesk.operations.access.shut_out import end_membership
from pendesk.operations.github import remove_github_webhook
from pendesk.operations.operation import Call
from pendesk.operations.sharing import remove_picture, revoke_share
from pendesk.operations.webhooks import remove_webhook
from pendesk.store import (
    actions,
    assignees,
    claims,
    github,
    invites,
    mirrors,
    people,
    projects,
    shares,
    tokens,
    webhooks,
)
from pendesk.store.engine.tx import Tx

T = TypeVar("T")
EndHandler = Callable[[Call, str], None]


class OwnedKindHandlers(NamedTuple):
    """Without `set_owner` it is never handed over. `is_named`: its name may stand in the log; a user's never does."""

    lock: Callable[[Tx, str], None]
    end: EndHandler
    set_owner: Callable[[Tx, str, str], None] | None = None
    handed_over_event: EventKind | None = None
    is_named: bool = False


def _build_end_handler(find_item: Callable[[Tx, str], T | None], end_item: Callable[[Call, T], object]) -> EndHandler:
    """Ends the item if it is still there: somebody who was faster may have ended it since it was listed."""

    def end_if_exists(call: Call, item_id: str) -> None:
        item = find_item(call.tx, item_id)
        if item is not None:
            end_item(call, item)

    return end_if_exists


def _lock_project_and_github_webhook(tx: Tx, project_id: str) -> None:
    projects.lock(tx, project_id)
    github.lock_webhook(tx, project_id)


def _lock_invite(tx: Tx, invite_id: str) -> None:
    invite = invites.by_id(tx, invite_id)
    if invite is not None:
        invites.lock(tx, invite.hash)


def lock_actions_held_by(tx: Tx, user_id: str) -> None:
    """The actions that a member holds or has assigned, and will give back."""
    assigned = {action.id for action in assignees.assigned_to_user_or_their_agents(tx, user_id)}
    for action_id in sorted(assigned.union(claims.action_ids_held_by(tx, user_id))):
        actions.lock(tx, action_id)


_end_token = _build_end_handler(tokens.by_id, revoke_token.revoke)

# In the order in which they are locked: members first, then projects, actions last, as everywhere.
HANDLERS_BY_KIND: dict[OwnedKind, OwnedKindHandlers] = {
    "personal_token": OwnedKindHandlers(tokens.lock_out, _end_token),
    "agent_token": OwnedKindHandlers(tokens.lock_out, _end_token, tokens.set_owner, "token.handed_over", is_named=True),
    "github_webhook": OwnedKindHandlers(
        _lock_project_and_github_webhook,
        _build_end_handler(github.webhook, remove_github_webhook.remove_webhook),
        github.set_webhook_owner,
        "webhook.handed_over",
    ),
    # Not named: the addresses of chat services are secrets themselves.
    "webhook": OwnedKindHandlers(
        webhooks.lock,
        _build_end_handler(webhooks.by_id, remove_webhook.remove_outgoing_webhook),
        webhooks.set_owner,
        "outgoing_webhook.handed_over",
    ),
    "share": OwnedKindHandlers(
        shares.lock, _build_end_handler(shares.by_id, revoke_share.revoke), shares.set_owner, "share.handed_over"
    ),
    "picture": OwnedKindHandlers(
        mirrors.lock,
        _build_end_handler(mirrors.by_source, remove_picture.remove_mirror),
        mirrors.set_owner,
        "picture.handed_over",
        is_named=True,
    ),
    "invite": OwnedKindHandlers(_lock_invite, _build_end_handler(invites.by_id, revoke_invite.revoke)),
    "agent": OwnedKindHandlers(
        lock_actions_held_by,
        _build_end_handler(people.account, end_membership),
        people.set_agent_owner,
        "member.handed_over",
    ),
}
