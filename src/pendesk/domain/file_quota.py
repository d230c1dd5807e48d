"""How much a workspace may keep in files, and how much of it one account's tokens may add."""

from typing import NamedTuple

from pendesk.domain.errors import RuleBroken
from pendesk.domain.limits import Limits

MEGABYTE = 1_000_000


class FileUse(NamedTuple):
    """Of all files that were not removed: those of the workspace, and of them what one account added."""

    workspace_bytes: int
    account_bytes: int


def check_room_for_file(use: FileUse, size_bytes: int, limits: Limits, *, by_token: bool) -> None:
    """People are held to what the workspace may keep; a token also to what its account may."""
    if use.workspace_bytes + size_bytes > limits.workspace_file_bytes:
        raise _full_error("The workspace", use.workspace_bytes, limits.workspace_file_bytes, "workspace_file_bytes")
    if by_token and use.account_bytes + size_bytes > limits.account_file_bytes:
        raise _full_error("Your account", use.account_bytes, limits.account_file_bytes, "account_file_bytes")


def _full_error(whose: str, used_bytes: int, limit_bytes: int, setting: str) -> RuleBroken:
    return RuleBroken(
        f"{whose} has {used_bytes // MEGABYTE} of {limit_bytes // MEGABYTE} MB in files, and this one does not fit. "
        f"Ask a person to remove some, or whoever runs the server to raise {setting}.",
        code="file_quota",
        used=used_bytes,
        limit=limit_bytes,
        setting=setting,
    )
