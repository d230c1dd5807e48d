import io
import os
import stat
import zipfile

import pytest

from pendesk.domain.errors import BadField
from pendesk.operations.exchange import source_files
from pendesk.operations.exchange.source_files import read_import_files_from_path, read_uploaded_import_files
from tests.refusals import refused


def packed(**files):
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    result.seek(0)
    return result


def names(files):
    return [file.name for file in files]


def test_a_folder_with_what_is_in_it(tmp_path):
    for name in (
        "b/two.md",
        "b/picture.png",
        "one.json",
        ".git/config.json",
        ".taskmaster/x.json",
        "node_modules/y.md",
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(name)
    assert names(read_import_files_from_path(tmp_path)) == ["one.json", ".taskmaster/x.json", "b/two.md"]


def test_links_are_not_followed(tmp_path):
    (tmp_path / "inside").mkdir()
    (tmp_path / "secret.md").write_text("secret")
    (tmp_path / "inside" / "link.md").symlink_to(tmp_path / "secret.md")
    (tmp_path / "inside" / "folder").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "inside" / "pipe.md")
    assert read_import_files_from_path(tmp_path / "inside") == []


def test_one_file_and_an_archive(tmp_path):
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "a.zip").write_bytes(packed(**{"tasks/a.md": "x", "b.png": "y"}).getvalue())
    assert names(read_import_files_from_path(tmp_path / "a.json")) == ["a.json"]
    assert names(read_import_files_from_path(tmp_path / "a.zip")) == ["tasks/a.md"]


def test_what_was_uploaded_has_the_name_that_it_would_have():
    assert names(read_uploaded_import_files(io.BytesIO(b"{}"), "taskmaster")) == ["tasks.json"]
    assert names(read_uploaded_import_files(packed(**{"tasks/a.md": "x"}), "backlog")) == ["tasks/a.md"]
    with refused(BadField, "bad_field", "zip archive"):
        read_uploaded_import_files(io.BytesIO(b"{}"), "backlog")


@pytest.mark.parametrize("name", ["../out.md", "a/../../out.md", "/etc/out.md", "..\\out.md", "C:/out.md"])
def test_a_name_that_leads_out_of_the_archive_is_refused(name):
    with refused(BadField, "bad_field", "leads out"):
        read_uploaded_import_files(packed(**{name: "x"}), "backlog")


def test_a_link_in_an_archive_is_passed_by():
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w") as archive:
        entry = zipfile.ZipInfo("link.md")
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, "/etc/passwd")
    assert read_uploaded_import_files(result, "backlog") == []


def test_a_bomb_is_refused_before_it_is_whole(monkeypatch):
    monkeypatch.setattr(source_files, "FOREIGN_FILE_BYTES", 10_000)
    monkeypatch.setattr(source_files, "FOREIGN_TOTAL_BYTES", 25_000)
    with refused(BadField, "bad_field", "a.md", "larger than 10000"):
        read_uploaded_import_files(packed(**{"a.md": "x" * 1_000_000}), "backlog")
    with refused(BadField, "bad_field", "c.md", "together"):
        read_uploaded_import_files(packed(**dict.fromkeys(("a.md", "b.md", "c.md"), "x" * 9000)), "backlog")
    monkeypatch.setattr(source_files, "FOREIGN_FILES", 2)
    with refused(BadField, "bad_field", "c.md", "one too many"):
        read_uploaded_import_files(packed(**dict.fromkeys(("a.md", "b.md", "c.md"), "x")), "backlog")


def test_an_archive_that_is_broken_is_refused():
    result = bytearray(packed(**{"a.md": "some words " * 50}).getvalue())
    result[40] ^= 0xFF
    with refused(BadField, "bad_field", "archive cannot be read"):
        read_uploaded_import_files(io.BytesIO(bytes(result)), "backlog")


def test_an_archive_that_lists_too_many_files_is_refused_before_its_list_is_read(monkeypatch):
    result = packed(**{f"{number}.json": "{}" for number in range(100)})
    monkeypatch.setattr(source_files, "FOREIGN_DIRECTORY_BYTES", 5_000)
    with pytest.raises(BadField, match="too many files"):
        read_uploaded_import_files(result, "taskmaster")


def test_an_archive_with_a_very_long_name_is_refused():
    with pytest.raises(BadField, match="500 characters"):
        read_uploaded_import_files(packed(**{"a" * 501 + ".json": "{}"}), "taskmaster")


def test_an_archive_that_is_packed_in_an_unusual_way_is_refused():
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("tasks.json", "{}")
    with pytest.raises(BadField, match="unusual"):
        read_uploaded_import_files(result, "taskmaster")
