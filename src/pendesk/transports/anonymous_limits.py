"""Limits on what can be asked without a token: by address, and by account where one is named."""

import hashlib
import ipaddress
from typing import NamedTuple

from starlette.requests import Request

from pendesk.domain.limits import PASSWORDS_PER_ACCOUNT_MINUTE, USER_CODES_PER_MINUTE, Limits
from pendesk.operations.dispatch import Store
from pendesk.transports.throttle import Throttle, open_throttle

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


def open_throttles(store: Store, limits: Limits) -> Throttles:
    here = "in a minute from this address"
    return Throttles(
        registrations=open_throttle(store, limits.address_registrations_per_minute, f"registrations {here}"),
        devices=open_throttle(store, limits.address_device_sign_ins_per_minute, f"device sign-ins {here}"),
        documents=open_throttle(store, limits.address_client_documents_per_minute, f"new clients {here}"),
        user_codes=open_throttle(store, USER_CODES_PER_MINUTE, "codes in a minute"),
        passwords_by_account=open_throttle(store, PASSWORDS_PER_ACCOUNT_MINUTE, "tries in a minute for this account"),
        sign_ins_by_address=open_throttle(store, limits.address_sign_ins_per_minute, f"tries {here}"),
        guest_reads=open_throttle(store, limits.address_guest_reads_per_minute, f"pages {here}"),
        guest_items=open_throttle(store, limits.address_guest_messages_per_minute, f"messages {here}"),
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
