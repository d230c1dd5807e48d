"""The parameters of a request, from its query, its form or its JSON: each once, plain ASCII, bounded."""

import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from starlette.requests import Request

from pendesk.domain.errors import OAuthRefused
from pendesk.domain.limits import OAUTH_BODY_BYTES

FIELDS = 50
VALUE_CHARS = 8_000
# Nothing that OAuth sends needs more; so no look-alike letter, NUL or line break gets any further.
_PLAIN = re.compile(r"[\x20-\x7e]*\Z")
_NAME = re.compile(r"[a-z_]{1,40}\Z")


class Parameters(NamedTuple):
    """`faulty` are the names of those that were repeated or are not plain; they have no value."""

    values: dict[str, str]
    resources: list[str]
    faulty: set[str]

    def get(self, name: str) -> str:
        return self.values.get(name, "")

    def require(self, name: str) -> str:
        if not self.get(name):
            raise OAuthRefused("invalid_request", f"Send {name}.")
        return self.values[name]

    def check_all_valid(self) -> None:
        if self.faulty:
            names = ", ".join(sorted(name for name in self.faulty if _NAME.match(name)))
            raise OAuthRefused("invalid_request", f"Send each parameter once, as a short plain text: {names or 'all'}.")


def read_query(request: Request) -> Parameters:
    return _build_parameters(_parse_form_as_pairs(request.scope["query_string"]))


async def read_form(request: Request) -> Parameters:
    """The form of a page of ours."""
    return _build_parameters(_parse_form_as_pairs(await _read_size_limited_body(request)))


async def read_form_or_json(request: Request) -> Parameters:
    """What a client posts: a form, or the same as a JSON object. Every fault is refused here."""
    body = await _read_size_limited_body(request)
    is_json = request.headers.get("content-type", "").split(";")[0].strip().lower() == "application/json"
    parameters = _build_parameters(_parse_json_object_as_pairs(body) if is_json else _parse_form_as_pairs(body))
    parameters.check_all_valid()
    return parameters


async def read_size_limited_body(request: Request) -> bytes:
    return await _read_size_limited_body(request)


async def _read_size_limited_body(request: Request) -> bytes:
    request.scope["pendesk.body_bytes"] = OAUTH_BODY_BYTES
    return await request.body()


def _parse_form_as_pairs(body: bytes) -> list[tuple[str, Any]]:
    try:
        return list(parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=FIELDS))
    except ValueError:  # not ASCII, or too many
        raise OAuthRefused("invalid_request", "The parameters cannot be read. Send them form-encoded.") from None


def _parse_json_object_as_pairs(body: bytes) -> list[tuple[str, Any]]:
    try:
        pairs = json.loads(body, object_pairs_hook=list)
    except (ValueError, RecursionError):
        pairs = None
    is_object = isinstance(pairs, list) and all(isinstance(pair, tuple) for pair in pairs) and body.lstrip()[:1] == b"{"
    if not is_object or pairs is None or len(pairs) > FIELDS:
        raise OAuthRefused("invalid_request", "The body is not a JSON object of texts.")
    return [
        (name, item)
        for name, value in pairs
        for item in (value if name == "resource" and _is_text_list(value) else [value])
    ]


def _is_text_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _build_parameters(pairs: Iterable[tuple[str, Any]]) -> Parameters:
    values: dict[str, str] = {}
    resources: list[str] = []
    faulty: set[str] = set()
    for name, value in pairs:
        if not isinstance(value, str) or len(value) > VALUE_CHARS or not _PLAIN.match(value):
            faulty.add(name)
        elif name == "resource":  # the one that RFC 8707 lets a client repeat
            resources.append(value)
        elif name in values:
            faulty.add(name)
        else:
            values[name] = value
    for name in faulty:
        values.pop(name, None)
    return Parameters(values, resources, faulty)
