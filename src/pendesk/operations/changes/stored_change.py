"""The bytes of a change: read as a diff, and stored so that the hunks of any file can be read by themselves.

It takes a while and needs no database, so it is done outside of every transaction.
"""

import hashlib
import zlib
from typing import NamedTuple

import msgspec

from pendesk.domain.change import (
    Change,
    ChangeCommit,
    ChangeFile,
    ChangeSource,
    FileKind,
    FilePatch,
    Omission,
    Part,
)
from pendesk.domain.errors import RuleBroken, TooLarge
from pendesk.domain.limits import CHANGE_BYTES, CHANGE_FILES, IDS_NAMED, LIST_ITEMS
from pendesk.domain.project import ReceivedFile
from pendesk.domain.secret_shapes import AddedSecret, added_secrets
from pendesk.domain.unified_diff import ParsedFile, parse_diff
from pendesk.operations.changes.change_upload import ChangeManifest, ManifestFile
from pendesk.operations.operation import Files
from pendesk.store.engine.json_text import to_json
from pendesk.store.files import Upload

DIGEST_CHARS = 24
_encode = msgspec.json.Encoder().encode


class StoredChange(NamedTuple):
    """Of both parts the files, in their order; they belong to no change yet."""

    manifest: ChangeManifest
    files: list[ChangeFile]
    received: ReceivedFile

    def of_action(self, change_id: str, project_id: str, action_id: str, source: ChangeSource) -> Change:
        """Without who pushed it, and when."""
        manifest = self.manifest
        files = [file for file in self.files if file.part == "change"]
        return Change(
            id=change_id,
            project_id=project_id,
            action_id=action_id,
            submission_id=None,
            source=source,
            base_sha=manifest.base_sha,
            head_sha=manifest.head_sha,
            branch=manifest.branch,
            since_sha=manifest.since_sha,
            commits=to_json(_commits(manifest, files)),
            files=len(files) + manifest.left_off,
            added=sum(file.added for file in files),
            removed=sum(file.removed for file in files),
            omitted=sum(file.omitted is not None for file in files),
            storage_key=self.received.key,
            size_bytes=self.received.size_bytes,
            pushed_by="",
            claim_id=None,
            pushed_at=0,
        )


def _commits(manifest: ChangeManifest, files: list[ChangeFile]) -> list[ChangeCommit]:
    position_by_path = {file.path: file.position for file in files}
    return [
        ChangeCommit(
            commit.sha,
            commit.subject,
            sorted({position_by_path[path] for path in commit.paths if path in position_by_path}),
        )
        for commit in manifest.commits
    ]


def store_change(
    folder: Files, manifest: ChangeManifest, change: bytes, since: bytes, *, withhold_secrets: bool = False
) -> StoredChange:
    """What looks like a secret is refused by its place, or its file is stored without hunks."""
    parsed, parsed_since = _parse(change), _parse(since)
    secret_by_path = first_secret_by_path([*parsed, *parsed_since])
    if withhold_secrets:
        manifest = _without_hunks_of(manifest, secret_by_path)
    else:
        check_no_secrets(secret_by_path)
    with folder.start_upload(4 * CHANGE_BYTES) as upload:
        files = [
            *_write_part(upload, "change", parsed, manifest),
            *_write_part(upload, "since", parsed_since, manifest),
        ]
        return StoredChange(manifest, files, upload.save())


def first_secret_by_path(files: list[ParsedFile]) -> dict[str, AddedSecret]:
    secrets: dict[str, AddedSecret] = {}
    for file in files:
        in_hunks = (secret for hunk in file.hunks for secret in added_secrets(hunk.new_start, hunk.lines))
        secret = next(in_hunks, None)
        if secret is not None:
            secrets.setdefault(file.path, secret)
    return secrets


def check_no_secrets(secret_by_path: dict[str, AddedSecret]) -> None:
    if not secret_by_path:
        return
    places = [f"{path}:{secret.line} ({secret.shape})" for path, secret in secret_by_path.items()]
    raise RuleBroken(
        f"The change seems to hold secrets: {', '.join(places[:IDS_NAMED])}. Nothing was saved. Take them out of the "
        "branch and revoke them; `pendesk change push --without PATH` leaves the lines of a file out.",
        code="secret_in_change",
        places=places[:LIST_ITEMS],
    )


def _without_hunks_of(manifest: ChangeManifest, secret_by_path: dict[str, AddedSecret]) -> ChangeManifest:
    withheld = [ManifestFile(path, omitted=Omission.WITHHELD) for path in secret_by_path]
    others = [file for file in manifest.files if file.path not in secret_by_path]
    return msgspec.structs.replace(manifest, files=[*others, *withheld])


def _parse(diff: bytes) -> list[ParsedFile]:
    parsed = parse_diff(diff, CHANGE_FILES)
    if parsed.has_more:
        raise TooLarge(
            f"The change has more than {CHANGE_FILES} files. `pendesk change push` sends the first of them.",
            limit=CHANGE_FILES,
        )
    return parsed.files


def _write_part(upload: Upload, part: Part, files: list[ParsedFile], manifest: ChangeManifest) -> list[ChangeFile]:
    known = {entry.path: entry for entry in manifest.files}
    return [
        _write_file(upload, part, position, file, known.get(file.path) or ManifestFile(file.path), manifest)
        for position, file in enumerate(files)
    ]


def _write_file(
    upload: Upload, part: Part, position: int, file: ParsedFile, known: ManifestFile, manifest: ChangeManifest
) -> ChangeFile:
    omitted = known.omitted or (Omission.TOO_LARGE if file.is_cut else None)
    hunks = [] if omitted else file.hunks
    start, encoded = upload.size_bytes, _encode(hunks)
    if hunks:
        blame = [entry for entry in known.blame if entry[2] < len(manifest.commits)] if part == "change" else []
        upload.write(zlib.compress(_encode(FilePatch(hunks, blame))))
    has_counts = bool(file.hunks) or file.is_cut or file.kind == FileKind.BINARY
    return ChangeFile(
        change_id="",
        part=part,
        position=position,
        path=file.path,
        old_path=file.old_path,
        status=file.status,
        kind=file.kind,
        added=file.added if has_counts else known.added or 0,
        removed=file.removed if has_counts else known.removed or 0,
        old_size=known.old_size,
        new_size=known.new_size,
        omitted=omitted,
        digest=hashlib.sha256(encoded if hunks else file.blobs.encode()).hexdigest()[:DIGEST_CHARS],
        start=start,
        length=upload.size_bytes - start,
    )
