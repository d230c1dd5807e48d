"""Connect and disconnect give back the very bytes, whatever the files held; connect twice is connect once."""

import contextlib
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pendesk.cli.binding import bind, record
from pendesk.cli.binding.clients import AGENTS
from pendesk.cli.binding.record import RepoBinding
from pendesk.cli.binding.snippets import CannotWrite
from pendesk.cli.binding.tree import FileTransaction, remove_empty_folders

BINDING = RepoBinding("http://127.0.0.1:3847", "PEN", AGENTS, "pendesk", ("hooks", "unattended"))
JSON_FILES = [".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json", ".claude/settings.local.json", ".codex/hooks.json"]
TEXT_FILES = ["CLAUDE.md", "AGENTS.md", ".codex/config.toml"]

OTHER_BINDINGS = [
    BINDING._replace(name="desk"),
    BINDING._replace(project=None),
    BINDING._replace(project="OTH", options=()),
    BINDING._replace(options=("no-hooks",)),
]

Files = dict[str, bytes]


def connect(root: Path, binding: RepoBinding = BINDING) -> RepoBinding:
    tree, previous = FileTransaction(root, 0o022), record.read_binding(root)
    bound, _skipped = bind.stage_binding_and_list_skip_reasons(tree, binding, previous)
    tree.commit(record.CONFIG)
    bind.write_symlinks(tree, bound, previous)
    return bound


def disconnect(root: Path) -> None:
    binding = record.read_binding(root)
    assert binding is not None
    tree = FileTransaction(root, 0o022)
    bind.remove_inserted_snippets(tree, binding)
    bind.remove_pendesk_files_and_list_kept(tree, binding)
    bind.remove_symlinks(tree, binding)
    tree.commit(record.CONFIG)
    remove_empty_folders(root, [*binding.folders, record.FOLDER])


def lay_out(root: Path, files: Files) -> None:
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)


def look(root: Path) -> dict[str, bytes | str | None]:
    """Every file, link and folder."""
    return {
        str(path.relative_to(root)): str(path.readlink())
        if path.is_symlink()
        else None
        if path.is_dir()
        else path.read_bytes()
        for path in root.rglob("*")
    }


# --- shapes of files ---

atoms = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=8), st.floats(allow_nan=False, allow_infinity=False)
)
values = st.recursive(
    atoms, lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=6), v, max_size=3), max_leaves=6
)
servers = st.dictionaries(st.text(max_size=8).filter(lambda name: name != "pendesk"), values, max_size=3)
SPECIAL = {
    "mcpServers": servers,
    "servers": servers,
    "inputs": st.lists(values, max_size=2),
    "hooks": st.dictionaries(
        st.sampled_from(["SessionStart", "PreToolUse", "Stop", "Other"]), st.lists(values, max_size=2), max_size=3
    ),
}
roots = st.builds(
    lambda special, more: {
        **{k: v for k, v in more.items() if k not in (*SPECIAL, "enabledMcpjsonServers")},
        **special,
    },
    st.fixed_dictionaries({}, optional=SPECIAL),
    st.dictionaries(st.text(max_size=6), values, max_size=3),
)


@st.composite
def json_files(draw: st.DrawFn, strict: bool) -> bytes:
    if not draw(st.integers(0, 9)):
        return draw(st.sampled_from([b"", b"\n", b"{}", b"{ }\n", b"{\r\n}\r\n", b"\xef\xbb\xbf{}", b"{\n\n}"]))
    indent = draw(st.sampled_from([None, 0, 1, 2, 4, "\t", "   "]))
    text = json.dumps(draw(roots), indent=indent, ensure_ascii=draw(st.booleans()))
    if not strict and "\n" in text and draw(st.booleans()):
        text = text.replace("{\n", draw(st.sampled_from(["{ // a, {comment}\n", "{\n/* b, } */\n", "{\n"])), 1)
    if not strict and draw(st.booleans()):
        text = "// first, a comment\n" + text + draw(st.sampled_from([" // last", "/* }, */", ""]))
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    ending = draw(st.sampled_from(["", "\n", "\r\n", "\n\n", "  "]))
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + (text + ending).encode("utf-8", "surrogatepass")


