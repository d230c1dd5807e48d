"""The GitHub token of a project, encrypted for the one repository that it was set for.

So whoever points the project at another repository, or at another server, cannot have the token sent there.
"""

from pendesk.domain.github_api import RepositoryApi
from pendesk.secret_box import decrypt, encrypt

PURPOSE = "github token"


def encrypt_token(key: bytes, workspace_id: str, project_id: str, api: RepositoryApi, token: str) -> str:
    return encrypt(key, PURPOSE, _associated_data(workspace_id, project_id, api), token)


def decrypt_token(key: bytes, workspace_id: str, project_id: str, api: RepositoryApi, sealed_token: str) -> str:
    return decrypt(key, PURPOSE, _associated_data(workspace_id, project_id, api), sealed_token)


def _associated_data(workspace_id: str, project_id: str, api: RepositoryApi) -> str:
    return f"{workspace_id} {project_id} {api.identity}"
