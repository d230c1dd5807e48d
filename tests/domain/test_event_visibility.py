import pytest

from pendesk.domain.access import ALL_SCOPES, TOKEN_SCOPES, Actor, Role
from pendesk.domain.event_visibility import (
    PRIVATE_KINDS,
    PUBLIC_KINDS,
    SEES_EVERYTHING,
    Viewer,
    viewer_of,
    whom_it_is_about,
)


def actor(role, scopes=ALL_SCOPES):
    return Actor("w", "me", "Me", role, scopes, "web")


@pytest.mark.parametrize(
    ("caller", "eyes"),
    [
        (actor(Role.OWNER), Viewer(everything=True, own="me")),
        (actor(Role.ADMIN), Viewer(everything=True, own="me")),
        (actor(Role.MEMBER), Viewer(everything=False, own="me")),
        (actor(Role.VIEWER), Viewer(everything=False, own="me")),
        (actor(Role.OWNER, TOKEN_SCOPES), Viewer(everything=False, own="")),
    ],
)
def test_admins_see_all_others_their_own_and_tokens_what_is_public(caller, eyes):
    assert viewer_of(caller) == eyes


@pytest.mark.parametrize(
    ("actor_id", "object_id", "data", "mine"),
    [
        ("me", "token-1", {}, True),
        ("admin", "me", {}, True),
        ("admin", "token-1", {"user": "me"}, True),
        ("admin", "token-1", {"user": "other", "name": "me"}, False),
        (None, "token-1", {}, False),
    ],
)
def test_an_event_is_about_who_did_it_who_it_happened_to_and_who_it_names(actor_id, object_id, data, mine):
    about = whom_it_is_about("token.created", actor_id, object_id, data)
    assert Viewer(everything=False, own="me").see(about) is mine
    assert not Viewer(everything=False, own="").see(about)
    assert SEES_EVERYTHING.see(about)


def test_how_people_get_in_is_private_and_the_work_is_not():
    assert {"invite.created", "session.started", "token.revoked", "grant.created", "user.linked"} <= PRIVATE_KINDS
    assert {"action.claimed", "member.added", "project.created"} <= PUBLIC_KINDS
    assert whom_it_is_about("action.claimed", "other", "a", {}) is None
