"""Which secret is in force after a restore, and whether it is the one that the restored database is bound to."""

from pathlib import Path
from typing import Any, NamedTuple

from pendesk.cli.parts.console import Failure
from pendesk.domain.signature import is_fingerprint_of
from pendesk.settings import CONFIG_NAME, Settings, secret_in
from pendesk.store import secret
from pendesk.store.portable import archive


class RestoredSecret(NamedTuple):
    """Whether the file of the backup is put into the folder, and whether the one that is there stays."""

    put: bool
    keep: bool


def restored_secret(settings: Settings, folder: Path, manifest: dict[str, Any]) -> RestoredSecret:
    """Before anything is changed; `folder` holds the unpacked backup. Refuses a secret that does not fit."""
    fingerprint = _fingerprint(settings, folder, manifest)
    packed = _packed(folder)
    setting = _lasting_setting(settings, folder)
    if setting is not None:
        _check_setting(*setting, fingerprint, packed)
        return RestoredSecret(put=False, keep=False)
    if packed is not None and _fits(fingerprint, packed):
        return RestoredSecret(put=True, keep=False)
    present = secret.in_force(settings.data, None, fingerprint)
    if present is not None and _fits(fingerprint, present):
        return RestoredSecret(put=False, keep=True)
    if fingerprint is not None:
        raise Failure(_missing(settings, packed))
    return RestoredSecret(put=False, keep=False)


def _fingerprint(settings: Settings, folder: Path, manifest: dict[str, Any]) -> str | None:
    """Of the database in the backup itself; where there is none in it, of the one that is there."""
    from pendesk.store.portable import database_copy

    try:
        if not manifest["database"]:
            there = database_copy.postgres_fingerprint(settings.database_url) if settings.database_url else None
            return there or manifest.get("secretFingerprint")
        if settings.database_url is None:
            return database_copy.sqlite_fingerprint(folder / archive.DATABASES["sqlite"])
        return database_copy.dumped_fingerprint(settings.database_url, folder / archive.DATABASES["postgres"])
    except database_copy.CopyFailed as error:
        raise Failure(str(error)) from None


def _packed(folder: Path) -> bytes | None:
    try:
        return secret.read(folder)
    except secret.DamagedSecret:
        return None


def _lasting_setting(settings: Settings, folder: Path) -> tuple[str, str] | None:
    """The secret that a setting gives afterwards, and its source: `pendesk.toml` in the folder is replaced as well."""
    source = settings.origins["secret_key"].source
    own = settings.data / CONFIG_NAME
    if settings.secret_key is not None and source != str(own):
        return settings.secret_key, source
    value = secret_in(folder / CONFIG_NAME) if settings.config == own else None
    return None if value is None else (value, f"{CONFIG_NAME} in the backup")


def _check_setting(value: str, source: str, fingerprint: str | None, packed: bytes | None) -> None:
    if _fits(fingerprint, value.encode()):
        return
    own = packed is not None and _fits(fingerprint, packed)
    advice = "Unset it: the backup brings its own." if own else "Set it to the secret that the backup was made with."
    raise Failure(f"The secret from {source} is not the one of this backup. {advice} Nothing was changed.")


def _missing(settings: Settings, packed: bytes | None) -> str:
    what = "holds no secret" if packed is None else "holds another secret than that of its database"
    return (
        f"This backup {what}, and there is none here that fits. Set PENDESK_SECRET_KEY to the secret that it was made "
        f"with, or put it into {settings.data / secret.FILE_NAME}, and run this again. Nothing was changed."
    )


def _fits(fingerprint: str | None, key: bytes) -> bool:
    return fingerprint is None or is_fingerprint_of(fingerprint, key)
