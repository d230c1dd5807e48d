"""The installation's secret in its file, where no setting gives it.

A rotation first writes the new one beside it, then commits the database, then puts it in the old one's place. Cut off
in between, the fingerprint in the database tells which of the two is in force.
"""

import os
import secrets
from pathlib import Path

from pendesk.domain.signature import is_fingerprint_of
from pendesk.setting_values import SHORTEST_SECRET_CHARS

FILE_NAME = "secret.key"
NEXT_NAME = "secret.key.next"
SECRET_BYTES = 32


class DamagedSecret(ValueError):
    """The file is there and holds no secret."""


def resolve_current_secret(
    folder: Path, configured_key: str | None, fingerprint_in_database: str | None
) -> bytes | None:
    """The setting, else the file; after a rotation that was cut off, whichever the database knows."""
    if configured_key is not None:
        return configured_key.encode()
    following = read(folder, NEXT_NAME)
    if (
        following is not None
        and fingerprint_in_database is not None
        and is_fingerprint_of(fingerprint_in_database, following)
    ):
        return following
    return read(folder)


def read(folder: Path, file_name: str = FILE_NAME) -> bytes | None:
    path = folder / file_name
    try:
        text = path.read_text("utf-8").strip()
    except FileNotFoundError:
        return None
    if len(text) < SHORTEST_SECRET_CHARS:
        raise DamagedSecret(f"{path} is damaged. Put it back from a backup; without it old links and seals are void.")
    return text.encode()


def read_or_create(folder: Path) -> bytes:
    """Of several processes one wins, and the others read its secret; none reads a half."""
    if read(folder) is None:
        draft = _write_temp_file(folder, generate())
        try:
            os.link(draft, folder / FILE_NAME)
        except FileExistsError:
            pass  # another process was first; its secret counts
        finally:
            draft.unlink()
        _fsync_folder(folder)
    key = read(folder)
    assert key is not None
    return key


def generate() -> bytes:
    return secrets.token_hex(SECRET_BYTES).encode()


def write(folder: Path, key: bytes, file_name: str = FILE_NAME) -> None:
    """Whole or not at all, and on the disk."""
    _write_temp_file(folder, key).replace(folder / file_name)
    _fsync_folder(folder)


def remove_secret_file_if_equal(folder: Path, key: bytes) -> None:
    """Take a secret back that turned out not to be the database's."""
    if read(folder) == key:
        (folder / FILE_NAME).unlink(missing_ok=True)


def recover_interrupted_rotation(folder: Path, fingerprint_in_database: str | None) -> None:
    """After one that was cut off: the secret that the database knows stays, the other goes."""
    following = read(folder, NEXT_NAME)
    if following is None:
        return
    if fingerprint_in_database is not None and is_fingerprint_of(fingerprint_in_database, following):
        activate_next_secret(folder)
    else:
        (folder / NEXT_NAME).unlink(missing_ok=True)


def activate_next_secret(folder: Path) -> None:
    try:
        (folder / NEXT_NAME).replace(folder / FILE_NAME)
    except FileNotFoundError:
        return  # another process that starts was first
    _fsync_folder(folder)


def _write_temp_file(folder: Path, key: bytes) -> Path:
    draft = folder / f".{FILE_NAME}.{secrets.token_hex(8)}"
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(key + b"\n")
        file.flush()
        os.fsync(file.fileno())
    return draft


def _fsync_folder(folder: Path) -> None:
    """The folder too: a name that is not on the disk is lost with the power."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
