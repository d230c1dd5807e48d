"""How PostgreSQL is reached, and why it was not.

A writable server is asked for unless the URL says otherwise: after a failover the address, or one of several, may lead
to a replica, which accepts connections and refuses every write.
"""

import logging
import os
import re
import threading
import time
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from pendesk.domain.errors import Unavailable
from pendesk.settings import SettingError

log = logging.getLogger("pendesk.postgres")

# libpq's parameters, where the URL does not give them. A server that vanished without a word is given up 10 to 15
# seconds after it was last heard of.
DEFAULTS = {
    "target_session_attrs": "read-write",
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "3",
    "keepalives_count": "2",
    "tcp_user_timeout": "10000",
}
LOG_EVERY_S = 10.0
TRUE_FOR_S = 30.0  # while it lasts the pool tries again every few seconds
REASONS_KEPT = 100

# What the drivers write in front of a reason, for each host that was tried, and where that was.
_LABEL = re.compile(
    r"(?:- host: \S+, port: \S+, hostaddr: \S+: )?(?:connection (?:failed|is bad): |consuming input failed: )?"
)
_PLACE = re.compile(
    r'(?:connection to server (?:at "[^"]*"(?: \([^)]*\))?, port \d+|on socket "[^"]*") failed: )?(?:FATAL: +)?'
)
_HEADING = "Multiple connection attempts failed"
_QUOTED = re.compile(r'"[^"]*"|\'[^\']*\'')
_PLAINER = {"session is read-only": "the server is read-only: it is a replica, or was set so"}


def conninfo_with_defaults(url: str) -> str:
    """The URL as libpq's parameters, with what it leaves out."""
    try:
        url_names = set(conninfo_to_dict(url))
        if "PGTARGETSESSIONATTRS" in os.environ:
            url_names.add("target_session_attrs")
        return make_conninfo(url, **{name: value for name, value in DEFAULTS.items() if name not in url_names})
    except psycopg.ProgrammingError as error:
        # libpq quotes what it could not read, which may be a part of the password.
        raise SettingError(
            f"database_url cannot be read: {_redact_quoted_text(str(error).strip())}. In a password write %, @, / and "
            ": as %25, %40, %2F and %3A."
        ) from None


def connect(url: str, *, autocommit: bool = False) -> psycopg.Connection[Any]:
    """One connection for a command, outside of the server's pool.

    Nothing is prepared: behind a pooler that would stay with a connection which others get next.
    """
    return psycopg.connect(conninfo_with_defaults(url), autocommit=autocommit, prepare_threshold=None)


def redacted_error_reason(error: BaseException) -> str:
    """Why, in one line: without address, and without the names of roles and databases, since anybody may read it."""
    plain = (_PLACE.sub("", line, count=1) for line in _error_messages_of_each_host(error))
    return _redact_quoted_text("; ".join(dict.fromkeys(_PLAINER.get(text, text) for text in plain)))


def error_reason_with_server_address(error: BaseException) -> str:
    """The same for whoever runs the server: with the address. A password is in none of what servers say."""
    text = "; ".join(_error_messages_of_each_host(error))
    return text if "connection to server" in text or "resolve host" in text else redacted_error_reason(error)


def _error_messages_of_each_host(error: BaseException) -> list[str]:
    """What each host said, once; without advice, which is indented."""
    lines = (line for line in str(error).splitlines() if line.strip() and not line.startswith(("\t", _HEADING)))
    return list(dict.fromkeys(_LABEL.sub("", line, count=1) for line in lines))


def _redact_quoted_text(text: str) -> str:
    return _QUOTED.sub('"..."', text)


def database_unreachable_error(reason: str) -> Unavailable:
    return Unavailable(f"The database cannot be reached now ({reason}). Nothing was changed; try again shortly.")


class FailureLog:
    """Why the database could not be used: the newest reason for answers, each now and then for the log.

    The newest is that of the attempt that began last: one that began earlier, and took longer to fail, says how things
    were before.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._logged: dict[str, float] = {}
        self._newest, self._newest_began_at, self._newest_at = "", 0.0, 0.0

    @property
    def recent_reason_or_empty(self) -> str:
        """Empty where nothing has failed of late."""
        return self._newest if time.monotonic() - self._newest_at < TRUE_FOR_S else ""

    def record(self, error: BaseException, began_at: float) -> None:
        """With the moment (monotonic) at which what failed had begun."""
        reason = redacted_error_reason(error)
        with self._lock:
            if began_at >= self._newest_began_at or not self.recent_reason_or_empty:
                self._newest, self._newest_began_at, self._newest_at = reason, began_at, time.monotonic()
        self.log_only(error)

    def log_only(self, error: BaseException) -> None:
        """Of what no caller waits for."""
        self._log_rate_limited(
            logging.WARNING, f"the database cannot be used: {error_reason_with_server_address(error)}"
        )

    def record_connected(self) -> None:
        if self.recent_reason_or_empty:
            self._log_rate_limited(logging.INFO, "connected to the database again")
        self._newest = ""

    def _log_rate_limited(self, level: int, line: str) -> None:
        with self._lock:
            if time.monotonic() - self._logged.get(line, -LOG_EVERY_S) < LOG_EVERY_S:
                return
            if len(self._logged) >= REASONS_KEPT:
                self._logged.clear()
            self._logged[line] = time.monotonic()
        log.log(level, "%s", line)


def is_connection_lost(error: psycopg.Error) -> bool:
    """The server did not say that it refused, or it was stopped."""
    return error.sqlstate is None or error.sqlstate.startswith("57P")


def commit_outcome_unknown_error(why: str) -> Unavailable:
    return Unavailable(
        f"The database went away while it was saving ({why}). Whether this was saved is not known: "
        "repeat it with the same idempotency_key, or look before you repeat it.",
        code="outcome_unknown",
    )
