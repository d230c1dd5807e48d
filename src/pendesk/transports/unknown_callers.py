"""Limits on what can be asked without a token: by address, and by account where one is named."""

import hashlib
import ipaddress
from typing import NamedTuple

from starlette.requests import Request

from pendesk.domain import limits
from pendesk.operations.dispatch import Store
from pendesk.transports.throttle import Throttle, open_throttle

IPV6_SITE_BITS = 64  # one household has that many addresses


class Throttles(NamedTuple):
    registrations: Throttle
    devices: Throttle
    documents: Throttle
    user_codes: Throttle
    passwords_by_account: Throttle
    passwords_by_address: Throttle
    guest_reads: Throttle
    guest_items: Throttle


def open_throttles(store: Store) -> Throttles:
    here = "in a minute from this address"
    return Throttles(
        open_throttle(store, limits.REGISTRATIONS_PER_MINUTE, f"registrations {here}"),
        open_throttle(store, limits.DEVICES_PER_MINUTE, f"device sign-ins {here}"),
        open_throttle(store, limits.DOCUMENTS_PER_MINUTE, f"new clients {here}"),
        open_throttle(store, limits.USER_CODES_PER_MINUTE, "codes in a minute"),
        open_throttle(store, limits.PASSWORDS_PER_ACCOUNT_MINUTE, "tries in a minute for this account"),
        open_throttle(store, limits.PASSWORDS_PER_ADDRESS_MINUTE, f"tries {here}"),
        open_throttle(store, limits.GUEST_READS_PER_MINUTE, f"pages {here}"),
        open_throttle(store, limits.GUEST_ITEMS_PER_MINUTE, f"messages {here}"),
    )


def throttles_of(request: Request) -> Throttles:
    throttles: Throttles = request.app.state.throttles
    return throttles


async def admit_from(request: Request, throttle: Throttle, purpose: str) -> None:
    await throttle.admit(f"{purpose}:{address_of(request)}")


async def admit_for(throttle: Throttle, purpose: str, whom: str) -> None:
    """`whom` may be anything a caller typed, so it is digested."""
    await throttle.admit(f"{purpose}:{hashlib.sha256(whom.encode()).hexdigest()[:32]}")


def address_of(request: Request) -> str:
    host = request.client.host if request.client else "nobody"
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host[:64]
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((int(address), IPV6_SITE_BITS), strict=False))
    return str(address)
