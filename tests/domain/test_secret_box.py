"""What is locked away comes out again, and only for who it belongs to."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.secret_box import NONCE_BYTES, CannotDecrypt, decrypt, encrypt

KEY = b"a key for tests"
NONCE = b"n" * NONCE_BYTES


@given(st.text(max_size=300), st.binary(min_size=NONCE_BYTES, max_size=NONCE_BYTES))
def test_it_comes_out_as_it_went_in(secret, nonce):
    assert decrypt(KEY, "here", encrypt(KEY, "here", secret, nonce)) == secret


def test_the_same_secret_never_looks_the_same():
    first, second = (encrypt(KEY, "here", "secret" * 20, bytes([n]) * NONCE_BYTES) for n in (1, 2))
    assert first != second
    for locked in (first, second):
        assert b"secret" not in base64.urlsafe_b64decode(locked)


def test_another_key_or_another_place_gets_nothing():
    locked = encrypt(KEY, "here", "secret", NONCE)
    for key, place in ((b"another key", "here"), (KEY, "there"), (KEY, "")):
        with pytest.raises(CannotDecrypt):
            decrypt(key, place, locked)


def test_every_changed_byte_is_noticed():
    whole = base64.urlsafe_b64decode(encrypt(KEY, "here", "secret", NONCE))
    for place in range(len(whole)):
        changed = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        with pytest.raises(CannotDecrypt):
            decrypt(KEY, "here", base64.urlsafe_b64encode(changed).decode())


@pytest.mark.parametrize("locked", ["", "x", "====", "not base64!", "AAAA", "A" * 64])
def test_what_was_never_locked_is_refused(locked):
    with pytest.raises(CannotDecrypt):
        decrypt(KEY, "here", locked)
