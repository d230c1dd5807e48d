"""Stored tokens of the first form, encrypted again in today's. A step of a start, for all workspaces.

The migration `secret_box` marks a database that may hold them, and lets no older program use it afterwards. The mark
is deleted in the transaction that encrypts, so a start that is killed leaves all of it to the next.
"""

from contextlib import suppress

from pendesk.domain.publication import Publication
from pendesk.operations.operation import PrivilegedCall, ServerOperation, Transactions
from pendesk.operations.sharing.publication_token import encrypt_token, token_associated_data
from pendesk.secret_box import CannotDecrypt, decrypt_v1
from pendesk.store import installation, publications, seals


async def run(transactions: Transactions, _args: None) -> int:
    """How many were encrypted again; 0 from the second start on."""
    if not await transactions.read("", lambda call: installation.may_contain_v1_encrypted_secrets(call.tx)):
        return 0
    return await transactions.long_write("", _reencrypt_all_v1_tokens)


def _reencrypt_all_v1_tokens(call: PrivilegedCall) -> int:
    # Of several processes that start together the first deletes the mark; the others wait for its commit.
    if not installation.try_clear_v1_encrypted_secrets_flag(call.tx):
        return 0
    count = 0
    for workspace_id, _name in seals.all_workspace_ids_and_names(call.tx):
        call.tx.workspace = workspace_id
        count += sum(_try_reencrypt_v1_token(call, publication) for publication in publications.of_workspace(call.tx))
    return count


def _try_reencrypt_v1_token(call: PrivilegedCall, publication: Publication) -> bool:
    """One that cannot be read stays: publishing again replaces it."""
    with suppress(CannotDecrypt):
        key, workspace = call.installation.signing_key, call.tx.workspace
        token = decrypt_v1(key, token_associated_data(workspace, publication), publication.sealed_token)
        encrypted = encrypt_token(key, workspace, publication, token)
        publications.save_encrypted_token(call.tx, publication.project_id, encrypted)
        return True
    return False


OPERATION = ServerOperation(
    name="reencrypt_tokens",
    title="Encrypt stored tokens again",
    description="Encrypt tokens of the form that was stored before AES-GCM in today's form, once after an upgrade.",
    input=type(None),
    output=int,
    run=run,
)
