"""get_usage: what the workspace and the caller's account have stored, and what they may."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.text_quota import day_of
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import attachments, text_use


class GetUsage(Input):
    pass


class StorageUse(Output):
    used_bytes: int
    limit_bytes: int


class Usage(Output):
    """workspace_files, account_files: of all files that were not removed. workspace_text: of long texts, since the
    workspace was made. account_text: of long texts that the account's tokens wrote today (UTC).
    """

    workspace_files: StorageUse
    account_files: StorageUse
    workspace_text: StorageUse
    account_text: StorageUse


def run(call: Call, args: GetUsage) -> Usage:
    files = attachments.used_bytes(call.tx, call.actor.user_id)
    texts = text_use.used(call.tx, call.actor.user_id, day_of(call.now))
    limits = call.limits
    return Usage(
        workspace_files=StorageUse(used_bytes=files.workspace_bytes, limit_bytes=limits.workspace_file_bytes),
        account_files=StorageUse(used_bytes=files.account_bytes, limit_bytes=limits.account_file_bytes),
        workspace_text=StorageUse(used_bytes=texts.workspace_bytes, limit_bytes=limits.workspace_text_bytes),
        account_text=StorageUse(used_bytes=texts.account_bytes, limit_bytes=limits.account_text_bytes_per_day),
    )


OPERATION = Operation(
    name="get_usage",
    title="Read what is stored",
    description="What the workspace and your account have stored in files and long texts, and what they may store.",
    input=GetUsage,
    output=Usage,
    scope=Scope.ANY,
    role=Role.VIEWER,
    kind=Kind.LONG_READ,
    run=run,
)
