"""What every command shares: the common options, its output and its errors."""

import json
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pendesk.cli.parts.progress import Progress, show_progress
from pendesk.domain.hidden_characters import mark_hidden

if TYPE_CHECKING:
    from pendesk.settings import Settings

F = TypeVar("F", bound=Callable[..., Any])

# Terminal escapes in texts of people and agents.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class CommandError(click.ClickException):
    """Ends the command with exit code 1; the message says what is wrong and what to do."""


class Console:
    """The common options, and output that respects them."""

    data: str | None = None
    config: str | None = None
    acting_email: str | None = None
    as_json = False
    json_requested = False  # also if the rest of the command line is invalid
    quiet = False
    umask = 0o022  # the user's own, for files that are not secret

    def load_settings(self, **options: object) -> "Settings":
        from pendesk.settings import load

        return load(data_folder=self.data, config_file=self.config, options=options)

    @property
    def prints_to_terminal(self) -> bool:
        """Whether the output is read in a terminal now, and not stored in a journal, a file or a container's log."""
        return sys.stdout is not None and sys.stdout.isatty() and (self.as_json or not self.quiet)

    def append_data_and_config_options(self, command: str) -> str:
        """A command to run next, for the same data folder as this one."""
        options = {"--data": self.data, "--config": self.config}
        given_options = [f"{name} {shlex.quote(value)}" for name, value in options.items() if value]
        return " ".join([command, *given_options])

    def info(self, text: str) -> None:
        """For people: silent with --quiet and with --json."""
        if not self.quiet and not self.as_json:
            click.echo(replace_control_chars(text))

    def warn(self, text: str) -> None:
        """What deserves attention, beside the result."""
        click.echo(replace_control_chars(f"Note: {text}"), err=True)

    def print_result(self, result: Any, text: str, next_steps: Sequence[str] = ()) -> None:
        """The result of the command: as JSON, or as text for people and pipes. --quiet leaves out the next steps."""
        lines = [text, *([] if self.quiet else next_steps)]
        click.echo(
            json.dumps(result, indent=2, ensure_ascii=False)
            if self.as_json
            else replace_control_chars("\n".join(lines))
        )

    def print_confirmation(self, result: Any, text: str) -> None:
        """That a command has done what it was for: nothing with --quiet, where the exit code says it."""
        if self.as_json or not self.quiet:
            self.print_result(result, text)

    @contextmanager
    def progress(self, label: str, total: int | None = None) -> Iterator[Progress]:
        """For work that may take long: it reports how much is done, and of how much."""
        if sys.stderr.isatty() and not self.quiet and not self.as_json:
            with show_progress(label, total) as progress:
                yield progress
        else:
            yield Progress(total)


pass_console = click.make_pass_decorator(Console, ensure=True)


