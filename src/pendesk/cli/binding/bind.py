"""Connects and disconnects a repository, as changes of its files."""

import os
import tomllib
from pathlib import Path

from pendesk.cli.binding import clients, record, session_hooks, snippets
from pendesk.cli.binding.record import SKILL, RepoBinding, Symlink
from pendesk.cli.binding.skill import render_agent_skill_markdown, sha256_hex
from pendesk.cli.binding.snippets import CannotWrite, InsertedSnippet, Snippet
from pendesk.cli.binding.tree import FileTransaction, remove_empty_folders


def stage_binding_and_list_skip_reasons(
    files: FileTransaction, binding: RepoBinding, previous: RepoBinding | None
) -> tuple[RepoBinding, list[str]]:
    """Insert everything, after what an earlier connect wrote is removed; also what was skipped, and why."""
    if previous is not None:
        remove_inserted_snippets(files, previous)
    else:
        _remove_unrecorded_session_hooks(files)
    written: list[InsertedSnippet] = []
    for snippet in clients.snippets_for_agents(binding):
        snippet = snippet._replace(path=files.canonical_path(snippet.path))
        if any(earlier.path == snippet.path and not snippet.keys for earlier in written):
            continue  # CLAUDE.md and AGENTS.md are one file
        text, inserted = snippets.insert_snippet(files.read(snippet.path), snippet)
        _check_valid_toml(snippet, text)
        files.stage_write_or_delete(snippet.path, text)
        written += [inserted] if inserted is not None else []
    if files.read(record.IGNORE) not in (None, record.IGNORE_TEXT):
        raise CannotWrite(
            f"{record.IGNORE} was not written by `pendesk connect`, and git would commit the token. "
            "Remove it and run this again."
        )
    files.stage_write_or_delete(record.IGNORE, record.IGNORE_TEXT)
    skill = render_agent_skill_markdown(binding)
    files.stage_write_or_delete(record.SKILL, skill)
    links, skipped = _choose_symlinks_and_skip_reasons(files, binding, previous)
    folders = {
        *files.folders_to_create(),
        *_missing_parent_folders(files, links),
        *(previous.folders if previous else ()),
    }
    bound = binding._replace(
        written=tuple(written), links=tuple(links), folders=tuple(sorted(folders)), skill=sha256_hex(skill)
    )
    files.stage_write_or_delete(record.CONFIG, bound.to_json())
    return bound, skipped


def _remove_unrecorded_session_hooks(files: FileTransaction) -> None:
    """Somebody removed the record: hooks for another name or project would stay beside the new ones."""
    for path in clients.SESSION_HOOK_FILES:
        text = files.read(path)
        if text is not None and session_hooks.TOOL in text:
            files.stage_write_or_delete(path, session_hooks.remove_session_hooks(text))


def remove_inserted_snippets(files: FileTransaction, binding: RepoBinding) -> None:
    """Remove our snippets, the last one first."""
    for written in reversed(binding.written):
        text = files.read(written.path)
        if text is None:
            continue
        remaining = snippets.remove_snippet(text, written)
        is_ours_alone = written.made and snippets.is_blank_or_empty_json_object(remaining, written.kind)
        files.stage_write_or_delete(written.path, None if is_ours_alone else remaining)


def remove_pendesk_files_and_list_kept(files: FileTransaction, binding: RepoBinding) -> list[str]:
    """Remove our own files; returns the skill if the user has changed it, which stays."""
    changed_by_user = []
    for path in (record.CONFIG, record.IGNORE, record.SKILL):
        text = files.read(path)
        if path == record.SKILL and text is not None and sha256_hex(text) != binding.skill:
            changed_by_user.append(path)
        else:
            files.stage_write_or_delete(path, None)
    return changed_by_user


def write_symlinks(files: FileTransaction, binding: RepoBinding, previous: RepoBinding | None) -> None:
    """Under another name the skill has another place: the links of the earlier one go, with their folders."""
    outdated = tuple(link for link in previous.links if link not in binding.links) if previous else ()
    remove_symlinks(files, binding._replace(links=outdated))
    remove_empty_folders(files.root, [str(Path(link.path).parent) for link in outdated])
    for link in binding.links:
        location = files.root / link.path
        files.create_folder_on_disk(location.parent)
        if location.is_symlink() or location.exists():
            location.unlink()
        try:
            location.symlink_to(link.target)
        except (OSError, NotImplementedError):  # on Windows few users may create links
            location.write_bytes((location.parent / link.target).read_bytes())


def remove_symlinks(files: FileTransaction, binding: RepoBinding) -> None:
    """The record came with the repository: what it names outside of the repository is not ours."""
    for link in binding.links:
        files.resolve_inside_repository(str(Path(link.path).parent))
        if link.target.endswith(SKILL) and _is_unchanged_symlink_or_copy(files, link):
            (files.root / link.path).unlink()


def _choose_symlinks_and_skip_reasons(
    files: FileTransaction, binding: RepoBinding, previous: RepoBinding | None
) -> tuple[list[Symlink], list[str]]:
    ours, skipped = [], []
    for path, target in clients.skill_symlink_paths_and_targets(binding):
        location, link = files.root / path, Symlink(path, target)
        files.resolve_inside_repository(str(Path(path).parent))
        was_ours = previous is not None and link in previous.links
        if (not location.exists() and not location.is_symlink()) or (
            was_ours and _is_unchanged_symlink_or_copy(files, link)
        ):
            ours.append(link)
        elif not _is_unchanged_symlink_or_copy(files, link):
            skipped.append(f"{path} already exists and was not changed")
    return ours, skipped


def _is_unchanged_symlink_or_copy(files: FileTransaction, link: Symlink) -> bool:
    location = files.root / link.path
    if location.is_symlink():
        return os.readlink(location) == link.target
    source = location.parent / link.target
    return location.is_file() and source.is_file() and location.read_bytes() == source.read_bytes()


def _missing_parent_folders(files: FileTransaction, links: list[Symlink]) -> set[str]:
    folders = {parent for link in links for parent in Path(link.path).parents if parent.name}
    return {folder.as_posix() for folder in folders if not (files.root / folder).exists()}


def _check_valid_toml(snippet: Snippet, text: str) -> None:
    if not snippet.path.endswith(".toml"):
        return
    try:
        tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, UnicodeEncodeError) as error:
        raise CannotWrite(
            f"{snippet.path} cannot hold the server: {error}. Correct it there, or remove its own "
            f"[mcp_servers] entry of this name, and run this again."
        ) from None
