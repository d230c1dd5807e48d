"""Stored tokens of the first form, encrypted again in today's. Not an operation: a step of a start, for all workspaces.

The migration `secret_box` marks a database that may hold them, and lets no older program use it afterwards. The mark
is deleted in the transaction that encrypts, so a start that is killed leaves all of it to the next.
"""

from contextlib import suppress

from pendesk.domain.publication import Publication
from pendesk.operations.dispatch import Store
from pendesk.operations.sharing.publication_token import belongs_to, encrypt_token
from pendesk.secret_box import CannotDecrypt, decrypt_v1
from pendesk.store import installation, publications, seals
from pendesk.store.engine.tx import Tx


async def reencrypt_tokens(store: Store, key: bytes) -> int:
    """How many were encrypted again; 0 from the second start on."""
    if not await store.read("", installation.may_hold_v1_secrets):
        return 0
    return await store.load("", lambda tx: _reencrypt(tx, key))


def _reencrypt(tx: Tx, key: bytes) -> int:
    # Of several processes that start together the first deletes the mark; the others wait for its commit.
    if not installation.delete_v1_mark(tx):
        return 0
    count = 0
    for workspace_id, _name in seals.workspaces(tx):
        tx.workspace = workspace_id
        count += sum(_reencrypt_token(tx, key, publication) for publication in publications.of_workspace(tx))
    return count


def _reencrypt_token(tx: Tx, key: bytes, publication: Publication) -> bool:
    """One that cannot be read stays: publishing again replaces it."""
    with suppress(CannotDecrypt):
        token = decrypt_v1(key, belongs_to(tx.workspace, publication), publication.sealed_token)
        encrypted = encrypt_token(key, tx.workspace, publication, token)
        publications.save_token(tx, publication.project_id, encrypted)
        return True
    return False
