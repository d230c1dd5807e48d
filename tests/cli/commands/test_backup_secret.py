"""The secret of a backup: it is in it, or named by it, and a restore that it does not fit is refused."""

import hashlib
import json
import os
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest

from pendesk.ids import new_id
from tests.cli.commands.test_backup import repack
from tests.postgres import PostgresCluster

KEY, OTHER = "k" * 40, "o" * 40


class Backups(NamedTuple):
    """An installation on either engine, and empty places to restore it to."""

    ask: Callable[..., Any]
    run: Callable[..., Any]
    tmp_path: Path
    monkeypatch: pytest.MonkeyPatch
    cluster: PostgresCluster | None

    def begin(self) -> None:
        """In an empty place: another folder, another database."""
        self.monkeypatch.setenv("PENDESK_DATA", str(self.tmp_path / new_id()))
        if self.cluster is not None:
            name = f"secret_{new_id().replace('-', '')}"
            self.monkeypatch.setenv("PENDESK_DATABASE_URL", self.cluster.create_database(name))

    @property
    def data(self) -> Path:
        return Path(os.environ["PENDESK_DATA"])

    def secret(self, value: str | None) -> None:
        if value is None:
            self.monkeypatch.delenv("PENDESK_SECRET_KEY", raising=False)
        else:
            self.monkeypatch.setenv("PENDESK_SECRET_KEY", value)

    def backup(self, *arguments: str) -> Path:
        return Path(self.ask("backup", "--out", str(self.tmp_path / f"{new_id()}.tar.gz"), *arguments)["path"])

    def refused(self, *arguments: str) -> str:
        result = self.run(*arguments)
        assert result.exit_code == 1, result.output
        text: str = result.stderr
        return text

    def is_empty(self) -> bool:
        if self.cluster is not None:
            with psycopg.connect(os.environ["PENDESK_DATABASE_URL"]) as connection:
                if connection.execute("SELECT to_regclass('schema_migrations')").fetchone() != (None,):
                    return False
        return [path.name for path in self.data.iterdir()] == ["locks"]

    def works(self) -> bool:
        """It opens, and what was signed with the secret still fits."""
        return [project["key"] for project in self.ask("project", "list")["projects"]] == ["HRB"] and self.ask(
            "verify"
        )["ok"]


@pytest.fixture(params=["sqlite", "postgres"])
def backups(request, ask, run, tmp_path, monkeypatch):
    """With the secret in the environment, as the guide for PostgreSQL has it."""
    cluster = request.getfixturevalue("postgres") if request.param == "postgres" else None
    if cluster is not None:
        programs = Path(cluster.bin("pg_dump")).parent
        monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    started = Backups(ask, run, tmp_path, monkeypatch, cluster)
    started.begin()
    started.secret(KEY)
    ask("init")
    ask("demo")
    return started


def names(archive: Path) -> set[str]:
    with tarfile.open(archive) as tar:
        return set(tar.getnames())


def manifest(archive: Path) -> dict[str, Any]:
    with tarfile.open(archive) as tar:
        member = tar.extractfile("manifest.json")
        assert member is not None
        read: dict[str, Any] = json.loads(member.read())
        return read


def test_a_secret_from_the_environment_is_in_the_backup_and_works_elsewhere(backups):
    archive = backups.backup()
    assert "secret.key" in names(archive)
    backups.begin()
    backups.secret(None)
    backups.ask("restore", str(archive))
    assert (backups.data / "secret.key").read_text() == f"{KEY}\n"
    assert (backups.data / "secret.key").stat().st_mode & 0o077 == 0
    assert backups.works()


def test_who_keeps_it_in_the_environment_gets_no_file(backups):
    archive = backups.backup()
    backups.begin()
    backups.ask("restore", str(archive))
    assert not (backups.data / "secret.key").exists()
    assert backups.works()


def test_no_backup_with_a_secret_that_does_not_fit(backups):
    backups.secret(OTHER)
    for more in ([], ["--without-secret"]):
        assert "not the one of this database" in backups.refused("backup", *more)
    backups.secret(None)
    assert "--without-secret" in backups.refused("backup")
    # As a failed start of an older version left it.
    (backups.data / "secret.key").write_text("0" * 64)
    assert "not the one of this database" in backups.refused("backup")
    assert not (backups.data / "last-backup.json").exists()
    assert not list((backups.data / "backups").iterdir())
    backups.secret(KEY)
    with tarfile.open(backups.backup()) as tar:
        packed = tar.extractfile("secret.key")
        assert packed is not None
        assert packed.read() == f"{KEY}\n".encode()


