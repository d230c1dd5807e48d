"""create_share: a link by which guests see a project or one action of it."""

import secrets
from typing import Annotated

from msgspec import Meta

from pendesk.domain import limits, token
from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.project import check_count_below_limit
from pendesk.domain.share import Share
from pendesk.ids import new_id
from pendesk.operations.access.accounts import owner_id_for_new_item
from pendesk.operations.actions.find import find_task_of_project
from pendesk.operations.fields import ActionId, ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.operations.sharing.share_results import ShareView, share_views
from pendesk.store import shares


class CreateShare(Input):
    """There is no idempotency_key here: a remembered answer would keep the secret."""

    project_id: ProjectId
    action_id: Annotated[ActionId, Meta(description="Only this action of the project; else the whole.")] | None = None
    takes_items: Annotated[bool, Meta(description="Whether guests may leave messages for the inbox.")] = False
    with_documents: Annotated[bool, Meta(description="Whether guests see the project's documents.")] = False
    expires_in_days: Annotated[int, Meta(ge=1, le=limits.SHARE_DAYS, description="For ever if left out.")] | None = None


class ShareCreated(Output):
    url: str
    share: ShareView


def run(call: Call, args: CreateShare) -> ShareCreated:
    owner_id = owner_id_for_new_item(call, "share")
    project = find_and_lock_project(call, args.project_id)
    action = find_task_of_project(call, project, args.action_id, "action_id") if args.action_id else None
    open_shares = shares.count_open(call.tx, project.id)
    check_count_below_limit(
        open_shares, limits.PROJECT_SHARES, "open shares of this project", "Revoke one with revoke_share first."
    )
    secret = token.make_token(secrets.token_bytes(token.RANDOM_BYTES), token.SHARE_PREFIX)
    share = Share(
        id=new_id(),
        project_id=project.id,
        action_id=action.id if action else None,
        hash=token.hash_secret(secret),
        takes_items=int(args.takes_items),
        with_documents=int(args.with_documents and action is None),
        server_url=None,
        created_by=call.actor.user_id,
        owner_id=owner_id,
        created_at=call.now,
        expires_at=call.now + args.expires_in_days * limits.DAY_US if args.expires_in_days else None,
        revoked_at=None,
    )
    shares.add(call.tx, share)
    (view,) = share_views(call, [share])
    event_data = {"takesItems": view.takes_items, "withDocuments": view.with_documents, "expiresAt": view.expires_at}
    call.record(Event("share.created", share.id, project.id, action_id=share.action_id, data=event_data))
    return ShareCreated(url=f"{call.installation.public_url}/share/{secret}", share=view)


OPERATION = Operation(
    name="create_share",
    title="Share with guests",
    description=(
        "A link by which anyone who has it sees a project (or one action) read-only, without people's names, comments "
        "or costs. The link is in this answer and never shown again; revoke_share ends it at once. Refused: 404 no "
        "such project or action, 422 an action of another project, too many shares."
    ),
    input=CreateShare,
    output=ShareCreated,
    # A person's decision, as it is about what the world may see: no token can be talked into it.
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
