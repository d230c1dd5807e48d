"""Installations as the program before AES-GCM left them: tokens in the first form, and no migration `secret_box`."""

import base64
import hashlib
import hmac
import os
from typing import Any

from pendesk.operations.sharing.publication_token import token_associated_data
from pendesk.settings import Settings
from pendesk.store import publications
from pendesk.store.engine import migrate

UNDO_MIGRATION = """
DELETE FROM schema_migrations WHERE name = 'secret_box';
DELETE FROM installation WHERE name = 'may_hold_v1_secrets'
"""


def encrypt_v1(key: bytes, belongs_to: str, text: str, nonce: bytes) -> str:
    """As src/pendesk/domain/secret_box.py had it; tests/test_secret_box.py holds a value that was written by that."""
    mask_key, sign_key = (hmac.digest(key, purpose, "sha256") for purpose in (b"vault: hide", b"vault: sign"))
    clear = text.encode()
    blocks = range(-(-len(clear) // hashlib.sha256().digest_size))
    stream = b"".join(hmac.digest(mask_key, nonce + block.to_bytes(8), "sha256") for block in blocks)
    body = nonce + bytes(byte ^ mask for byte, mask in zip(clear, stream, strict=False))
    return base64.urlsafe_b64encode(
        body + hmac.digest(sign_key, body + b"\x00" + belongs_to.encode(), "sha256")
    ).decode()


def save_v1_tokens(tx: Any, key: bytes, token: str) -> None:
    """For every publication of the workspace."""
    for publication in publications.of_workspace(tx):
        encrypted = encrypt_v1(key, token_associated_data(tx.workspace, publication), token, os.urandom(16))
        publications.save_encrypted_token(tx, publication.project_id, encrypted)


def undo_migration(settings: Settings) -> None:
    with migrate.open_database_with_begin_statement(settings.sqlite_file, settings.database_url) as (database, _begin):
        database.run_script(UNDO_MIGRATION)
