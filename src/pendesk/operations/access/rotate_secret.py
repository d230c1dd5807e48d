"""rotate_secret: another secret for the whole installation, while nothing else has it open.

What was made with the old one and is kept is made anew, all of it or nothing: seals, encrypted tokens, the hashes of
links that are derived from it. What a person or another program holds changes or ends: see docs/self-host.md.
"""

from typing import NamedTuple

from pendesk.domain import token
from pendesk.domain.access import server
from pendesk.domain.event import Event
from pendesk.domain.publication import Publication, mirror_secret
from pendesk.domain.seal import sign_anew
from pendesk.operations.operation import Call, PrivilegedCall, ServerOperation, Transactions
from pendesk.operations.sharing.publication_token import decrypt_token, encrypt_token
from pendesk.secret_box import CannotDecrypt
from pendesk.store import github, installation, mirrors, publications, seals, webhooks

ROWS_AT_ONCE = 1_000


class Rotated(NamedTuple):
    """How much was made anew; the webhooks and projects whose other side needs its new secret."""

    workspaces: int
    seals: int
    tokens: int
    mirrors: int
    webhooks: list[str]
    github_projects: list[str]


async def run(transactions: Transactions, key: bytes) -> Rotated:
    """From the installation's secret to `key`, in one transaction: from its commit on only `key` fits."""
    return await transactions.load("", lambda call: _rotate(call, key))


def _rotate(call: PrivilegedCall, key: bytes) -> Rotated:
    parts = [_rotate_workspace(call, key, workspace_id) for workspace_id, _name in seals.workspaces(call.tx)]
    installation.replace_secret(call.tx, key)
    return Rotated(
        workspaces=len(parts),
        seals=sum(part.seals for part in parts),
        tokens=sum(part.tokens for part in parts),
        mirrors=sum(part.mirrors for part in parts),
        webhooks=[webhook for part in parts for webhook in part.webhooks],
        github_projects=[project for part in parts for project in part.github_projects],
    )


def _rotate_workspace(call: PrivilegedCall, key: bytes, workspace_id: str) -> Rotated:
    call.tx.workspace = workspace_id  # the only transaction that goes through all of them
    call.act_as(server(workspace_id)._replace(via="cli"))
    rotated = Rotated(
        workspaces=1,
        seals=_sign_seals(call, key),
        tokens=sum(_encrypt_token(call, key, publication) for publication in publications.of_workspace(call.tx)),
        mirrors=_derive_links(call, key),
        webhooks=[hook.id for hook in webhooks.of_workspace(call.tx)],
        github_projects=github.keys_with_webhook(call.tx),
    )
    call.record(Event("secret.rotated", workspace_id))
    return rotated


def _sign_seals(call: Call, key: bytes) -> int:
    count = after = 0
    while page := seals.after(call.tx, after, ROWS_AT_ONCE):
        for seal in page:
            seals.save_mac(call.tx, sign_anew(seal, call.tx.workspace, call.installation.signing_key, key))
        count, after = count + len(page), page[-1].upto_seq
    return count


def _encrypt_token(call: Call, key: bytes, publication: Publication) -> bool:
    """One that could not be read before is no worse off: publishing again replaces it."""
    try:
        clear = decrypt_token(call.installation.signing_key, call.tx.workspace, publication)
    except CannotDecrypt:
        return False
    encrypted = encrypt_token(key, call.tx.workspace, publication, clear)
    publications.save_token(call.tx, publication.project_id, encrypted)
    return True


def _derive_links(call: Call, key: bytes) -> int:
    count, after = 0, ""
    while page := mirrors.ids(call.tx, after, ROWS_AT_ONCE):
        for picture_id in page:
            link = mirror_secret(key, call.tx.workspace, picture_id)
            mirrors.save_hash(call.tx, picture_id, token.digest(link))
        count, after = count + len(page), page[-1]
    return count


OPERATION = ServerOperation(
    name="rotate_secret",
    title="Rotate the secret",
    description="Replace the installation's secret, and with it all that was made with the old one.",
    input=bytes,
    output=Rotated,
    run=run,
)
