"""Where a call comes from, by its headers and its `_meta`: client, machine, and the marks of its agent session.

Everything here is what the caller says of itself: labels, which give no right. What is malformed is left out.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
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

REMEMBERED_BYTES = 2_000  # of longer headers nothing is kept: a caller could fill the memory with them
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


class HeaderTexts(NamedTuple):
    """What the headers say, in the order of ORIGIN_HEADERS."""

    session: str
    process: str
    client_session: str
    thread: str
    client: str
    machine: str
    user_agent: str


ORIGIN_HEADERS = (SESSION, PROCESS, CLIENT_SESSION, THREAD, CLIENT, MACHINE, USER_AGENT)
RawHeaders = tuple[bytes | None, ...]


def read_call_origin(headers: Mapping[bytes, bytes], meta: MetaOrigin = NO_META) -> CallOrigin:
    raw = tuple(map(headers.get, ORIGIN_HEADERS))
    if sum(map(len, filter(None, raw))) > REMEMBERED_BYTES:
        return _origin(_parse_headers(raw), meta)
    # A client sends the same headers with each of its calls.
    return _origin_of_headers(raw) if meta == NO_META else _origin(_remembered_header_texts(raw), meta)


@lru_cache(maxsize=1_000)
def _origin_of_headers(raw: RawHeaders) -> CallOrigin:
    return _origin(_remembered_header_texts(raw), NO_META)


@lru_cache(maxsize=1_000)
def _remembered_header_texts(raw: RawHeaders) -> HeaderTexts:
    return _parse_headers(raw)


def _parse_headers(raw: RawHeaders) -> HeaderTexts:
    return HeaderTexts(*("" if value is None else clean_text(value.decode("latin-1")) for value in raw))


def _origin(headers: HeaderTexts, meta: MetaOrigin) -> CallOrigin:
    client_session = clean_text(meta.client_session) or _without_client(headers.client_session)
    thread = clean_text(meta.thread) or headers.thread
    given = headers.session or clean_text(meta.session)
    marks = {
        MarkKind.GIVEN: given,
        MarkKind.CLIENT: client_session,
        MarkKind.PROCESS: headers.process,
    }
    names = (headers.client, clean_text(meta.client_name), headers.user_agent)
    return CallOrigin(
        client=next((client for client in map(known_client, names) if client), ""),
        machine=headers.machine[:MACHINE_CHARS],
        model=clean_text(meta.model)[:MODEL_CHARS] or None,
        marks=frozenset(make_mark(kind, value) for kind, value in marks.items() if value),
        thread=thread if thread != client_session else "",
        tool_use_id=clean_text(meta.tool_use_id),
        session_name=session_name(given),
    )


def _without_client(client_session: str) -> str:
    """`codex:1234` -> `1234`, as Codex itself calls it in `_meta`."""
    return client_session.rpartition(":")[2]


def clean_text(value: Any) -> str:
    """What a caller says of itself, bounded; empty for what is no text."""
    return _NOT_PRINTABLE.sub("", value).strip()[:MARK_CHARS] if isinstance(value, str) else ""