prose = st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass"))
toml = st.sampled_from(
    [b"", b"model = 1", b"model = 1\r\n[a]\r\nb = 2\r\n", b"# only a comment", b"[mcp_servers.other]\nurl = 'x'\n\n"]
)
repositories = st.fixed_dictionaries(
    {},
    optional={
        ".mcp.json": json_files(strict=True),
        ".claude/settings.local.json": json_files(strict=True),
        ".codex/hooks.json": json_files(strict=True),
        ".cursor/mcp.json": json_files(strict=False),
        ".vscode/mcp.json": json_files(strict=False),
        ".vscode/settings.json": prose,
        "CLAUDE.md": prose,
        "AGENTS.md": prose,
        ".codex/config.toml": toml,
        ".claude/skills/own/SKILL.md": prose,
    },
)


@settings(max_examples=30, deadline=None)
@given(repositories)
def test_disconnect_gives_back_every_byte_and_connecting_twice_is_once(files):
    with TemporaryDirectory() as folder:
        root = Path(folder)
        lay_out(root, files)
        before = look(root)
        connect(root)
        once = look(root)
        assert once != before
        connect(root)
        assert look(root) == once
        disconnect(root)
        assert look(root) == before


@settings(max_examples=10, deadline=None)
@given(repositories, st.lists(st.sampled_from(OTHER_BINDINGS), min_size=1, max_size=3))
def test_another_name_project_or_choice_of_hooks_leaves_nothing_of_the_earlier(files, bindings):
    with TemporaryDirectory() as folder:
        root = Path(folder)
        lay_out(root, files)
        before = look(root)
        connect(root)
        once = look(root)
        for binding in bindings:
            connect(root, binding)
        connect(root)
        assert {**look(root), record.CONFIG: b""} == {**once, record.CONFIG: b""}  # which also names folders of then
        disconnect(root)
        assert look(root) == before


@settings(max_examples=20, deadline=None)
@example({}, "CLAUDE.md", b"", b"\x1c")
@example({}, "AGENTS.md", b"{}", b"")
@given(repositories, st.sampled_from(TEXT_FILES[:2]), prose, prose)
def test_what_is_written_around_our_block_survives(files, path, above, below):
    with TemporaryDirectory() as folder:
        root = Path(folder)
        lay_out(root, files)
        before = files.get(path, b"")
        connect(root)
        ours = (root / path).read_bytes()
        (root / path).write_bytes(above + ours + below)
        connect(root)
        disconnect(root)
        remaining = (root / path).read_bytes() if (root / path).exists() else b""
        expected = above + before + below
        assert b"".join(remaining.split()) == b"".join(expected.split())


@settings(max_examples=30, deadline=None)
@given(repositories, st.sampled_from([".mcp.json", ".cursor/mcp.json"]), values, st.sampled_from([None, 1, 4, "\t"]))
def test_servers_that_are_added_later_survive_also_when_the_file_is_written_anew(files, path, server, indent):
    with TemporaryDirectory() as folder:
        root = Path(folder)
        strict = {name: content for name, content in files.items() if name != ".cursor/mcp.json"}
        lay_out(root, strict)
        read = lambda: json.loads((root / path).read_bytes().decode("utf-8-sig", "surrogatepass"))  # noqa: E731
        text = strict.get(path, b"").strip(b"\xef\xbb\xbf \r\n")
        before = json.loads(text.decode("utf-8", "surrogatepass")) if text else {}
        connect(root)
        held = read()
        held["mcpServers"]["later"] = server
        (root / path).write_text(json.dumps(held, indent=indent), "utf-8")
        connect(root)
        assert read()["mcpServers"].keys() >= {"later", "pendesk"}
        disconnect(root)
        assert read() == {**before, "mcpServers": {**before.get("mcpServers", {}), "later": server}}


