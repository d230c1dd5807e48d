"""How passwords are hashed and checked, outside of any transaction."""

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import argon2
from argon2.exceptions import InvalidHashError, VerificationError

# Argon2id with the smallest of the parameter sets that OWASP names: set_password makes the hash inside its transaction,
# where it holds up every other writer for its 30-40 ms. In a thread, so that it holds up nobody else.
HASHER = argon2.PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
# Each check takes 19 MiB and tens of milliseconds: two at once, off the loop's thread, and no flood of them.
_THREADS = ThreadPoolExecutor(2, thread_name_prefix="pendesk-password")


async def hash_password(password: str) -> str:
    return await asyncio.get_running_loop().run_in_executor(_THREADS, HASHER.hash, password)


async def verify_password(password_hash: str | None, password: str) -> bool:
    """False without a hash, after the same work as for a wrong password."""
    return await asyncio.get_running_loop().run_in_executor(
        _THREADS, _verify_password_blocking, password_hash, password
    )


def _verify_password_blocking(password_hash: str | None, password: str) -> bool:
    try:
        return HASHER.verify(password_hash or _dummy_hash(), password) and password_hash is not None
    except (VerificationError, InvalidHashError):
        return False


@cache
def _dummy_hash() -> str:
    return HASHER.hash(secrets.token_urlsafe(32))
