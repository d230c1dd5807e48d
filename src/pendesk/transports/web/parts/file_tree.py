"""The files of a change as a tree: folders that hold nothing but one folder are one line with it."""

from typing import Any, NamedTuple


class Folder(NamedTuple):
    name: str
    folders: list["Folder"]
    files: list[Any]


def build_tree(files: list[Any]) -> Folder:
    """Each file has a `path`; the order of the files stays."""
    return _folder("", [(file.path.split("/"), file) for file in files])


def _folder(name: str, entries: list[tuple[list[str], Any]]) -> Folder:
    below: dict[str, list[tuple[list[str], Any]]] = {}
    files = []
    for parts, file in entries:
        if len(parts) > 1:
            below.setdefault(parts[0], []).append((parts[1:], file))
        else:
            files.append(file)
    if name and not files and len(below) == 1:
        [(inner, inner_entries)] = below.items()
        return _folder(f"{name}/{inner}", inner_entries)
    return Folder(name, [_folder(inner, inner_entries) for inner, inner_entries in below.items()], files)
