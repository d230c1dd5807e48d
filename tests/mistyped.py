"""A secret with a typing error in its last character, whatever that character is."""


def mistyped(secret: str) -> str:
    return secret[:-1] + ("0" if secret[-1] != "0" else "1")
