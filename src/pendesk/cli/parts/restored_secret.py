"""Which secret is used after a restore, and whether it is the one of the restored database."""

from pathlib import Path
from typing import Any, NamedTuple

from pendesk.cli.parts.console import CommandError
from pendesk.domain.signature import is_fingerprint_of
from pendesk.settings import CONFIG_NAME, Settings, read_secret_key
from pendesk.store import secret
from pendesk.store.portable import archive


class SecretDecision(NamedTuple):
    """Whether the backup's secret file is written to the folder, and whether the existing one stays."""

    write_from_backup: bool
    keep_existing: bool


def choose_secret_after_restore(settings: Settings, unpacked_backup: Path, manifest: dict[str, Any]) -> SecretDecision:
    """Decide before anything is changed. Refuses a secret that does not match."""
    fingerprint = _read_database_secret_fingerprint(settings, unpacked_backup, manifest)
    packed = _read_backup_secret(unpacked_backup)
    setting = _configured_secret_and_source(settings, unpacked_backup)
    if setting is not None:
        _check_secret_matches_backup(*setting, fingerprint, packed)
        return SecretDecision(write_from_backup=False, keep_existing=False)
    if packed is not None and _matches_fingerprint_if_known(fingerprint, packed):
        return SecretDecision(write_from_backup=True, keep_existing=False)
    present = secret.resolve_current_secret(settings.data, None, fingerprint)
    if present is not None and _matches_fingerprint_if_known(fingerprint, present):
        return SecretDecision(write_from_backup=False, keep_existing=True)
    if fingerprint is not None:
        raise CommandError(_missing_secret_message(settings, packed))
    return SecretDecision(write_from_backup=False, keep_existing=False)


def _read_database_secret_fingerprint(
    settings: Settings, unpacked_backup: Path, manifest: dict[str, Any]
) -> str | None:
    """Of the database in the backup; if it has none, of the existing one."""
    from pendesk.store.portable import database_copy

    try:
        if not manifest["database"]:
            fingerprint = (
                database_copy.postgres_secret_fingerprint(settings.database_url) if settings.database_url else None
            )
            return fingerprint or manifest.get("secretFingerprint")
        if settings.database_url is None:
            return database_copy.sqlite_secret_fingerprint(unpacked_backup / archive.DATABASES["sqlite"])
        return database_copy.secret_fingerprint_in_dump(
            settings.database_url, unpacked_backup / archive.DATABASES["postgres"]
        )
    except database_copy.CopyFailed as error:
        raise CommandError(str(error)) from None


def _read_backup_secret(unpacked_backup: Path) -> bytes | None:
    try:
        return secret.read(unpacked_backup)
    except secret.DamagedSecret:
        return None


def _configured_secret_and_source(settings: Settings, unpacked_backup: Path) -> tuple[str, str] | None:
    """The secret that a setting has afterwards, and its source: `pendesk.toml` in the folder is replaced as well."""
    source = settings.origins["secret_key"].source
    own = settings.data / CONFIG_NAME
    if settings.secret_key is not None and source != str(own):
        return settings.secret_key, source
    value = read_secret_key(unpacked_backup / CONFIG_NAME) if settings.config == own else None
    return None if value is None else (value, f"{CONFIG_NAME} in the backup")


def _check_secret_matches_backup(
    configured_secret: str, source: str, backup_fingerprint: str | None, backup_secret: bytes | None
) -> None:
    if _matches_fingerprint_if_known(backup_fingerprint, configured_secret.encode()):
        return
    backup_has_it = backup_secret is not None and _matches_fingerprint_if_known(backup_fingerprint, backup_secret)
    advice = "Unset it: the backup has its own." if backup_has_it else "Set it to the secret of the backup."
    raise CommandError(f"The secret from {source} is not the one of this backup. {advice} Nothing was changed.")


def _missing_secret_message(settings: Settings, backup_secret: bytes | None) -> str:
    problem = "holds no secret" if backup_secret is None else "does not hold the secret of its database"
    return (
        f"This backup {problem}, and there is no matching one here. Set PENDESK_SECRET_KEY to the backup's secret, "
        f"or write it to {settings.data / secret.FILE_NAME}, and run this again. Nothing was changed."
    )


def _matches_fingerprint_if_known(fingerprint: str | None, key: bytes) -> bool:
    return fingerprint is None or is_fingerprint_of(fingerprint, key)
