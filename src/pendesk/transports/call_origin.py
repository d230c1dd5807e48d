"""Where a call comes from, by its headers and its `_meta`: client, machine, and the marks of its agent session.

Everything here is what the caller says of itself: labels, which give no right. What is malformed is left out.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from pendesk.domain.agent import known_client
from pendesk.domain.agent_session import CallOrigin, MarkKind, make_mark, session_name
from pendesk.domain.limits import MACHINE_CHARS, MARK_CHARS, MODEL_CHARS

SESSION = b"x-pendesk-session"
PROCESS = b"x-pendesk-process"
CLIENT_SESSION = b"x-pendesk-client-session"
THREAD = b"x-pendesk-thread"
CLIENT = b"x-pendesk-client"
MACHINE = b"x-pendesk-machine"
USER_AGENT = b"user-agent"

_NOT_PRINTABLE = re.compile(r"[^\x20-\x7e]+")


class MetaOrigin(NamedTuple):
    """What `_meta` of a tool call says; anything may stand there."""

    session: Any = None
    client_session: Any = None
    thread: Any = None
    tool_use_id: Any = None
    client_name: Any = None
    model: Any = None


NO_META = MetaOrigin()


def read_call_origin(headers: Mapping[bytes, bytes], meta: MetaOrigin = NO_META) -> CallOrigin:
    client_session = _text(meta.client_session) or _without_client(_header(headers, CLIENT_SESSION))
    thread = _text(meta.thread) or _header(headers, THREAD)
    given = _header(headers, SESSION) or _text(meta.session)
    marks = {
        MarkKind.GIVEN: given,
        MarkKind.CLIENT: client_session,
        MarkKind.PROCESS: _header(headers, PROCESS),
    }
    return CallOrigin(
        client=_client(headers, meta),
        machine=_header(headers, MACHINE)[:MACHINE_CHARS],
        model=_text(meta.model)[:MODEL_CHARS] or None,
        marks=frozenset(make_mark(kind, value) for kind, value in marks.items() if value),
        thread=thread if thread != client_session else "",
        tool_use_id=_text(meta.tool_use_id),
        session_name=session_name(given),
    )


def _client(headers: Mapping[bytes, bytes], meta: MetaOrigin) -> str:
    names = (_header(headers, CLIENT), _text(meta.client_name), _header(headers, USER_AGENT))
    return next((client for client in map(known_client, names) if client), "")


def _without_client(client_session: str) -> str:
    """`codex:1234` -> `1234`, as Codex itself calls it in `_meta`."""
    return client_session.rpartition(":")[2]


def _header(headers: Mapping[bytes, bytes], name: bytes) -> str:
    value = headers.get(name)
    return "" if value is None else _text(value.decode("latin-1"))


def _text(value: Any) -> str:
    return _NOT_PRINTABLE.sub("", value).strip()[:MARK_CHARS] if isinstance(value, str) else ""
