"""GitHub: the secret of a webhook, its signatures, whose repository it speaks of, and which actions a commit names."""

import hashlib
import hmac
import re
from collections import Counter
from typing import NamedTuple

from pendesk.domain.signature import sign

_REPOSITORY = re.compile(r"https?://(?:[^/@\s]*@)?[^/\s]+/([^/\s]+/[^/\s?#]+?)(?:\.git)?/?\Z", re.IGNORECASE)
_PAGE = re.compile(r"https?://[A-Za-z0-9.:-]{1,253}/[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}\Z")
_PULL_REQUEST = re.compile(r"/pull/([1-9][0-9]{0,9})(?:[/?#]|\Z)")
_SIGNATURE = re.compile(r"sha256=[0-9a-f]{64}\Z")
NO_COMMIT = "0" * 40


class Webhook(NamedTuple):
    project_id: str
    generation: int
    set_by: str
    set_at: int
    removed_at: int | None
    last_number: int
    owner_id: str


class Delivery(NamedTuple):
    project_id: str
    number: int
    delivery_id: str
    digest: str
    event: str
    outcome: str
    received_at: int


class PullRequest(NamedTuple):
    """updated_at is GitHub's time, heard_at ours. What GitHub did not say is None; `merge_state` is its own word."""

    project_id: str
    number: int
    url: str
    title: str
    state: str
    branch: str
    head_sha: str
    merged_at: int | None
    updated_at: int
    base_branch: str | None = None
    is_draft: int | None = None
    merge_state: str | None = None
    ahead: int | None = None
    behind: int | None = None
    heard_at: int | None = None

    @property
    def is_open(self) -> bool:
        return self.state == "open"


def derive_webhook_secret(key: bytes, workspace_id: str, project_id: str, generation: int) -> str:
    """Derived, so that it is stored nowhere; another generation is another secret."""
    return sign(key, "github webhook", workspace_id, project_id, str(generation))


def is_valid_webhook_signature(secret: str, body: bytes, signature: str) -> bool:
    """Over the bytes as they came, in constant time."""
    well_formed = signature if _SIGNATURE.match(signature) else ""
    good = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(well_formed, good)


def is_same_repository(repository_url: str | None, full_name: str) -> bool:
    """Whether owner/name is the repository at this address."""
    match = _REPOSITORY.match(repository_url or "")
    return match is not None and match[1].lower() == full_name.lower()


def repository_url_variants(repository_url: str) -> list[str]:
    """How people write the address of a repository, given its page; in lower case."""
    if not _PAGE.match(repository_url):
        return []
    _, _, rest = repository_url.lower().partition("://")
    return [f"{scheme}://{rest}{end}" for scheme in ("https", "http") for end in ("", "/", ".git", ".git/")]


def pull_request_url_variants(url: str) -> list[str]:
    """How agents write the address of a pull request, in lower case."""
    _, _, rest = url.lower().partition("://")
    ends = ("", "/", "/files", "/commits", "/checks", "/changes")
    return [f"{scheme}://{rest}{end}" for scheme in ("https", "http") for end in ends]


def pull_request_number(url: str) -> int | None:
    match = _PULL_REQUEST.search(url)
    return int(match[1]) if match else None


def action_numbers_in_commit_and_branch(
    project_key: str, commit_message: str, branch: str
) -> tuple[set[int], set[int]]:
    """The ref numbers that a commit message names, and those that a branch names.

    A message has to write the key as it is (`HRB-12`); branches are often written in small letters.
    """
    code = rf"(?<![A-Za-z0-9]){re.escape(project_key)}-([1-9][0-9]{{0,8}})(?![A-Za-z0-9])"
    in_message = {int(number) for number in re.findall(code, commit_message)}
    in_branch = {int(number) for number in re.findall(code, branch, re.IGNORECASE)}
    return in_message, in_branch


def shas_removed_by_force_push(
    recorded_shas_and_messages: list[tuple[str, str]], previous_head_sha: str, pushed_message_by_sha: dict[str, str]
) -> set[str]:
    """What a force-push certainly took off a branch.

    `recorded_shas_and_messages` are those of the branch, the oldest first. GitHub tells no parents, but two things
    are sure: the former head is gone, else the push would not have been forced; and whatever came after a commit
    that is gone is gone too. A recorded commit whose message comes back under another SHA was rewritten, so all
    from the earliest of those on are gone.
    """
    repeated = Counter(_subject_line(message) for message in pushed_message_by_sha.values())
    first = len(recorded_shas_and_messages)
    for place in range(len(recorded_shas_and_messages) - 1, -1, -1):
        sha, message = recorded_shas_and_messages[place]
        if sha not in pushed_message_by_sha and repeated[_subject_line(message)] > 0:
            repeated[_subject_line(message)] -= 1
            first = place
    return {previous_head_sha} | {
        sha for sha, _ in recorded_shas_and_messages[first:] if sha not in pushed_message_by_sha
    }


def _subject_line(message: str) -> str:
    """An agent may have reported only the first line."""
    return message.strip().partition("\n")[0].strip()
