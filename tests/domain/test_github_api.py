"""Where GitHub's API is, what its refusals mean, and when it is asked again."""

import pytest

from pendesk.domain.github_api import (
    NEVER,
    ApiProblem,
    api_problem,
    is_pull_request_of,
    next_refresh_at,
    next_try_at,
    repository_api,
)
from pendesk.domain.limits import GITHUB_FETCH_TRIES, HOUR_US, MINUTE_US


@pytest.mark.parametrize(
    ("address", "base", "identity"),
    [
        ("https://github.com/Acme/harbor.git", "https://api.github.com", "github.com/acme/harbor"),
        ("http://www.github.com/acme/harbor/", "https://api.github.com", "github.com/acme/harbor"),
        ("https://x:secret@github.com/acme/harbor", "https://api.github.com", "github.com/acme/harbor"),
        ("https://git.example/acme/harbor", "https://git.example/api/v3", "git.example/acme/harbor"),
        ("http://10.0.0.7:8080/a/b.c", "http://10.0.0.7:8080/api/v3", "10.0.0.7:8080/a/b.c"),
    ],
)
def test_the_api_of_a_repository(address, base, identity):
    api = repository_api(address)
    assert api is not None
    assert (api.base_url, api.identity) == (base, identity)


@pytest.mark.parametrize(
    "address",
    [None, "", "git@github.com:acme/harbor.git", "https://github.com/acme", "https://github.com/acme/..",
     "https://github.com/acme/harbor/tree/main", "https://github.com/a b/c", "https://github.com/a/b?x=1"],
)  # fmt: skip
def test_what_is_no_repository_has_no_api(address):
    assert repository_api(address) is None


def test_a_pull_request_belongs_to_its_repository_alone():
    api = repository_api("https://github.com/acme/harbor")
    assert api is not None
    assert is_pull_request_of(api, "https://github.com/Acme/Harbor/pull/7/files")
    assert not is_pull_request_of(api, "https://github.com/acme/harbor-2/pull/7")
    assert not is_pull_request_of(api, "https://github.com.evil.example/acme/harbor/pull/7")


def test_only_what_the_token_is_to_blame_for_is_of_the_token():
    assert api_problem(401, {}, 0).is_of_token
    assert api_problem(403, {}, 0).is_of_token
    for status, headers in ((403, {"retry-after": "5"}), (429, {}), (404, {}), (500, {}), (301, {})):
        assert not api_problem(status, headers, 0).is_of_token


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "30"}, 30),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, 0),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1090"}, 90),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "10"}, 1),
        ({"x-ratelimit-remaining": "5", "x-ratelimit-reset": "1090"}, 0),
    ],
)
def test_how_long_to_wait_is_github_s_word(headers, seconds):
    assert api_problem(429, headers, 1_000).retry_after_us == seconds * 1_000_000


def test_a_try_that_cannot_help_is_not_made():
    assert next_try_at(1, ApiProblem("", is_final=True), 0) == NEVER
    assert next_try_at(GITHUB_FETCH_TRIES, ApiProblem(""), 0) == NEVER
    assert next_try_at(1, ApiProblem(""), 0) == MINUTE_US
    assert next_try_at(1, ApiProblem("", retry_after_us=10**15), 0) == 6 * HOUR_US


def test_the_longer_it_waits_the_less_often_it_is_read():
    assert next_refresh_at(0, 0) == 5 * MINUTE_US
    assert next_refresh_at(0, 24 * HOUR_US) == 26 * HOUR_US
    assert next_refresh_at(0, 1_000 * HOUR_US) == 1_006 * HOUR_US
