import pytest

from pendesk.domain.access import ALL_SCOPES, TOKEN_SCOPES, Actor, Role
from pendesk.domain.event_visibility import PRIVATE_KINDS, PUBLIC_KINDS, SEES_EVERYTHING, Viewer, viewer_of


def actor(role, scopes=ALL_SCOPES):
    return Actor("w", "me", "Me", role, scopes, "web")


@pytest.mark.parametrize(
    ("caller", "viewer"),
    [
        (actor(Role.OWNER), Viewer(all_events=True, user_id="me")),
        (actor(Role.ADMIN), Viewer(all_events=True, user_id="me")),
        (actor(Role.MEMBER), Viewer(all_events=False, user_id="me")),
        (actor(Role.VIEWER), Viewer(all_events=False, user_id="me")),
        (actor(Role.OWNER, TOKEN_SCOPES), Viewer(all_events=False, user_id="")),
    ],
)
def test_admins_see_all_others_their_own_and_tokens_what_is_public(caller, viewer):
    assert viewer_of(caller) == viewer


@pytest.mark.parametrize("kind", sorted(PRIVATE_KINDS))
@pytest.mark.parametrize(
    ("actor_id", "about_user_id", "mine"),
    [("me", None, True), ("admin", "me", True), ("admin", "other", False), (None, None, False), ("", "", False)],
)
def test_a_private_event_is_seen_by_who_caused_it_and_by_whom_it_is_about(kind, actor_id, about_user_id, mine):
    assert Viewer(all_events=False, user_id="me").can_see_event(kind, actor_id, about_user_id) is mine
    assert not Viewer(all_events=False, user_id="").can_see_event(kind, actor_id, about_user_id)
    assert SEES_EVERYTHING.can_see_event(kind, actor_id, about_user_id)


@pytest.mark.parametrize("kind", sorted(PUBLIC_KINDS))
def test_everyone_sees_the_work(kind):
    assert Viewer(all_events=False, user_id="").can_see_event(kind, "other", None)


def test_how_people_get_in_is_private_and_the_work_is_not():
    assert {"invite.created", "session.started", "token.revoked", "grant.created", "user.linked"} <= PRIVATE_KINDS
    assert {"action.claimed", "member.added", "project.created"} <= PUBLIC_KINDS
