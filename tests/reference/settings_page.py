"""docs/reference/settings.md: every setting, its default and what it may be."""

from pendesk.settings import SETTINGS, Setting
from tests.reference.markdown import anchored, code, plain, table

HEAD = """\
# Settings

Generated from `settings.py`; `make reference` writes it anew. A value is taken from the first place that has one: the
command line (`--port 8080`, where the command has that option), the environment (`PENDESK_PORT=8080`), then
`pendesk.toml` in the data folder (`port = 8080`). `pendesk doctor` shows each value and where it came from; what is
unknown or malformed stops the program and is named. [Run it for a team](../self-host.md) tells which you need.

Two settings say where the others are: `--data` or `PENDESK_DATA` is the data folder (database, attachments, keys), by
default the platform's; `--config` or `PENDESK_CONFIG` is the settings file, by default `pendesk.toml` in that folder.
Programs that call the server read `PENDESK_URL`, `PENDESK_MCP_TOKEN` and
[`PENDESK_SESSION`](../connect.md#several-terminals).
"""


def render() -> str:
    rows = [
        (
            anchored(setting.name, f"{code(setting.name)}<br>{code(setting.environment_variable_name)}"),
            "not set" if setting.default in (None, "") else code(setting.default),
            f"{_sentence(setting.description)} {_allowed(setting)}",
        )
        for setting in SETTINGS
    ]
    return "\n".join([HEAD, *table(("setting", "default", "what it is"), rows)])


def _sentence(text: str) -> str:
    return plain(text[:1].upper() + text[1:].rstrip(".") + ".")


def _allowed(setting: Setting) -> str:
    """What the setting itself says to a value that cannot be one."""
    try:
        setting.parse("\0")
    except ValueError as error:
        return f"It {plain(str(error))}."
    return ""
