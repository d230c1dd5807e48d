"""Nouns for tests of the rules: whole records, of which a test names only what matters to it."""

from typing import Any

from pendesk.domain.action import Action, ActionState
from pendesk.domain.agent_session import UNKNOWN_ORIGIN, AgentSession, Relation
from pendesk.domain.claim import ActionFacts, Claim, Claimant, ClaimState, ClaimTaker, HeldClaim
from pendesk.domain.criterion import Evidence, EvidenceLevel
from pendesk.domain.review import ReviewItem

ME, OTHER = "user-me", "user-other"


def an_action(**fields: Any) -> Action:
    plain = Action(
        id="action-1",
        project_id="project-1",
        spec_id="spec-1",
        plan_id="plan-1",
        ref_number=12,
        label="Sign in",
        description="",
        area="",
        paths="[]",
        state=ActionState.TODO,
        state_reason=None,
        priority=0,
        position=0,
        x=None,
        y=None,
        fence=0,
        claim_id=None,
        news_event_id=0,
        revision=1,
        created_by=OTHER,
        created_at=0,
        updated_at=0,
    )
    return plain._replace(**fields)


def a_claim(**fields: Any) -> Claim:
    plain = Claim(
        id="claim-1",
        action_id="action-1",
        user_id=ME,
        token_id=None,
        agent_model=None,
        fence=1,
        build_id="build-1",
        state=ClaimState.ACTIVE,
        taken_at=0,
        renewed_at=0,
        expires_at=100,
        ended_at=None,
        told_event_id=0,
        seen_build_id=None,
        seen_revision=None,
        seen_rev=None,
        last_message=None,
        last_message_at=None,
        session_id=None,
        thread_id=None,
        tool_use_id=None,
    )
    return plain._replace(**fields)


def a_session(**fields: Any) -> AgentSession:
    plain = AgentSession(
        id="session-1",
        agent_id="agent-1",
        token_id="token-1",
        number=1,
        model=None,
        started_at=0,
        last_seen_at=0,
        ended_at=None,
        agent_name="Codex on ada-laptop",
        client="codex",
        name="",
    )
    return plain._replace(**fields)


def some_facts(action: Action | None = None, claim: Claim | None = None, **fields: Any) -> ActionFacts:
    """An action of an active project, with the claim on it as ME sees it; its holder is called Ada."""
    relation = None if claim is None else Relation.SAME if claim.user_id == ME else Relation.OTHER_USER
    plain = ActionFacts(action or an_action(), "PEN", "active", "build-1", 1, claim, "Ada", relation=relation)
    return plain._replace(**fields)


def a_taker(**fields: Any) -> ClaimTaker:
    plain = ClaimTaker(
        user_id=ME,
        token_id=None,
        session_id=None,
        origin=UNKNOWN_ORIGIN,
        agent_model=None,
        take_over=False,
        find_free=lambda: ["PEN-13"],
    )
    return plain._replace(**fields)


def a_claimant(**fields: Any) -> Claimant:
    plain = Claimant(
        taker=a_taker(),
        published=True,
        participant=True,
        live_claims=0,
        waits=[],
        find_held=lambda: [HeldClaim("PEN-3", "Codex")],
    )
    return plain._replace(**fields)


def some_evidence(**fields: Any) -> Evidence:
    plain = Evidence(
        id="evidence-1",
        action_id="action-1",
        criterion_id="criterion-1",
        criterion_revision=1,
        level=EvidenceLevel.CLAIMED,
        sha=None,
        text="12/12 passed",
        source_id="result-1",
        given_by=ME,
        given_at=0,
        stale_reason=None,
        stale_at=None,
    )
    return plain._replace(**fields)


def an_item(ident: str, **fields: Any) -> ReviewItem:
    return ReviewItem(ident, "action-1", "review-1", None, f"Change {ident}", None, None)._replace(**fields)
