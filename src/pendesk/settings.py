"""Every setting there is: its name, its form, its default, and where its value came from.

A value is taken from the first place that has one: a command-line option, the environment (`PENDESK_PORT`), then
`pendesk.toml` in the data folder (`port = 3847`). What is unknown or malformed stops the program and is named.
"""

import difflib
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import platformdirs

from pendesk.domain.limits import HOUR_US, MINUTE_US, TOKEN_DAYS, Limits
from pendesk.setting_values import (
    choice_parser,
    integer_parser,
    normalize_token_scopes,
    parse_database_url,
    parse_domains,
    parse_host,
    parse_oidc_credential,
    parse_oidc_issuer,
    parse_origin,
    parse_secret_key,
)

PREFIX = "PENDESK_"
# Variables with our prefix that other parts read: the folder and file that settings come from, and the clients.
OTHER_VARIABLES = {f"{PREFIX}{name}" for name in ("DATA", "CONFIG", "URL", "MCP_TOKEN", "SESSION", "CHROMIUM")}
# Kubernetes makes these up for a service that is called pendesk.
_INJECTED = re.compile(r"PENDESK_(?:SERVICE_|PORT_\d)")
_PASSWORD_IN_URL = re.compile(r"(?<=//).*(?=@)|(?<=password=)[^&]*")
CONFIG_NAME = "pendesk.toml"


class SettingError(Exception):
    """A setting that cannot be used; the text names it and its source."""


class Setting(NamedTuple):
    name: str
    parse: Callable[[str], Any]
    default: Any
    description: str

    @property
    def environment_variable_name(self) -> str:
        return PREFIX + self.name.upper()


class SettingSource(NamedTuple):
    """A value as it may be shown, and where it came from."""

    shown: str
    source: str


class DataLocation(NamedTuple):
    """Where an installation is: its folder, and in it the SQLite file, or the PostgreSQL database."""

    folder: Path
    file: Path | None
    url: str | None


class Settings(NamedTuple):
    data: Path
    config: Path
    database_url: str | None
    database_connections: int
    host: str
    port: int
    public_url: str | None
    secret_key: str | None
    log_format: str
    metrics: str
    advertised_scopes: str
    client_id_metadata_documents: str
    outgoing_private_addresses: str
    oidc_issuer: str | None
    oidc_client_id: str | None
    oidc_client_secret: str | None
    oidc_allowed_domains: str
    oidc_role: str
    oidc_email_verified: str
    limits: Limits
    origins: Mapping[str, SettingSource]

    @property
    def sqlite_file(self) -> Path | None:
        return None if self.database_url else self.data / "pendesk.sqlite3"

    @property
    def data_location(self) -> DataLocation:
        return DataLocation(self.data, self.sqlite_file, self.database_url)


_DEFAULT = Limits()


