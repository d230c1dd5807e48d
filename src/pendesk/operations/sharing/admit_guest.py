"""admit_guest: whoever opens the link of a share is a guest of the workspace that the link belongs to."""

from pendesk.domain import access, token
from pendesk.domain.access import Actor
from pendesk.domain.errors import LinkLeadsNowhere
from pendesk.operations.operation import Answer, Installation, Kind, PrivilegedCall, SecretOperation
from pendesk.store import shares


def check(_installation: Installation, secret: str) -> None:
    if not token.has_token_format(secret, token.SHARE_PREFIX):
        raise LinkLeadsNowhere


def find(call: PrivilegedCall, secret: str) -> Answer[Actor]:
    workspace_id = shares.workspace_id_by_link_hash(call.tx, token.hash_secret(secret))
    if workspace_id is None:
        raise LinkLeadsNowhere
    return Answer(access.guest_actor(workspace_id))


OPERATION: SecretOperation[str, None, Actor] = SecretOperation(
    name="admit_guest",
    title="Admit a guest",
    description="The guest of the workspace that a share's link belongs to; refused where it leads nowhere.",
    input=str,
    output=Actor,
    kind=Kind.READ,
    check=check,
    find=find,
    verify=None,
    run=None,
)
