"""set_file_viewed: a person has looked at a file of a change, or wants to look again."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import NotFound
from pendesk.domain.limits import PATH_CHARS
from pendesk.operations.actions.find import find_action
from pendesk.operations.fields import ActionId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import changes


class SetFileViewed(Input):
    action_id: ActionId
    path: Annotated[str, Meta(min_length=1, max_length=PATH_CHARS, description="The file's path in the change.")]
    digest: Annotated[
        str, Meta(max_length=64, pattern=r"\A[0-9a-f]{1,64}\Z", description="Its digest from get_change.")
    ]
    viewed: Annotated[bool, Meta(description="false: to look at again.")] = True


class FileViewed(Output):
    action_pid: str
    path: str
    viewed: bool


def run(call: Call, args: SetFileViewed) -> FileViewed:
    """Not an event: nobody but the caller sees it. Whichever part was looked at, the mark is on the whole of the file:
    see ViewedFiles.
    """
    action = find_action(call, args.action_id).action
    change = changes.newest_of(call.tx, action.id)
    if change is None or not changes.has_path(call.tx, change.id, args.path):
        raise NotFound("file of the change", args.path)
    if args.viewed:
        digest = changes.whole_digest(call.tx, action.id, args.path, args.digest) or args.digest
        changes.mark_viewed(call.tx, call.actor.user_id, action.id, args.path, digest)
    else:
        changes.unmark_viewed(call.tx, call.actor.user_id, action.id, args.path)
    return FileViewed(action_pid=action.id, path=args.path, viewed=args.viewed)


OPERATION = Operation(
    name="set_file_viewed",
    title="Mark a file as viewed",
    description=(
        "Mark a file of an action's change as viewed by you, or no longer. It is then viewed in both parts, the whole "
        "change and what is new since the last submission, until its hunks change. Refused: 404 no such action or file."
    ),
    input=SetFileViewed,
    output=FileViewed,
    scope=Scope.PERSON,
    role=Role.VIEWER,
    kind=Kind.WRITE,
    run=run,
)
