"""The processes above, as the system shows them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pendesk.cli.parts import process_ancestry
from pendesk.cli.parts.process_ancestry import Process, list_ancestors, process_mark

# A process below prints who is above it.
PRINT_ANCESTORS = (
    "import json; from pendesk.cli.parts.process_ancestry import list_ancestors, process_mark; "
    "print(json.dumps([[*process, process_mark(process)] for process in list_ancestors()]))"
)


def ancestors_of_child(*command: str) -> list[tuple[Process, str]]:
    output = subprocess.run(
        [*command, sys.executable, "-c", PRINT_ANCESTORS], capture_output=True, text=True, check=True
    )
    rows = json.loads(output.stdout)
    return [(Process._make([*fields, tuple(arguments)]), mark) for *fields, arguments, mark in rows]


def test_every_process_below_gives_the_same_mark():
    direct = ancestors_of_child()
    (own, mark), *_ = direct
    assert own.pid == os.getpid()
    assert (len(mark), set(mark) <= set("0123456789abcdef")) == (32, True)
    deeper = ancestors_of_child("env", "sh", "-c", '"$@"; true', "sh")
    assert [process.name for process, _ in deeper[:1]] == ["sh"]
    assert deeper[1:] == direct


def test_the_mark_differs_by_number_start_boot_and_namespace(monkeypatch, tmp_path):
    process = list_ancestors()[0]
    marks = {process_mark(process), process_mark(process._replace(pid=1)), process_mark(process._replace(started="1"))}
    for boot, namespace in (("a", "pid:[1]"), ("b", "pid:[1]"), ("b", "pid:[2]")):
        marks.add(process_mark_in(monkeypatch, tmp_path / f"{boot}{namespace}", boot, namespace, process))
    assert len(marks) == 6


def process_mark_in(
    monkeypatch: pytest.MonkeyPatch, proc: Path, boot: str, namespace: str, process: Process
) -> str | None:
    for folder in ("self/ns", "sys/kernel/random"):
        (proc / folder).mkdir(parents=True)
    (proc / "self/stat").touch()
    (proc / "sys/kernel/random/boot_id").write_text(boot)
    (proc / "self/ns/pid").symlink_to(namespace)
    monkeypatch.setattr(process_ancestry, "PROC", proc)
    return process_mark(process)


def test_a_boot_that_cannot_be_named_gives_no_mark(monkeypatch, tmp_path):
    process = list_ancestors()[0]
    (tmp_path / "self").mkdir()
    (tmp_path / "self/stat").touch()
    monkeypatch.setattr(process_ancestry, "PROC", tmp_path)
    assert process_mark(process) is None
    assert list_ancestors() == []


def test_a_name_with_parentheses_is_read(tmp_path, monkeypatch):
    (tmp_path / "7").mkdir()
    fields = " ".join(["S", "5", *"0" * 17, "4711", "0"])
    (tmp_path / "7/stat").write_text(f"7 (a) b (c) {fields}\n")
    (tmp_path / "7/cmdline").write_bytes(b"prog\0script\0--password=x\0")
    (tmp_path / "self").mkdir()
    (tmp_path / "self/stat").touch()
    monkeypatch.setattr(process_ancestry, "PROC", tmp_path)
    monkeypatch.setattr(os, "getppid", lambda: 7)
    assert list_ancestors() == [Process(7, 5, "4711", "a) b (c", "", ("prog", "script"))]


PS = """\
    1     0 Sun Nov 15 21:54:22 2026 /sbin/launchd
  400     1 Mon Nov 16 10:23:20 2026 -zsh
  752   400 Mon Nov 16 10:23:25 2026 claude --resume
  767   752 Mon Nov  6 10:23:26 2026 /bin/sh -c pendesk headers
  broken
"""


def test_without_proc_the_processes_come_from_ps(monkeypatch, tmp_path):
    outputs = {"ps": PS, "sysctl": "0E4A7B7C-3A53-4D0F-9F0B-1F6C0F9A1B2C"}
    monkeypatch.setattr(process_ancestry, "PROC", tmp_path)
    monkeypatch.setattr(process_ancestry, "_run", lambda *command: outputs.get(command[0]))
    monkeypatch.setattr(os, "getppid", lambda: 767)
    ancestors = list_ancestors()
    assert [(process.pid, process.name) for process in ancestors] == [
        (767, "sh"),
        (752, "claude"),
        (400, "-zsh"),
        (1, "launchd"),
    ]
    assert ancestors[1] == Process(752, 400, "Mon Nov 16 10:23:25 2026", "claude", "claude", ("claude", "--resume"))
    first = process_mark(ancestors[1])
    outputs["sysctl"] = "another boot"
    assert process_mark(ancestors[1]) not in (None, first)
    outputs.clear()
    assert list_ancestors() == []


def test_the_real_ps_is_understood(monkeypatch, tmp_path):
    monkeypatch.setattr(process_ancestry, "PROC", tmp_path)
    (parent, *_) = list_ancestors()
    assert parent.pid == os.getppid()
    assert len(parent.started.split()) == 5
    assert process_ancestry._run("no-such-program") is None
