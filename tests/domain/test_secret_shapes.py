"""Secrets that are told by their shape. None stands here whole: this file is pushed, too."""

import secrets
import string

import pytest

from pendesk.domain.secret_shapes import added_secrets, secret_shape
from pendesk.domain.token import make_token

LETTERS = string.ascii_letters + string.digits
RANDOM = "q8Zr3TkVw0LmXc5YbN7hJd2FgS9pRtUaKe4WvBxGz1MnQyHj6PfCiDoEsAuIlO" * 3
BEGIN = "-----BEGIN " + "RSA PRIVATE" + " KEY-----"


def body(length: int) -> str:
    return RANDOM[:length]


@pytest.mark.parametrize(
    ("token", "shape"),
    [
        ("AKIA" + "Q3EGRTJ7WZ5KXMVB", "AWS access key"),
        ("aws_secret_access_key = " + body(40), "AWS secret key"),
        ('"AWS_SECRET_ACCESS_KEY": "' + body(40) + '"', "AWS secret key"),
        ("ghp" + "_" + body(36), "GitHub token"),
        ("ghs" + "_" + body(36), "GitHub token"),
        ("github" + "_pat_" + body(22) + "_" + body(59), "GitHub token"),
        ("glpat" + "-" + body(20), "GitLab token"),
        ("xoxb" + "-123456789012-1234567890123-" + body(24), "Slack token"),
        ("https://hooks.slack" + ".com/services/T01ABCDEF/B01GHIJKL/" + body(24), "Slack webhook"),
        ("sk" + "_live_" + body(24), "Stripe key"),
        ("rk" + "_live_" + body(24), "Stripe key"),
        ("whsec" + "_" + body(32), "Stripe webhook secret"),
        ("sk" + "-ant-api03-" + body(93), "Anthropic key"),
        ("sk" + "-proj-" + body(64), "OpenAI key"),
        ("sk" + "-" + body(20) + "T3BlbkFJ" + body(20), "OpenAI key"),
        ("AIza" + body(35), "Google API key"),
        ("GOCSPX" + "-" + body(28), "Google client secret"),
        ("npm" + "_" + body(36), "npm token"),
        ("pypi" + "-AgE" + body(70), "PyPI token"),
        (make_token(bytes(range(32))), "Pendesk token"),
        (BEGIN + "\\n" + body(64), "private key"),
    ],
)
def test_a_well_known_token_is_named_wherever_it_stands_in_a_line(token, shape):
    assert secret_shape(token) == shape
    assert secret_shape(f'  key = "{token}"  # of the harbour') == shape
    assert secret_shape(f"Authorization: Bearer {token},") == shape


@pytest.mark.parametrize(
    "line",
    [
        "AKIA" + "IOSFODNN7EXAMPLE",
        "AKIA" + "X" * 16,
        "ghp" + "_" + "x" * 36,
        "ghp_... or github_pat_...",
        "task-" + "ant-api03-and-so-on",
        "sk" + "_test_" + body(24),
        "the risk-" + "proj-" + body(10),
        "xoxb" + "-your-token-here",
        "pendesk" + "_mcp_" + body(49),
        "npm_config_cache_folder_of_the_continuous_integration",
        "sha512-" + body(88) + "==",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + body(43),
        f"if text.startswith({BEGIN!r}):",
        f"if text.startswith({BEGIN!r}): return parse_private_key_of_the_harbour(text)",
        "-----BEGIN CERTIFICATE-----",
        "",
    ],
)
def test_what_only_looks_alike_passes(line):
    assert secret_shape(line) is None


def test_random_identifiers_and_digests_pass():
    for _ in range(300):
        assert secret_shape(f"integrity: {secrets.token_hex(32)} {secrets.token_urlsafe(48)}") is None


def test_a_private_key_begins_in_one_line_and_goes_on_in_the_next():
    assert secret_shape(BEGIN, body(64)) == "private key"
    assert secret_shape(f'    "{BEGIN}"', f'    "{body(64)}"') == "private key"
    assert secret_shape(BEGIN, "is how such a file begins.") is None


def test_added_lines_are_looked_at_and_numbered_as_in_the_new_file():
    token = "ghp" + "_" + body(36)
    lines = [" first", f"-{token}", "+second", f" {token}", f"+{token}", "\\ No newline at end of file"]
    assert [tuple(secret) for secret in added_secrets(10, lines)] == [(13, "GitHub token")]
    assert list(added_secrets(1, [f"-{token}", f" {token}"])) == []