def _minutes_setting(name: str, default_us: int, meaning: str) -> Setting:
    return Setting(name, integer_parser(1, 1440), default_us // MINUTE_US, meaning)


def _per_ip_limit_setting(name: str, description: str) -> Setting:
    return Setting(name, integer_parser(1, 1_000_000), getattr(_DEFAULT, name), f"{description}, from one address")


SETTINGS = (
    Setting("database_url", parse_database_url, None, "PostgreSQL; SQLite in the data folder without it"),
    Setting("database_connections", integer_parser(2, 200), 10, "connections to PostgreSQL of one process"),
    Setting("host", parse_host, "127.0.0.1", "the address to listen on"),
    Setting("port", integer_parser(0, 65535), 3847, "the port to listen on; 0 takes the next free one from 3847"),
    Setting("public_url", parse_origin, None, "how browsers and agents reach the server, behind a proxy"),
    Setting("secret_key", parse_secret_key, None, "signs links and seals; the file secret.key without it"),
    Setting("log_format", choice_parser("auto", "text", "json"), "auto", "auto: text on a terminal, else JSON"),
    Setting("metrics", choice_parser("loopback", "everyone", "off"), "loopback", "who may read /metrics"),
    Setting(
        "advertised_scopes",
        normalize_token_scopes,
        "specs.read builds.write",
        "what OAuth clients are told to ask for; the others are granted when asked for",
    ),
    Setting(
        "client_id_metadata_documents",
        choice_parser("off", "on"),
        "off",
        "let OAuth clients name themselves by an https address, which the server fetches",
    ),
    Setting(
        "outgoing_private_addresses",
        choice_parser("off", "on"),
        "off",
        "let what the server calls by itself be on this machine or in its network, without TLS too",
    ),
    Setting("oidc_issuer", parse_oidc_issuer, None, "an OpenID provider where people may sign in"),
    Setting("oidc_client_id", parse_oidc_credential, None, "this server's name at the provider"),
    Setting("oidc_client_secret", parse_oidc_credential, None, "its secret there; not needed for a public client"),
    Setting("oidc_allowed_domains", parse_domains, "", "verified addresses of these domains join without an invite"),
    Setting("oidc_role", choice_parser("viewer", "member"), "member", "the role of those who join that way"),
    Setting(
        "oidc_email_verified",
        choice_parser("required", "assumed"),
        "required",
        "assumed: an email counts as verified where the provider does not say; unsafe if people choose their own there",
    ),
    _minutes_setting("lease_minutes", _DEFAULT.lease_us, "life of a claim without a call"),
    Setting("lease_cap_hours", integer_parser(1, 720), _DEFAULT.lease_cap_us // HOUR_US, "longest life of a claim"),
    Setting("step_lease_hours", integer_parser(1, 24), _DEFAULT.step_lease_us // HOUR_US, "life by steps alone"),
    Setting("task_hold_hours", integer_parser(1, 720), _DEFAULT.task_hold_us // HOUR_US, "life of a task's hold"),
    Setting("live_claims_per_user", integer_parser(1, 1000), _DEFAULT.live_claims_per_user, "claims held at once"),
    _minutes_setting(
        "working_neutral_minutes", _DEFAULT.working_neutral_us, "silence after which Working is not green"
    ),
    _minutes_setting("working_amber_minutes", _DEFAULT.working_amber_us, "silence after which Working is amber"),
    _minutes_setting("take_over_minutes", _DEFAULT.take_over_after_us, "silence before a session's claim is offered"),
    _minutes_setting("rework_minutes", _DEFAULT.rework_after_us, "wait before requested changes are back in the inbox"),
    Setting("requests_per_minute", integer_parser(1, 1_000_000), _DEFAULT.requests_per_minute, "per token"),
    Setting("hook_calls_per_minute", integer_parser(1, 1_000_000), _DEFAULT.hook_calls_per_minute, "per token"),
    Setting("body_bytes", integer_parser(10_000, 100_000_000), _DEFAULT.body_bytes, "largest request body"),
    Setting("attachment_bytes", integer_parser(1, 10_000_000_000), _DEFAULT.attachment_bytes, "largest attachment"),
    Setting("workspace_file_bytes", integer_parser(0, 10**15), _DEFAULT.workspace_file_bytes, "files of a workspace"),
    Setting("account_file_bytes", integer_parser(0, 10**15), _DEFAULT.account_file_bytes, "files by one's tokens"),
    Setting(
        "workspace_text_bytes",
        integer_parser(10**6, 10**15),
        _DEFAULT.workspace_text_bytes,
        "long texts in a workspace",
    ),
    Setting(
        "account_text_bytes_per_day",
        integer_parser(10**6, 10**15),
        _DEFAULT.account_text_bytes_per_day,
        "long texts by one's tokens, in a day",
    ),
    _minutes_setting("attachment_url_minutes", _DEFAULT.attachment_url_us, "life of an attachment's link"),
    _per_ip_limit_setting("address_sign_ins_per_minute", "tries of passwords, invites and at the provider"),
    _per_ip_limit_setting("address_registrations_per_minute", "OAuth clients that register"),
    _per_ip_limit_setting("address_device_sign_ins_per_minute", "sign-ins by a code that begin"),
    _per_ip_limit_setting("address_client_documents_per_minute", "OAuth clients that name themselves by an address"),
    _per_ip_limit_setting("address_guest_reads_per_minute", "pages of shared links"),
    _per_ip_limit_setting("address_guest_messages_per_minute", "messages that guests leave"),
    _per_ip_limit_setting("address_unknown_tokens_per_minute", "tokens, codes and refresh tokens that are not known"),
    Setting("activity_days", integer_parser(0, 365), _DEFAULT.activity_days, "how long steps are saved; 0: none are"),
    Setting("import_bytes", integer_parser(10_000, 100_000_000_000), _DEFAULT.import_bytes, "largest import"),
    Setting("token_max_days", integer_parser(1, TOKEN_DAYS), None, "longest life of a new token or OAuth grant"),
)
_BY_NAME = {setting.name: setting for setting in SETTINGS}
_SECRETS = {"secret_key", "database_url", "oidc_client_secret"}


def load(
    *,
    data_folder: str | None = None,
    config_file: str | None = None,
    options: Mapping[str, object] | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Settings:
    """`options` are settings given on the command line; those that are None were not given."""
    default_folder = platformdirs.user_data_dir("pendesk")
    folder, folder_source = _value_and_source(data_folder, "--data", environ, "PENDESK_DATA", default_folder)
    path = Path(folder).expanduser().absolute()
    file, file_source = _value_and_source(config_file, "--config", environ, "PENDESK_CONFIG", str(path / CONFIG_NAME))
    config_path = Path(file).expanduser().absolute()
    texts = {
        **_read_config_values_and_sources(config_path, required=file_source != "default"),
        **_read_text_and_variable_by_setting(environ),
        **{name: (str(value), f"--{name}") for name, value in (options or {}).items() if value is not None},
    }
    values: dict[str, Any] = {}
    origins = {"data": SettingSource(str(path), folder_source), "config": SettingSource(str(config_path), file_source)}
    for setting in SETTINGS:
        text, source = texts.get(setting.name, (None, "default"))
        value = setting.default if text is None else _parse_setting(setting, text, source)
        values[setting.name] = value
        origins[setting.name] = SettingSource(_format_value_hiding_secrets(setting.name, value), source)
    if (values["oidc_issuer"] is None) != (values["oidc_client_id"] is None):
        raise SettingError("The settings oidc_issuer and oidc_client_id belong together: give both, or neither.")
    limits = _pop_limits(values)
    return Settings(data=path, config=config_path, limits=limits, origins=origins, **values)


def _value_and_source(
    option_value: str | None, option_name: str, environ: Mapping[str, str], variable: str, default: str
) -> tuple[str, str]:
    if option_value:
        return option_value, option_name
    if environ.get(variable):
        return environ[variable], variable
    return default, "default"


def _read_config_values_and_sources(path: Path, *, required: bool) -> dict[str, tuple[str, str]]:
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        if required:
            raise SettingError(f"There is no settings file {path}. Create it, or leave --config out.") from None
        return {}
    except OSError as error:
        raise SettingError(f"The settings file {path} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingError(f"The settings file {path} is not valid TOML: {error}.") from None
    return {name: (_toml_value_to_text(name, value, path), str(path)) for name, value in table.items()}


def read_secret_key(config_file: Path) -> str | None:
    """The secret that a settings file gives, whatever else is in it or wrong with it."""
    try:
        value = tomllib.loads(config_file.read_text("utf-8")).get("secret_key")
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError):
        return None
    return value if isinstance(value, str) else None


def _toml_value_to_text(name: str, value: object, path: Path) -> str:
    if name not in _BY_NAME:
        raise SettingError(f"{name!r} in {path} is not a setting.{_spelling_suggestion(name, _BY_NAME)}")
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    raise SettingError(f"{name!r} in {path} must be a text or a whole number.")


def _read_text_and_variable_by_setting(environ: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    by_variable = {setting.environment_variable_name: setting.name for setting in SETTINGS}
    texts = {}
    for variable, text in environ.items():
        if not variable.startswith(PREFIX) or variable in OTHER_VARIABLES or _INJECTED.match(variable):
            continue
        if variable not in by_variable:
            names = by_variable.keys() | OTHER_VARIABLES
            raise SettingError(
                f"The environment variable {variable} is not a setting.{_spelling_suggestion(variable, names)}"
            )
        if text:  # an empty variable is how many tools say "not set"
            texts[by_variable[variable]] = (text, variable)
    return texts


def _spelling_suggestion(name: str, known_names: Any) -> str:
    near = difflib.get_close_matches(name, list(known_names), 1)
    return f" Did you mean {near[0]}?" if near else " `pendesk doctor` lists them all."


def _parse_setting(setting: Setting, text: str, source: str) -> Any:
    try:
        return setting.parse(text)
    except ValueError as error:
        echo = "" if setting.name in _SECRETS else f" (it is {text[:80]!r})"
        raise SettingError(f"The setting {setting.name}, from {source}, {error}{echo}.") from None


def _format_value_hiding_secrets(name: str, value: object) -> str:
    if value is None or name in ("secret_key", "oidc_client_secret"):
        return "(not set)" if value is None else "(set)"
    return _PASSWORD_IN_URL.sub("***", str(value)) if name == "database_url" else str(value)


def _pop_limits(values: dict[str, Any]) -> Limits:
    return Limits(
        lease_us=values.pop("lease_minutes") * MINUTE_US,
        lease_cap_us=values.pop("lease_cap_hours") * HOUR_US,
        step_lease_us=values.pop("step_lease_hours") * HOUR_US,
        task_hold_us=values.pop("task_hold_hours") * HOUR_US,
        working_neutral_us=values.pop("working_neutral_minutes") * MINUTE_US,
        working_amber_us=values.pop("working_amber_minutes") * MINUTE_US,
        take_over_after_us=values.pop("take_over_minutes") * MINUTE_US,
        rework_after_us=values.pop("rework_minutes") * MINUTE_US,
        attachment_url_us=values.pop("attachment_url_minutes") * MINUTE_US,
        **{name: values.pop(name) for name in Limits._fields if name in values},
    )
