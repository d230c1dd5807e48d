"""The installation's secret in its file, where no setting gives it."""

import os
import secrets
from pathlib import Path

FILE_NAME = "secret.key"
SECRET_BYTES = 32


def read_or_make(folder: Path) -> bytes:
    path = folder / FILE_NAME
    if not path.exists():
        _make(path)
    text = path.read_text("ascii").strip()
    if len(text) < 2 * SECRET_BYTES:
        raise ValueError(f"{path} is damaged. Put it back from a backup; without it old links and seals are void.")
    return text.encode()


def _make(path: Path) -> None:
    """Written whole under another name, then linked: of several processes one wins and none reads a half."""
    draft = path.with_name(f".{FILE_NAME}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(secrets.token_hex(SECRET_BYTES) + "\n")
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass  # another process was first; its secret counts
    finally:
        draft.unlink()
