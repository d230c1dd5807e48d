"""Binding and unbinding, as changes of the repository's files."""

import os
import tomllib
from pathlib import Path

from pendesk.cli.binding import clients, record
from pendesk.cli.binding.parts import CannotWrite, Part, Written, is_shell, put, take
from pendesk.cli.binding.record import SKILL, Binding, Link
from pendesk.cli.binding.skill import digest, skill_text
from pendesk.cli.binding.tree import Tree


def bind(tree: Tree, wanted: Binding, former: Binding | None) -> tuple[Binding, list[str]]:
    """Put everything in, after what was there from before is out; also what was left alone, and why."""
    if former is not None:
        unbind(tree, former)
    written: list[Written] = []
    for part in clients.parts(wanted):
        part = part._replace(path=tree.name(part.path))
        if any(each.path == part.path and not part.keys for each in written):
            continue  # CLAUDE.md and AGENTS.md are one file
        text, done = put(tree.read(part.path), part)
        _check_toml(part, text)
        tree.write(part.path, text)
        written += [done] if done is not None else []
    if tree.read(record.IGNORE) not in (None, record.IGNORED):
        raise CannotWrite(
            f"{record.IGNORE} is not ours, and would let git take the token. Remove it and run this again."
        )
    tree.write(record.IGNORE, record.IGNORED)
    skill = skill_text(wanted)
    tree.write(record.SKILL, skill)
    links, left = _links(tree, wanted, former)
    folders = {*tree.missing_folders(), *_link_folders(tree, links), *(former.folders if former else ())}
    bound = wanted._replace(
        written=tuple(written), links=tuple(links), folders=tuple(sorted(folders)), skill=digest(skill)
    )
    tree.write(record.CONFIG, bound.as_text())
    return bound, left


def unbind(tree: Tree, binding: Binding) -> None:
    """Take our parts out, the last one first."""
    for written in reversed(binding.written):
        text = tree.read(written.path)
        if text is None:
            continue
        left = take(text, written)
        tree.write(written.path, None if written.made and is_shell(left, written.kind) else left)


def remove_own(tree: Tree, binding: Binding) -> list[str]:
    """Our own files; a skill that the user has changed is kept and named."""
    kept = []
    for path in (record.CONFIG, record.IGNORE, record.SKILL):
        text = tree.read(path)
        if path == record.SKILL and text is not None and digest(text) != binding.skill:
            kept.append(path)
        else:
            tree.write(path, None)
    return kept


def write_links(tree: Tree, binding: Binding) -> None:
    for link in binding.links:
        place = tree.root / link.path
        tree.make_folder(place.parent)
        if place.is_symlink() or place.exists():
            place.unlink()
        try:
            place.symlink_to(link.target)
        except (OSError, NotImplementedError):  # Windows asks for a right that few have
            place.write_bytes((place.parent / link.target).read_bytes())


def remove_links(tree: Tree, binding: Binding) -> None:
    """The record came with the repository: what it names outside of it is nothing of ours."""
    for link in binding.links:
        tree.place(str(Path(link.path).parent))
        if link.target.endswith(SKILL) and _is_ours(tree, link):
            (tree.root / link.path).unlink()


def _links(tree: Tree, wanted: Binding, former: Binding | None) -> tuple[list[Link], list[str]]:
    ours, left = [], []
    for path, target in clients.links(wanted):
        place, link = tree.root / path, Link(path, target)
        tree.place(str(Path(path).parent))
        known = former is not None and link in former.links
        if (not place.exists() and not place.is_symlink()) or (known and _is_ours(tree, link)):
            ours.append(link)
        elif not _is_ours(tree, link):
            left.append(f"{path} is there already and was left as it is")
    return ours, left


def _is_ours(tree: Tree, link: Link) -> bool:
    place = tree.root / link.path
    if place.is_symlink():
        return os.readlink(place) == link.target
    source = place.parent / link.target
    return place.is_file() and source.is_file() and place.read_bytes() == source.read_bytes()


def _link_folders(tree: Tree, links: list[Link]) -> set[str]:
    folders = {parent for link in links for parent in Path(link.path).parents if parent.name}
    return {folder.as_posix() for folder in folders if not (tree.root / folder).exists()}


def _check_toml(part: Part, text: str) -> None:
    if not part.path.endswith(".toml"):
        return
    try:
        tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, UnicodeEncodeError) as error:
        raise CannotWrite(
            f"{part.path} cannot take the server: {error}. Correct it there, or remove its own "
            f"[mcp_servers] entry of this name, and run this again."
        ) from None
