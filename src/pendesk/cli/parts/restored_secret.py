"""Which secret is used after a restore, and whether it is the one of the restored database."""

from pathlib import Path
from typing import Any, NamedTuple

from pendesk.cli.parts.console import CommandError
from pendesk.domain.signature import is_fingerprint_of
from pendesk.settings import CONFIG_NAME, Settings, secret_in
from pendesk.store import secret
from pendesk.store.portable import archive


class RestoredSecret(NamedTuple):
    """Whether the backup's secret file is written to the folder, and whether the existing one stays."""

    write: bool
    keep: bool


def restored_secret(settings: Settings, folder: Path, manifest: dict[str, Any]) -> RestoredSecret:
    """Decide before anything is changed; `folder` holds the unpacked backup. Refuses a secret that does not match."""
    fingerprint = _fingerprint(settings, folder, manifest)
    packed = _packed(folder)
    setting = _lasting_setting(settings, folder)
    if setting is not None:
        _check_setting(*setting, fingerprint, packed)
        return RestoredSecret(write=False, keep=False)
    if packed is not None and _matches(fingerprint, packed):
        return RestoredSecret(write=True, keep=False)
    present = secret.in_force(settings.data, None, fingerprint)
    if present is not None and _matches(fingerprint, present):
        return RestoredSecret(write=False, keep=True)
    if fingerprint is not None:
        raise CommandError(_missing_secret_message(settings, packed))
    return RestoredSecret(write=False, keep=False)


def _fingerprint(settings: Settings, folder: Path, manifest: dict[str, Any]) -> str | None:
    """Of the database in the backup; if it has none, of the existing one."""
    from pendesk.store.portable import database_copy

    try:
        if not manifest["database"]:
            fingerprint = database_copy.postgres_fingerprint(settings.database_url) if settings.database_url else None
            return fingerprint or manifest.get("secretFingerprint")
        if settings.database_url is None:
            return database_copy.sqlite_fingerprint(folder / archive.DATABASES["sqlite"])
        return database_copy.dumped_fingerprint(settings.database_url, folder / archive.DATABASES["postgres"])
    except database_copy.CopyFailed as error:
        raise CommandError(str(error)) from None


def _packed(folder: Path) -> bytes | None:
    try:
        return secret.read(folder)
    except secret.DamagedSecret:
        return None


def _lasting_setting(settings: Settings, folder: Path) -> tuple[str, str] | None:
    """The secret that a setting has afterwards, and its source: `pendesk.toml` in the folder is replaced as well."""
    source = settings.origins["secret_key"].source
    own = settings.data / CONFIG_NAME
    if settings.secret_key is not None and source != str(own):
        return settings.secret_key, source
    value = secret_in(folder / CONFIG_NAME) if settings.config == own else None
    return None if value is None else (value, f"{CONFIG_NAME} in the backup")


def _check_setting(value: str, source: str, fingerprint: str | None, packed: bytes | None) -> None:
    if _matches(fingerprint, value.encode()):
        return
    backup_has_it = packed is not None and _matches(fingerprint, packed)
    advice = "Unset it: the backup has its own." if backup_has_it else "Set it to the secret of the backup."
    raise CommandError(f"The secret from {source} is not the one of this backup. {advice} Nothing was changed.")


def _missing_secret_message(settings: Settings, packed: bytes | None) -> str:
    problem = "holds no secret" if packed is None else "does not hold the secret of its database"
    return (
        f"This backup {problem}, and there is no matching one here. Set PENDESK_SECRET_KEY to the backup's secret, "
        f"or write it to {settings.data / secret.FILE_NAME}, and run this again. Nothing was changed."
    )


def _matches(fingerprint: str | None, key: bytes) -> bool:
    return fingerprint is None or is_fingerprint_of(fingerprint, key)