def replace_control_chars(text: str) -> str:
    return mark_hidden(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", text))


def format_table(rows: Sequence[tuple[str, ...]]) -> str:
    """Columns as wide as their longest cell; the first row is the head."""
    cells = [tuple(replace_control_chars(cell).replace("\n", " ") for cell in row) for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in cells)


def _option_stored_on_console(*names: str, attribute: str, **attributes: Any) -> Callable[[F], F]:
    def store(ctx: click.Context, _parameter: click.Parameter, value: Any) -> None:
        if value:
            setattr(ctx.ensure_object(Console), attribute, value)

    return click.option(*names, attribute, expose_value=False, callback=store, **attributes)


_COMMON_OPTIONS = (
    _option_stored_on_console("--quiet", "-q", attribute="quiet", is_flag=True, help="Print only the result."),
    _option_stored_on_console("--json", attribute="as_json", is_flag=True, help="Print the result as JSON."),
    _option_stored_on_console(
        "--config", attribute="config", metavar="FILE", help="Settings file [PENDESK_CONFIG, or DIR/pendesk.toml]."
    ),
    _option_stored_on_console(
        "--data", attribute="data", metavar="DIR", help="Data folder [PENDESK_DATA, or the platform's]."
    ),
)

as_option = _option_stored_on_console(
    "--as", attribute="acting_email", metavar="EMAIL", help="Act as this member [the first owner]."
)


def days_option(name: str, description: str) -> Callable[[F], F]:
    """A number of days, as `days`."""
    return click.option(name, "days", metavar="DAYS", callback=_parse_days, help=description)


def _parse_days(_ctx: click.Context, _parameter: click.Parameter, text: str | None) -> int | None:
    if text is None:
        return None
    match = re.fullmatch(r"([1-9][0-9]{0,3})d?", text)
    if match is None:
        raise click.BadParameter("enter a number of days, such as 90d")
    return int(match[1])


def common_options(command: F) -> F:
    """The options of every command, before or after its name."""
    for option in _COMMON_OPTIONS:
        command = option(command)
    return command


@contextmanager
def report_errors(ctx: click.Context) -> Iterator[None]:
    """Print an error as one line for people, or as one JSON object for programs."""
    try:
        yield
    except CommandError as error:
        if not ctx.ensure_object(Console).as_json:
            raise
        click.echo(json.dumps({"error": {"code": "failed", "message": error.message}}), err=True)
        ctx.exit(1)
    except click.UsageError as error:
        if not ctx.ensure_object(Console).json_requested:
            raise
        click.echo(json.dumps({"error": {"code": "usage", "message": error.format_message()}}), err=True)
        ctx.exit(error.exit_code)
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except Exception as error:
        body = _error_body_if_expected(error)
        if body is None:
            raise
        if ctx.ensure_object(Console).as_json:
            click.echo(json.dumps({"error": body}), err=True)
            ctx.exit(1)
        raise CommandError(replace_control_chars(_message_with_faults(body))) from error


def _message_with_faults(body: dict[str, Any]) -> str:
    """A message that says to see the faults has them below it."""
    faults = [f"  {fault['field']}: {fault['problem']}" for fault in body.get("faults", [])]
    return "\n".join([body["message"], *faults]) if len(faults) > 1 else body["message"]


def _error_body_if_expected(error: Exception) -> dict[str, Any] | None:
    """The code and message of an expected error; None for a bug."""
    from pendesk.cli.binding.record import BrokenBinding
    from pendesk.cli.parts.remote import CallRefused, ServerUnreachable
    from pendesk.domain.errors import Refusal
    from pendesk.settings import SettingError
    from pendesk.store.engine.folder_lock import InUse
    from pendesk.store.engine.migrate import NewerDatabase
    from pendesk.store.installation import WrongSecret
    from pendesk.store.secret import DamagedSecret

    if isinstance(error, Refusal):
        from pendesk.transports.problems import refusal_or_internal_error_body

        body: dict[str, Any] = refusal_or_internal_error_body(error)["error"]
        return body
    if isinstance(error, CallRefused):
        return {**error.error, "message": str(error)}
    if isinstance(error, ServerUnreachable):
        message = f"{error}. Start it with `pendesk serve`, or run `pendesk doctor --repo .`."
        return {"code": "unreachable", "message": message}
    if isinstance(error, BrokenBinding):
        message = f"{error} Restore it from git, or remove it and run `pendesk connect`."
        return {"code": "broken_binding", "message": message}
    if isinstance(error, InUse):
        return {"code": "in_use", "message": str(error)}
    if isinstance(error, SettingError | WrongSecret | DamagedSecret | NewerDatabase):
        return {"code": "cannot_start", "message": str(error)}
    if isinstance(error, OSError):
        where = f" {error.filename}" if error.filename else ""
        return {
            "code": "os_error",
            "message": f"{error.strerror or error}:{where}. Check its permissions and the disk.",
        }
    if type(error).__module__.split(".")[0] in ("apsw", "psycopg"):
        return {"code": "database", "message": f"The database cannot be used: {_database_error_message(error)}"}
    if isinstance(error, ModuleNotFoundError) and (error.name or "").startswith("psycopg"):
        return {"code": "cannot_start", "message": "PostgreSQL needs its driver: install pendesk[postgres]."}
    return None


def _database_error_message(error: Exception) -> str:
    if type(error).__module__.startswith("psycopg"):
        from psycopg import OperationalError

        from pendesk.store.engine.postgres_connect import error_reason_with_server_address

        if isinstance(error, OperationalError):
            reason = error_reason_with_server_address(error)
            return f"{reason}. Check database_url, and that PostgreSQL runs and accepts connections."
    return f"{str(error).strip()}. `pendesk doctor` shows more."
