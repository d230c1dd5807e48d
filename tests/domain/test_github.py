"""Whose repository, which actions, what a force-push took."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.github import (
    action_numbers_in_commit_and_branch,
    derive_webhook_secret,
    is_same_repository,
    is_valid_webhook_signature,
    pull_request_number,
    pull_request_url_variants,
    repository_url_variants,
    shas_removed_by_force_push,
)


def test_the_signature_of_githubs_own_documentation():
    # https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
    signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    assert is_valid_webhook_signature("It's a Secret to Everybody", b"Hello, World!", signature)
    assert not is_valid_webhook_signature("It's a Secret to Everybody", b"Hello, World.", signature)
    assert not is_valid_webhook_signature("it's a Secret to Everybody", b"Hello, World!", signature)
    for wrong in ("", signature[7:], signature[:-1], signature + "0", signature.upper(), "sha1=" + "0" * 40, "ä"):
        assert not is_valid_webhook_signature("It's a Secret to Everybody", b"Hello, World!", wrong)


def test_every_part_makes_another_secret():
    parts = [(b"k", "w", "p", 1), (b"l", "w", "p", 1), (b"k", "v", "p", 1), (b"k", "w", "q", 1), (b"k", "w", "p", 2)]
    assert len({derive_webhook_secret(*each) for each in parts}) == len(parts)


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/acme/harbor",
        "https://GitHub.com/Acme/Harbor/",
        "http://github.com/acme/harbor.git",
        "https://user@ghe.example.com:8443/acme/harbor.git/",
    ],
)
def test_the_ways_to_write_a_repository(url):
    assert is_same_repository(url, "acme/harbor")
    assert not is_same_repository(url, "acme/harbor2")
    assert not is_same_repository(url, "")


@pytest.mark.parametrize(
    "url",
    [
        None,
        "",
        "https://github.com/",
        "https://github.com/acme",
        "https://github.com/x/acme/harbor",
        "acme/harbor",
        "https://github.com/acme/harbor/tree/main",
        "https://github.com/acme/harbor?x",
        "https://acme/harbor",
    ],
)
def test_what_is_not_that_repository(url):
    assert not is_same_repository(url, "acme/harbor")


def test_a_page_has_spellings_that_are_that_repository():
    found = repository_url_variants("https://github.com/Acme/Harbor")
    assert "https://github.com/acme/harbor.git" in found
    assert all(is_same_repository(each, "acme/harbor") for each in found)
    for page in ("", "javascript:1", "https://github.com/acme", "https://github.com/a/b/c", "https://github.com/a/b%"):
        assert repository_url_variants(page) == []


def test_pull_requests():
    assert "https://github.com/acme/harbor/pull/7/files" in pull_request_url_variants(
        "https://github.com/Acme/harbor/pull/7"
    )
    assert pull_request_number("https://github.com/acme/harbor/pull/7/files#diff") == 7
    for url in ("https://github.com/acme/harbor/pull/", "https://github.com/acme/harbor/pull/7x", "https://x/pull/0"):
        assert pull_request_number(url) is None


def test_refs_are_words():
    assert action_numbers_in_commit_and_branch("HRB", "HRB-1, (HRB-22) #HRB-3: x/HRB-4_y", "main") == (
        {1, 22, 3, 4},
        set(),
    )
    for message in ("hrb-1", "XHRB-1", "HRB-1a", "HRB-0", "HRB1", "HRB -1", "HRB-1234567890"):
        assert action_numbers_in_commit_and_branch("HRB", message, "main") == (set(), set())
    assert action_numbers_in_commit_and_branch("HRB", "", "feature/hrb-12-sign-in") == (set(), {12})


@given(st.text(), st.text())
def test_any_message_and_branch_is_taken(message, branch):
    action_numbers_in_commit_and_branch("HRB", message, branch)


LINE = [("a", "one"), ("b", "two"), ("c", "three")]


def test_an_amended_head_takes_only_itself():
    assert shas_removed_by_force_push(LINE, "c", {"c2": "three, better"}) == {"c"}
    assert shas_removed_by_force_push(LINE, "c", {"c2": "three"}) == {"c"}


def test_a_rebase_takes_all_that_comes_back():
    assert shas_removed_by_force_push(LINE, "c", {"a2": "one\n\nbody", "b2": "two", "c2": "three"}) == {
        "a",
        "b",
        "c",
    }
    assert shas_removed_by_force_push(LINE, "c", {"b2": "two", "c2": "squashed"}) == {"b", "c"}


def test_a_common_message_is_matched_with_its_newest_commit():
    line = [("a", "wip"), ("b", "more"), ("c", "wip")]
    assert shas_removed_by_force_push(line, "c", {"c2": "wip"}) == {"c"}


def test_what_came_with_the_push_is_not_gone():
    assert shas_removed_by_force_push([*LINE, ("c2", "three")], "c", {"c2": "three"}) == {"c"}
    assert shas_removed_by_force_push([], "c", {}) == {"c"}


@given(
    st.lists(st.tuples(st.uuids().map(str), st.sampled_from("xyz"))),
    st.dictionaries(st.uuids().map(str), st.sampled_from("xyz")),
)
def test_the_former_head_is_always_gone_and_nothing_pushed_is(line, pushed):
    gone = shas_removed_by_force_push(line, "before", pushed)
    assert "before" in gone
    assert not gone & set(pushed)
