"""rotate_secret: another secret for the whole installation, while nothing else has it open.

What was made with the old one and is kept is made anew, all of it or nothing: seals, encrypted tokens, the hashes of
links that are derived from it. What a person or another program holds changes or ends: see docs/self-host.md.
"""

from typing import NamedTuple

from pendesk.domain import token
from pendesk.domain.access import server_actor
from pendesk.domain.event import Event
from pendesk.domain.github_api import GithubToken, repository_api
from pendesk.domain.publication import Publication, derive_mirror_link_secret
from pendesk.domain.seal import reseal_if_signed_by_previous_key
from pendesk.operations.github import token_box as github_token
from pendesk.operations.operation import Call, PrivilegedCall, ServerOperation, Transactions
from pendesk.operations.sharing.publication_token import decrypt_token, encrypt_token
from pendesk.secret_box import CannotDecrypt
from pendesk.store import github, github_fetches, installation, mirrors, projects, publications, seals, webhooks

ROWS_AT_ONCE = 1_000


class RotationResult(NamedTuple):
    """How much was made anew; the webhooks and projects whose other side needs its new secret."""

    workspaces: int
    seals: int
    tokens: int
    mirrors: int
    webhooks: list[str]
    github_projects: list[str]


async def run(transactions: Transactions, key: bytes) -> RotationResult:
    """From the installation's secret to `key`, in one transaction: from its commit on only `key` fits."""
    return await transactions.long_write("", lambda call: _rotate_secret_of_all_workspaces(call, key))


def _rotate_secret_of_all_workspaces(call: PrivilegedCall, new_key: bytes) -> RotationResult:
    parts = [
        _rotate_secret_of_workspace(call, new_key, workspace_id)
        for workspace_id, _name in seals.all_workspace_ids_and_names(call.tx)
    ]
    installation.replace_secret_fingerprint(call.tx, new_key)
    return RotationResult(
        workspaces=len(parts),
        seals=sum(part.seals for part in parts),
        tokens=sum(part.tokens for part in parts),
        mirrors=sum(part.mirrors for part in parts),
        webhooks=[webhook for part in parts for webhook in part.webhooks],
        github_projects=[project for part in parts for project in part.github_projects],
    )


def _rotate_secret_of_workspace(call: PrivilegedCall, new_key: bytes, workspace_id: str) -> RotationResult:
    call.tx.workspace = workspace_id  # the only transaction that goes through all of them
    call.act_as(server_actor(workspace_id)._replace(via="cli"))
    rotated = RotationResult(
        workspaces=1,
        seals=_re_sign_event_log_seals(call, new_key),
        tokens=sum(
            _re_encrypt_sync_token(call, new_key, publication) for publication in publications.of_workspace(call.tx)
        )
        + sum(_re_encrypt_github_token(call, new_key, token) for token in github_fetches.tokens_of_workspace(call.tx)),
        mirrors=_replace_mirror_link_hashes(call, new_key),
        webhooks=[hook.id for hook in webhooks.of_workspace(call.tx)],
        github_projects=github.project_keys_with_webhook(call.tx),
    )
    call.record(Event("secret.rotated", workspace_id))
    return rotated


def _re_sign_event_log_seals(call: Call, new_key: bytes) -> int:
    count = after = 0
    while page := seals.after(call.tx, after, ROWS_AT_ONCE):
        for seal in page:
            seals.save_mac(
                call.tx,
                reseal_if_signed_by_previous_key(seal, call.tx.workspace, call.installation.signing_key, new_key),
            )
        count, after = count + len(page), page[-1].upto_seq
    return count


def _re_encrypt_sync_token(call: Call, new_key: bytes, publication: Publication) -> bool:
    """One that could not be read before is no worse off: publishing again replaces it."""
    try:
        clear = decrypt_token(call.installation.signing_key, call.tx.workspace, publication)
    except CannotDecrypt:
        return False
    encrypted = encrypt_token(new_key, call.tx.workspace, publication, clear)
    publications.save_encrypted_token(call.tx, publication.project_id, encrypted)
    return True


def _re_encrypt_github_token(call: Call, new_key: bytes, token: GithubToken) -> bool:
    """One that could not be read before is no worse off: it is set again."""
    project = projects.by_id(call.tx, token.project_id)
    api = repository_api(project.repository_url if project else None)
    if api is None:
        return False
    workspace = call.tx.workspace
    try:
        clear = github_token.decrypt_token(
            call.installation.signing_key, workspace, token.project_id, api, token.sealed_token
        )
    except CannotDecrypt:
        return False
    sealed = github_token.encrypt_token(new_key, workspace, token.project_id, api, clear)
    github_fetches.save_token(call.tx, token._replace(sealed_token=sealed))
    return True


def _replace_mirror_link_hashes(call: Call, new_key: bytes) -> int:
    count, after = 0, ""
    while page := mirrors.ids(call.tx, after, ROWS_AT_ONCE):
        for picture_id in page:
            link = derive_mirror_link_secret(new_key, call.tx.workspace, picture_id)
            mirrors.save_link_hash(call.tx, picture_id, token.hash_secret(link))
        count, after = count + len(page), page[-1]
    return count


OPERATION = ServerOperation(
    name="rotate_secret",
    title="Rotate the secret",
    description="Replace the installation's secret, and with it all that was made with the old one.",
    input=bytes,
    output=RotationResult,
    run=run,
)
