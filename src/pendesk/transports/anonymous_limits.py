"""Limits on what needs no token: by address, and by account where one is named."""

import hashlib
import ipaddress
from functools import partial
from typing import NamedTuple

from starlette.requests import Request
from starlette.types import Scope

from pendesk.domain.limits import PASSWORDS_PER_ACCOUNT_MINUTE, USER_CODES_PER_MINUTE, Limits
from pendesk.operations.dispatch import Dispatcher
from pendesk.transports.throttle import MemoryThrottle, Throttle, create_throttle

IPV6_SITE_BITS = 64  # one household has that many addresses


class Throttles(NamedTuple):
    registrations: Throttle
    devices: Throttle
    documents: Throttle
    user_codes: Throttle
    passwords_by_account: Throttle
    sign_ins_by_address: Throttle
    guest_reads: Throttle
    guest_items: Throttle
    unknown_tokens: Throttle


def create_anonymous_throttles(dispatcher: Dispatcher, limits: Limits) -> Throttles:
    limit = partial(create_throttle, dispatcher)
    by_address = "in a minute from this address"
    return Throttles(
        registrations=limit(limits.address_registrations_per_minute, f"registrations {by_address}"),
        devices=limit(limits.address_device_sign_ins_per_minute, f"device sign-ins {by_address}"),
        documents=limit(limits.address_client_documents_per_minute, f"new clients {by_address}"),
        user_codes=limit(USER_CODES_PER_MINUTE, "codes in a minute"),
        passwords_by_account=limit(PASSWORDS_PER_ACCOUNT_MINUTE, "tries in a minute for this account"),
        sign_ins_by_address=limit(limits.address_sign_ins_per_minute, f"tries {by_address}"),
        guest_reads=limit(limits.address_guest_reads_per_minute, f"pages {by_address}"),
        guest_items=limit(limits.address_guest_messages_per_minute, f"messages {by_address}"),
        # In the memory of each process: a flood of them must not become one of writes.
        unknown_tokens=MemoryThrottle(limits.address_unknown_tokens_per_minute, f"unknown tokens {by_address}"),
    )


def throttles_of(request: Request) -> Throttles:
    throttles: Throttles = request.app.state.throttles
    return throttles


async def throttle_by_address(request: Request, throttle: Throttle, purpose: str) -> None:
    await throttle.count_request_or_refuse(f"{purpose}:{client_throttle_key(request.scope)}")


async def throttle_by_account(throttle: Throttle, purpose: str, account: str) -> None:
    """`account` may be anything a caller typed, so it is digested."""
    await throttle.count_request_or_refuse(f"{purpose}:{hashlib.sha256(account.encode()).hexdigest()[:32]}")


def client_throttle_key(scope: Scope) -> str:
    host: str = scope["client"][0] if scope.get("client") else "nobody"
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host[:64]
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((int(address), IPV6_SITE_BITS), strict=False))
    return str(address)
