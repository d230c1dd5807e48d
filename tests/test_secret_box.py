"""What is encrypted can be read again, and only for what it belongs to."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.secret_box import NONCE_BYTES, VERSION_PREFIX, CannotDecrypt, decrypt, decrypt_v1, encrypt
from tests.v1_secrets import encrypt_v1

KEY = b"a key for tests"
TEXT = "the token of another server, longer than one block"
# Written by the program before AES-GCM, with KEY, for "here".
V1 = (
    "bm5ubm5ubm5ubm5ubm5ubtNgM4KZ_Z1KLNYMx6DBCcNiPl324LA5LqEZvcoDSvfMP8IQTCE7VDQJqB2WttC3sBmer2FVNvaXYZc-iRgPqEjWCSAC"
    "mJdRacGCgKfcidtPBAg="
)


def payload_of(encrypted: str) -> bytes:
    return base64.urlsafe_b64decode(encrypted.removeprefix(VERSION_PREFIX))


def encrypted_from(payload: bytes) -> str:
    return VERSION_PREFIX + base64.urlsafe_b64encode(payload).decode()


@given(st.text(max_size=300), st.text(max_size=40))
def test_a_text_is_read_again(text, belongs_to):
    assert decrypt(KEY, "test", belongs_to, encrypt(KEY, "test", belongs_to, text)) == text


def test_the_same_text_is_never_encrypted_to_the_same():
    first, second = (encrypt(KEY, "test", "here", TEXT) for _ in range(2))
    assert payload_of(first)[:NONCE_BYTES] != payload_of(second)[:NONCE_BYTES]
    assert payload_of(first)[NONCE_BYTES:] != payload_of(second)[NONCE_BYTES:]
    assert b"token" not in payload_of(first)


def test_it_is_aes_256_gcm_with_a_key_derived_by_hkdf():
    """Against the definitions, so that another program could read it: RFC 5869 by hand, then the cipher."""
    import hmac

    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    extracted = hmac.digest(bytes(32), KEY, "sha256")
    key = hmac.digest(extracted, b"pendesk secret box: test\x01", "sha256")
    payload = payload_of(encrypt(KEY, "test", "here", TEXT))
    assert AESGCM(key).decrypt(payload[:12], payload[12:], b"here") == TEXT.encode()


@pytest.mark.parametrize(
    ("key", "purpose", "belongs_to"),
    [(b"another key", "test", "here"), (KEY, "another", "here"), (KEY, "test", "there"), (KEY, "test", "")],
)
def test_another_key_purpose_or_owner_reads_nothing(key, purpose, belongs_to):
    with pytest.raises(CannotDecrypt):
        decrypt(key, purpose, belongs_to, encrypt(KEY, "test", "here", TEXT))


def test_every_changed_byte_is_noticed():
    payload = payload_of(encrypt(KEY, "test", "here", "secret"))
    for place in range(len(payload)):
        changed = payload[:place] + bytes([payload[place] ^ 1]) + payload[place + 1 :]
        with pytest.raises(CannotDecrypt):
            decrypt(KEY, "test", "here", encrypted_from(changed))


def test_every_truncation_is_noticed():
    payload = payload_of(encrypt(KEY, "test", "here", "secret"))
    for length in range(len(payload)):
        with pytest.raises(CannotDecrypt):
            decrypt(KEY, "test", "here", encrypted_from(payload[:length]))


@pytest.mark.parametrize("encrypted", ["", "x", "====", "not base64!", "AAAA", "A" * 64, "v2.", "v2.é", "v3.AAAA", V1])
def test_what_was_never_encrypted_in_this_form_is_refused(encrypted):
    with pytest.raises(CannotDecrypt):
        decrypt(KEY, "test", "here", encrypted)


def test_the_first_form_is_still_read_for_what_it_belongs_to():
    assert decrypt_v1(KEY, "here", V1) == TEXT
    assert encrypt_v1(KEY, "here", TEXT, b"n" * 16) == V1
    for key, belongs_to in ((b"another key", "here"), (KEY, "there")):
        with pytest.raises(CannotDecrypt):
            decrypt_v1(key, belongs_to, V1)


def test_the_first_form_is_read_only_unchanged():
    payload = base64.urlsafe_b64decode(V1)
    for place in range(len(payload)):
        changed = payload[:place] + bytes([payload[place] ^ 1]) + payload[place + 1 :]
        with pytest.raises(CannotDecrypt):
            decrypt_v1(KEY, "here", base64.urlsafe_b64encode(changed).decode())


@pytest.mark.parametrize("encrypted", ["", "x", "AAAA", "A" * 64, encrypt(KEY, "test", "here", TEXT)])
def test_todays_form_is_not_taken_for_the_first(encrypted):
    with pytest.raises(CannotDecrypt):
        decrypt_v1(KEY, "here", encrypted)
