"""What is said of a database that cannot be reached: the reason, for whom it is meant, and never a secret."""

import time

import psycopg
import pytest

from pendesk.settings import SettingError
from pendesk.store.engine import postgres_connect
from pendesk.store.engine.postgres_connect import (
    FailureLog,
    conninfo_with_defaults,
    error_reason_with_server_address,
    redacted_error_reason,
)

AT = 'connection to server at "db.example", port 5432 failed: '
ROLE = f'connection failed: {AT}FATAL:  too many connections for role "pendesk"'
REFUSED = f"connection failed: {AT}Connection refused\n\tIs the server running on that host and accepting connections?"
BOTH = (
    f"{ROLE}\nMultiple connection attempts failed. All failures were:\n"
    "- host: 'a', port: '1', hostaddr: '10.0.0.1': connection failed: "
    'connection to server at "10.0.0.1", port 1 failed: session is read-only\n'
    f"- host: 'db.example', port: '5432', hostaddr: '10.0.0.2': {ROLE}"
)
HBA = f'connection failed: {AT}FATAL:  no pg_hba.conf entry for host "10.0.0.5", user "u", database "d", no encryption'


@pytest.mark.parametrize(
    ("said", "public"),
    [
        (ROLE, 'too many connections for role "..."'),
        (REFUSED, "Connection refused"),
        (HBA, 'no pg_hba.conf entry for host "...", user "...", database "...", no encryption'),
        ("failed to resolve host 'db.example': [Errno -2] Name or service not known", None),
        ('connection is bad: connection to server on socket "/run/.s.PGSQL.5432" failed: No such file', "No such file"),
        (BOTH, 'too many connections for role "..."; the server is read-only: it is a replica, or was set so'),
        ("terminating connection due to administrator command", "terminating connection due to administrator command"),
    ],
)
def test_answers_hold_the_reason_and_no_name(said, public):
    error = psycopg.OperationalError(said)
    public = public or 'failed to resolve host "...": [Errno -2] Name or service not known'
    assert redacted_error_reason(error) == public
    assert "\n" not in error_reason_with_server_address(error)


def test_the_log_names_address_and_role():
    assert (
        error_reason_with_server_address(psycopg.OperationalError(ROLE))
        == f'{AT}FATAL:  too many connections for role "pendesk"'
    )
    assert error_reason_with_server_address(psycopg.OperationalError(BOTH)) == (
        f'{AT}FATAL:  too many connections for role "pendesk"; '
        'connection to server at "10.0.0.1", port 1 failed: session is read-only'
    )


def test_a_url_that_cannot_be_read_is_not_quoted():
    """A part of what was meant to be the password may stand where libpq looks for something else."""
    with pytest.raises(SettingError, match="%25") as refused:
        conninfo_with_defaults("postgresql://user:hunt%er2@127.0.0.1/pendesk")
    assert "hunt" not in str(refused.value)
    assert "hunter" not in error_reason_with_server_address(
        psycopg.OperationalError('invalid integer value "hunter" for option "port"')
    )


def test_a_writable_server_is_asked_for_unless_the_url_says_otherwise(monkeypatch):
    assert "target_session_attrs=read-write" in conninfo_with_defaults("postgresql://u:p@a,b/pendesk")
    assert "target_session_attrs=any" in conninfo_with_defaults("postgresql://u:p@a,b/pendesk?target_session_attrs=any")
    assert "connect_timeout=20" in conninfo_with_defaults("postgresql://u:p@a,b/pendesk?connect_timeout=20")
    monkeypatch.setenv("PGTARGETSESSIONATTRS", "any")
    assert "target_session_attrs" not in conninfo_with_defaults("postgresql://u:p@a,b/pendesk")


def test_a_reason_is_logged_now_and_then_and_the_end_of_it_once(caplog):
    caplog.set_level("INFO")
    failures = FailureLog()
    failures.record_connected()
    for _ in range(1000):
        failures.record(psycopg.OperationalError(ROLE), time.monotonic())
        failures.record(psycopg.OperationalError(REFUSED), time.monotonic())
    assert failures.recent_reason_or_empty == "Connection refused"
    failures.record_connected()
    assert failures.recent_reason_or_empty == ""
    assert [line.split(":")[0] for line in caplog.messages] == [
        "the database cannot be used",
        "the database cannot be used",
        "connected to the database again",
    ]
    assert 'too many connections for role "pendesk"' in caplog.messages[0]


def test_the_reason_is_that_of_the_attempt_that_began_last():
    failures = FailureLog()
    slow, fast = time.monotonic(), time.monotonic() + 1
    failures.record(psycopg.OperationalError(REFUSED), fast)
    failures.record(psycopg.OperationalError("server closed the connection unexpectedly"), slow)
    assert failures.recent_reason_or_empty == "Connection refused"
    failures.record(psycopg.OperationalError(ROLE), fast + 1)
    assert failures.recent_reason_or_empty == 'too many connections for role "..."'


def test_an_old_attempt_says_why_where_nothing_newer_is_known(monkeypatch):
    failures = FailureLog()
    old, new = time.monotonic(), time.monotonic() + 1
    failures.record(psycopg.OperationalError(REFUSED), new)
    failures.record_connected()
    failures.record(psycopg.OperationalError(ROLE), old)
    assert failures.recent_reason_or_empty == 'too many connections for role "..."'
    monkeypatch.setattr(postgres_connect, "TRUE_FOR_S", 0.0)
    failures.record(psycopg.OperationalError(REFUSED), old - 1)
    monkeypatch.undo()
    assert failures.recent_reason_or_empty == "Connection refused"
