"""The token of another server, encrypted for the one publication that it belongs to."""

from pendesk.domain.publication import Publication
from pendesk.secret_box import decrypt, encrypt

PURPOSE = "publication token"


def encrypt_token(key: bytes, workspace_id: str, publication: Publication, token: str) -> str:
    return encrypt(key, PURPOSE, token_associated_data(workspace_id, publication), token)


def decrypt_token(key: bytes, workspace_id: str, publication: Publication) -> str:
    return decrypt(key, PURPOSE, token_associated_data(workspace_id, publication), publication.sealed_token)


def token_associated_data(workspace_id: str, publication: Publication) -> str:
    return f"{workspace_id} {publication.project_id} {publication.server_url}"
