"""What every command shares: the options that work everywhere, and how it speaks."""

import json
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pendesk.cli.parts.progress import Progress, shown

if TYPE_CHECKING:
    from pendesk.settings import Settings

F = TypeVar("F", bound=Callable[..., Any])

# Terminal escapes and other invisible controls in what people and agents wrote.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class Failure(click.ClickException):
    """Stops the command; the message says what is wrong and what to do."""


class Console:
    """The options that work everywhere, and output that heeds them."""

    data: str | None = None
    config: str | None = None
    acting: str | None = None
    as_json = False
    json_was_said = False  # also where the rest of the line cannot be read
    quiet = False
    umask = 0o022  # the user's own, for files that are not secret

    def settings(self, **options: object) -> "Settings":
        from pendesk.settings import load

        return load(data=self.data, config=self.config, options=options)

    @property
    def prints_to_a_terminal(self) -> bool:
        """What is printed is read at a terminal now, and not kept in a journal, a file or a container's log."""
        return sys.stdout is not None and sys.stdout.isatty() and (self.as_json or not self.quiet)

    def command(self, words: str) -> str:
        """A command to type next, for the same installation as this one."""
        options = {"--data": self.data, "--config": self.config}
        given = [f"{name} {shlex.quote(value)}" for name, value in options.items() if value]
        return " ".join([words, *given])

    def say(self, text: str = "") -> None:
        """For people: silent with --quiet and with --json."""
        if not self.quiet and not self.as_json:
            click.echo(plain(text))

    def warn(self, text: str) -> None:
        """What deserves attention, beside the answer."""
        click.echo(plain(f"Note: {text}"), err=True)

    def answer(self, result: Any, text: str) -> None:
        """What the command was asked for: as JSON, or as text for people and pipes."""
        click.echo(json.dumps(result, indent=2, ensure_ascii=False) if self.as_json else plain(text))

    @contextmanager
    def progress(self, label: str, whole: int | None = None) -> Iterator[Progress]:
        """For what may take long: the work tells it how much is done, and of how much."""
        if sys.stderr.isatty() and not self.quiet and not self.as_json:
            with shown(label, whole) as progress:
                yield progress
        else:
            yield Progress(whole)


pass_console = click.make_pass_decorator(Console, ensure=True)


def plain(text: str) -> str:
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Columns as wide as their longest cell; the first row is the head."""
    cells = [tuple(plain(cell).replace("\n", " ") for cell in row) for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in cells)


def _option(*names: str, keep: str, **attributes: Any) -> Callable[[F], F]:
    def kept(ctx: click.Context, _parameter: click.Parameter, value: Any) -> None:
        if value:
            setattr(ctx.ensure_object(Console), keep, value)

    return click.option(*names, keep, expose_value=False, callback=kept, **attributes)


_EVERYWHERE = (
    _option("--quiet", "-q", keep="quiet", is_flag=True, help="Say only what was asked for."),
    _option("--json", keep="as_json", is_flag=True, help="Answer in JSON."),
    _option("--config", keep="config", metavar="FILE", help="Settings file [PENDESK_CONFIG, else DIR/pendesk.toml]."),
    _option("--data", keep="data", metavar="DIR", help="Data folder [PENDESK_DATA, else the platform's]."),
)

acting_as = _option("--as", keep="acting", metavar="EMAIL", help="Act as this member [the first owner].")


def days_option(name: str, about: str) -> Callable[[F], F]:
    """A number of days, as `days`."""
    return click.option(name, "days", metavar="DAYS", callback=_days, help=about)


def _days(_ctx: click.Context, _parameter: click.Parameter, text: str | None) -> int | None:
    if text is None:
        return None
    match = re.fullmatch(r"([1-9][0-9]{0,3})d?", text)
    if match is None:
        raise click.BadParameter("give a number of days, such as 90d")
    return int(match[1])


def everywhere(command: F) -> F:
    """Options that may stand before or after a command's name."""
    for option in _EVERYWHERE:
        command = option(command)
    return command


@contextmanager
def explained(ctx: click.Context) -> Iterator[None]:
    """What can go wrong becomes one line for people, or the one error body for programs."""
    try:
        yield
    except Failure as failure:
        if not ctx.ensure_object(Console).as_json:
            raise
        click.echo(json.dumps({"error": {"code": "failed", "message": failure.message}}), err=True)
        ctx.exit(1)
    except click.UsageError as error:
        if not ctx.ensure_object(Console).json_was_said:
            raise
        click.echo(json.dumps({"error": {"code": "usage", "message": error.format_message()}}), err=True)
        ctx.exit(error.exit_code)
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except Exception as error:
        told = _explain(error)
        if told is None:
            raise
        if ctx.ensure_object(Console).as_json:
            click.echo(json.dumps({"error": told}), err=True)
            ctx.exit(1)
        raise Failure(plain(told["message"])) from error


def _explain(error: Exception) -> dict[str, Any] | None:
    """Errors by what they mean to the one who runs the command; None for a fault of ours."""
    from pendesk.cli.binding.record import BrokenBinding
    from pendesk.cli.parts.remote import Refused, Unreachable
    from pendesk.domain.errors import Refusal
    from pendesk.settings import SettingError
    from pendesk.store.engine.folder_lock import InUse
    from pendesk.store.engine.migrate import NewerDatabase
    from pendesk.store.installation import WrongSecret
    from pendesk.store.secret import DamagedSecret

    if isinstance(error, Refusal):
        from pendesk.transports.problems import problem

        told: dict[str, Any] = problem(error)["error"]
        return told
    if isinstance(error, Refused):
        return {**error.error, "message": str(error)}
    if isinstance(error, Unreachable):
        message = f"{error}. Start it with `pendesk serve`, or see `pendesk doctor --repo .`."
        return {"code": "unreachable", "message": message}
    if isinstance(error, BrokenBinding):
        message = f"{error} Put it back from git, or remove it and run `pendesk connect`."
        return {"code": "broken_binding", "message": message}
    if isinstance(error, InUse):
        return {"code": "in_use", "message": str(error)}
    if isinstance(error, SettingError | WrongSecret | DamagedSecret | NewerDatabase):
        return {"code": "cannot_start", "message": str(error)}
    if isinstance(error, OSError):
        where = f" {error.filename}" if error.filename else ""
        return {"code": "os_error", "message": f"{error.strerror or error}:{where}. Check its rights and the disk."}
    if type(error).__module__.split(".")[0] in ("apsw", "psycopg"):
        return {"code": "database", "message": f"The database cannot be used: {_why(error)}"}
    if isinstance(error, ModuleNotFoundError) and (error.name or "").startswith("psycopg"):
        return {"code": "cannot_start", "message": "PostgreSQL needs its driver: install pendesk[postgres]."}
    return None


def _why(error: Exception) -> str:
    if type(error).__module__.startswith("psycopg"):
        from psycopg import OperationalError

        from pendesk.store.engine.postgres_connect import full_reason

        if isinstance(error, OperationalError):
            return f"{full_reason(error)}. Check database_url, and that PostgreSQL runs and lets this machine in."
    return f"{str(error).strip()}. `pendesk doctor` tells more."
