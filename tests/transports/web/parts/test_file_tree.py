"""The files of a change as a tree."""

from types import SimpleNamespace

from pendesk.transports.web.parts.file_tree import Folder, build_tree


def names(folder: Folder) -> list[object]:
    return [*((inner.name, names(inner)) for inner in folder.folders), *(file.path for file in folder.files)]


def test_folders_that_hold_one_folder_are_one_line():
    paths = ["src/app/a.py", "src/app/web/b.py", "docs/deep/er/c.md", "README.md"]
    tree = build_tree([SimpleNamespace(path=path) for path in paths])
    assert names(tree) == [
        ("src/app", [("web", ["src/app/web/b.py"]), "src/app/a.py"]),
        ("docs/deep/er", ["docs/deep/er/c.md"]),
        "README.md",
    ]