def test_without_it_the_backup_names_it_and_a_restore_wants_it(backups):
    archive = backups.backup("--without-secret")
    assert "secret.key" not in names(archive)
    assert len(manifest(archive)["secretFingerprint"]) == 64
    assert KEY.encode() not in archive.read_bytes()
    assert "Store it elsewhere" in backups.run("backup", "--without-secret").stdout
    backups.begin()
    backups.secret(None)
    assert "holds no secret" in backups.refused("restore", str(archive))
    assert backups.is_empty()
    backups.secret(OTHER)
    assert "PENDESK_SECRET_KEY is not the one of this backup" in backups.refused("restore", str(archive))
    assert backups.is_empty()
    backups.secret(KEY)
    backups.ask("restore", str(archive))
    assert backups.works()


def test_a_file_that_is_there_and_fits_stays(backups):
    archive = backups.backup("--without-secret")
    backups.begin()
    backups.secret(None)
    backups.data.mkdir()
    (backups.data / "secret.key").write_text(f"{KEY}\n")
    backups.ask("restore", str(archive))
    assert (backups.data / "secret.key").read_text() == f"{KEY}\n"
    assert backups.works()


def test_another_secret_in_the_environment_is_refused_before_anything_is_changed(backups):
    archive = backups.backup()
    backups.begin()
    backups.secret(OTHER)
    assert "Unset it" in backups.refused("restore", str(archive))
    assert backups.is_empty()


def older(packed: str | None) -> Callable[[Any], Any]:
    """As archives were before: no fingerprint, and in `secret.key` whatever lay in the folder."""

    def change(members: Any) -> Any:
        contents = {member.name: content for member, content in members if member.name != "secret.key"}
        about = json.loads(contents.pop("manifest.json"))
        del about["secretFingerprint"], about["files"]["secret.key"]
        if packed is not None:
            contents["secret.key"] = packed.encode()
            about["files"]["secret.key"] = {
                "bytes": len(packed),
                "sha256": hashlib.sha256(packed.encode()).hexdigest(),
            }
        contents["manifest.json"] = json.dumps(about).encode()
        return [(tarfile.TarInfo(name), content) for name, content in contents.items()]

    return change


@pytest.mark.parametrize("packed", [None, "0" * 64, ""])
def test_an_older_backup_with_no_or_a_wrong_secret_needs_the_right_one(backups, packed):
    archive = repack(backups.backup(), backups.tmp_path / "older.tar.gz", older(packed))
    backups.begin()
    backups.secret(None)
    assert "Set PENDESK_SECRET_KEY" in backups.refused("restore", str(archive))
    assert backups.is_empty()
    backups.secret(KEY)
    backups.ask("restore", str(archive))
    assert backups.works()


def test_an_older_backup_with_its_secret_is_restored(backups):
    archive = repack(backups.backup(), backups.tmp_path / "older.tar.gz", older(KEY))
    backups.begin()
    backups.secret(None)
    backups.ask("restore", str(archive))
    assert backups.works()


def test_a_secret_in_the_settings_file(backups):
    """It is in the backup with the file; `--without-secret` would be a lie."""
    backups.secret(None)
    (backups.data / "pendesk.toml").write_text(f'secret_key = "{KEY}"\n')
    assert "pendesk.toml" in backups.refused("backup", "--without-secret")
    archive = backups.backup()
    assert {"pendesk.toml", "secret.key"} <= names(archive)
    backups.begin()
    backups.ask("restore", str(archive))
    assert backups.works()
    # What stands in the file that is replaced does not count; what the backup brings does.
    (backups.data / "pendesk.toml").write_text(f'secret_key = "{OTHER}"\n')
    backups.ask("restore", str(archive), "--force")
    assert backups.works()


def test_a_secret_that_its_file_could_not_hold_is_not_packed(backups, tmp_path):
    backups.begin()
    backups.secret(f" {KEY}")
    backups.ask("init")
    assert "--without-secret" in backups.refused("backup")


@pytest.mark.parametrize("backups", ["postgres"], indirect=True)
def test_files_alone_are_held_against_the_database_that_is_there(backups):
    files, complete = backups.backup("--files-only"), backups.backup()
    url = os.environ["PENDESK_DATABASE_URL"]
    assert manifest(files)["secretFingerprint"] == manifest(complete)["secretFingerprint"]
    backups.secret(OTHER)
    assert "not the one of this database" in backups.refused("backup", "--files-only")
    backups.begin()
    backups.secret(OTHER)
    assert "not the one of this backup" in backups.refused("restore", str(files))
    backups.monkeypatch.setenv("PENDESK_DATABASE_URL", url)
    assert "not the one of this backup" in backups.refused("restore", str(files), "--force")
    backups.secret(None)
    backups.ask("restore", str(files), "--force")
    assert backups.works()


def test_doctor_does_not_send_one_to_a_backup_without_it(backups):
    backups.ask("backup", "--without-secret")
    backups.secret(None)
    (backups.data / "secret.key").write_text("0" * 64)
    assert "tar -xzf" not in backups.run("doctor").stdout
    backups.secret(OTHER)
    assert "Set PENDESK_SECRET_KEY to its old value" in backups.run("doctor").stdout
