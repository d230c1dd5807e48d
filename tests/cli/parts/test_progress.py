"""Bars: on a terminal only, for long work only, and in every command whose work can be long."""

import io
import time
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from pendesk.cli.parts import console, progress
from pendesk.cli.parts.console import Console
from pendesk.cli.parts.progress import Progress
from tests.patience import patience


def until(true) -> None:
    with patience():
        while not true():
            time.sleep(0.001)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def draw_on(stream, monkeypatch):
    for module in (console, progress):
        monkeypatch.setattr(module, "sys", SimpleNamespace(stderr=stream))
    monkeypatch.setattr(progress, "SHOW_AFTER_S", 0)
    monkeypatch.setattr(progress, "REDRAW_EVERY_S", 0.001)
    return stream


@pytest.fixture
def terminal(monkeypatch):
    return draw_on(Terminal(), monkeypatch)


def test_a_bar_follows_what_it_is_told(terminal):
    with Console().progress("Reading", 200) as tell:
        tell(100)
        until(lambda: "50%" in terminal.getvalue())
        tell(200)
    assert "Reading" in terminal.getvalue()
    assert "100%" in terminal.getvalue()


def test_where_nobody_knows_how_much_there_is_something_moves(terminal):
    with Console().progress("Saving") as tell:
        until(lambda: "Saving" in terminal.getvalue())
        assert "%" not in terminal.getvalue()
        tell(1, 4)
        until(lambda: "25%" in terminal.getvalue())


def test_a_failure_ends_the_bar_first(terminal):
    def fail():
        with Console().progress("Reading"):
            until(lambda: "Reading" in terminal.getvalue())
            raise ValueError("x")

    with pytest.raises(ValueError, match="x"):
        fail()
    assert terminal.getvalue().endswith("\n")


def test_short_work_shows_nothing(terminal, monkeypatch):
    monkeypatch.setattr(progress, "SHOW_AFTER_S", 60)
    with Console().progress("Reading", 2) as tell:
        tell(1)
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("option", ["quiet", "as_json"])
def test_nothing_is_shown_to_those_who_asked_for_less(terminal, option):
    request = Console()
    setattr(request, option, True)
    with request.progress("Reading", 2) as tell:
        tell(1)
    assert terminal.getvalue() == ""


def test_nothing_is_shown_to_a_pipe(monkeypatch):
    pipe = draw_on(io.StringIO(), monkeypatch)
    with Console().progress("Reading", 2) as tell:
        tell(1)
    assert pipe.getvalue() == ""


@pytest.fixture
def heard(monkeypatch):
    """What the commands tell their bars."""
    bars: dict[str, Progress] = {}

    @contextmanager
    def listening(_console, label, total=None):
        bars[label] = Progress(total)
        yield bars[label]

    monkeypatch.setattr(Console, "progress", listening)
    return bars


def test_every_long_command_has_one_and_tells_it_to_the_end(ask, heard, tmp_path):
    file, backup_file = str(tmp_path / "h.jsonl"), str(tmp_path / "b.tar.gz")
    for command in (
        ["init"],
        ["demo"],
        ["migrate"],
        ["export", "--project", "HRB", "--out", file],
        ["import", "--in", file, "--as-copy"],
        ["verify"],
        ["backup", "--out", backup_file],
        ["restore", backup_file, "--force"],
    ):
        ask(*command)
    pulsing = {"Migrating the database", "Exporting HRB", "Saving", "Checking the log"}
    measured = {"Reading", "Copying the database", "Writing the backup", "Checking the backup"}
    assert set(heard) == pulsing | measured
    for label in measured:
        assert heard[label].done == heard[label].total, label