def test_a_piece_that_only_looks_right_without_its_comma_is_cut_with_care(tmp_path):
    (tmp_path / ".mcp.json").write_text('{"mcpServers":{"x":1}}')
    connect(tmp_path, BINDING._replace(agents=("claude",), options=()))
    held = (tmp_path / ".mcp.json").read_text()
    (tmp_path / ".mcp.json").write_text(held.replace('},"x":1', "}"))
    disconnect(tmp_path)
    assert json.loads((tmp_path / ".mcp.json").read_text()) == {}


def test_hooks_of_others_stay_in_their_places_and_survive(tmp_path):
    """Codex records a person's trust in a hook under its place in the array."""
    own = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}], "PreToolUse": []}}
    later = {"hooks": [{"type": "command", "command": "later"}]}
    for path in (".codex/hooks.json", ".claude/settings.local.json"):
        lay_out(tmp_path, {path: json.dumps(own, indent=4).replace("\n", "\r\n").encode()})
        before = look(tmp_path)
        connect(tmp_path)
        settings_text = (tmp_path / path).read_text()
        hooks = json.loads(settings_text)["hooks"]
        assert hooks["Stop"][0] == own["hooks"]["Stop"][0]
        assert [call["tool"] for call in hooks["Stop"][1]["hooks"]] == ["session_event"]
        disconnect(tmp_path)
        assert look(tmp_path) == before
        connect(tmp_path)
        hooks["Stop"].append(later)
        (tmp_path / path).write_text(json.dumps({"hooks": hooks}))
        disconnect(tmp_path)
        assert json.loads((tmp_path / path).read_text()) == {"hooks": {"Stop": [own["hooks"]["Stop"][0], later]}}
        (tmp_path / path).unlink()


def test_hooks_without_a_record_are_replaced_and_removed(tmp_path):
    connect(tmp_path, BINDING._replace(name="desk", project="OLD"))
    (tmp_path / record.CONFIG).unlink()
    connect(tmp_path)
    for path in (".codex/hooks.json", ".claude/settings.local.json"):
        text = (tmp_path / path).read_text()
        assert "OLD" not in text
        assert text.count("session_event") == (9 if "codex" in path else 8)
    disconnect(tmp_path)
    for path in (".codex/hooks.json", ".claude/settings.local.json"):
        assert "session_event" not in (tmp_path / path).read_text()


def test_one_file_under_two_names_gets_one_block(tmp_path):
    (tmp_path / "AGENTS.md").write_text("Be kind.\n")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    before = look(tmp_path)
    connect(tmp_path)
    assert (tmp_path / "AGENTS.md").read_text().count("pendesk: end") == 1
    disconnect(tmp_path)
    assert look(tmp_path) == before


@pytest.mark.parametrize(
    ("path", "content", "problem"),
    [
        (".mcp.json", '{"mcpServers": {},}', "line 1, column 19"),
        (".mcp.json", "{// no\n}", "line 1, column 2"),
        (".mcp.json", "[]", "not an object"),
        (".mcp.json", '{"mcpServers": []}', "mcpServers is not an object"),
        (".mcp.json", '{"mcpServers": {"pendesk": {}}}', "--name"),
        (".vscode/mcp.json", '{"inputs": {}}', "inputs is not an array"),
        (".vscode/mcp.json", '{"a": 1 "b": 2}', "line 1, column 9"),
        (".mcp.json", "[" * 5000, "deep"),
        (".codex/hooks.json", "{// Codex reads no comments\n}", "line 1, column 2"),
        (".codex/hooks.json", '{"hooks": {"Stop": {}}}', "hooks.Stop is not an array"),
        (".codex/config.toml", '[mcp_servers.pendesk]\nurl = "x"\n', "config.toml"),
        (".codex/config.toml", "mcp_servers = {}\n", "config.toml"),
        (".codex/config.toml", "this is no toml", "config.toml"),
    ],
)  # fmt: skip
def test_what_cannot_take_the_server_is_named_and_nothing_is_written(tmp_path, path, content, problem):
    lay_out(tmp_path, {path: content.encode(), "CLAUDE.md": b"mine"})
    before = look(tmp_path)
    with pytest.raises(CannotWrite) as refused:
        connect(tmp_path)
    assert problem in str(refused.value)
    assert path in str(refused.value)
    assert look(tmp_path) == before


def test_the_same_server_written_by_hand_is_skipped_to_its_writer(tmp_path):
    bound = BINDING._replace(agents=("cursor",), options=())
    connect(tmp_path, bound)
    by_hand = (tmp_path / ".cursor/mcp.json").read_bytes()
    disconnect(tmp_path)
    lay_out(tmp_path, {".cursor/mcp.json": by_hand})
    connect(tmp_path, bound)
    disconnect(tmp_path)
    assert look(tmp_path) == {".cursor": None, ".cursor/mcp.json": by_hand}


@pytest.mark.parametrize("path", [".mcp.json", "CLAUDE.md", ".pendesk", ".claude"])
def test_nothing_is_written_through_a_link_that_leads_out(tmp_path, path):
    outside, root = tmp_path / "outside", tmp_path / "repo"
    outside.mkdir()
    root.mkdir()
    (root / path).symlink_to(outside)
    with pytest.raises(CannotWrite, match="leads out"):
        connect(root)
    assert not list(outside.iterdir())


def test_rights_are_those_of_the_users_own_files(tmp_path):
    (tmp_path / ".mcp.json").write_text("{}")
    (tmp_path / ".mcp.json").chmod(0o640)
    connect(tmp_path)
    assert (tmp_path / ".mcp.json").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / ".cursor/mcp.json").stat().st_mode & 0o777 == 0o644
    assert (tmp_path / ".cursor").stat().st_mode & 0o777 == 0o755


def test_a_skill_that_was_changed_by_hand_is_kept(tmp_path):
    connect(tmp_path)
    (tmp_path / record.SKILL).write_text("My own way.")
    disconnect(tmp_path)
    assert look(tmp_path) == {".pendesk": None, ".pendesk/skill.md": b"My own way."}


class PowerCut(Exception):
    pass


@pytest.mark.parametrize("writes", range(1, 13, 2))
def test_what_broke_off_half_way_can_be_undone_and_done_again(tmp_path, monkeypatch, writes):
    files = {".mcp.json": b'{"mcpServers": {"x": {}}}', "CLAUDE.md": b"mine", ".vscode/mcp.json": b"{\n\t// mine\n}\n"}
    lay_out(tmp_path, files)
    before = look(tmp_path)
    real, remaining = FileTransaction._replace_file, [writes]

    def cut(tree: FileTransaction, place: Path, content: bytes) -> None:
        if not remaining[0]:
            raise PowerCut
        remaining[0] -= 1
        real(tree, place, content)

    monkeypatch.setattr(FileTransaction, "_replace_file", cut)
    with contextlib.suppress(PowerCut):
        connect(tmp_path)
    monkeypatch.setattr(FileTransaction, "_replace_file", real)
    if record.read_binding(tmp_path) is not None:
        disconnect(tmp_path)
    assert look(tmp_path) == before
    connect(tmp_path)
    remaining[0] = writes // 3
    monkeypatch.setattr(FileTransaction, "_replace_file", cut)
    with contextlib.suppress(PowerCut):
        disconnect(tmp_path)
    monkeypatch.setattr(FileTransaction, "_replace_file", real)
    if record.read_binding(tmp_path) is not None:
        disconnect(tmp_path)
    assert look(tmp_path) == before
