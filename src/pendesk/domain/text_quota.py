"""How much text may be written: into a workspace in all, and by one account's tokens in a day.

Long texts are counted as they are written, with every revision and event that keeps them: what is deleted later does
not come off, since the history stays.
"""

from typing import NamedTuple

from pendesk.domain.errors import RuleBroken
from pendesk.domain.file_quota import MEGABYTE
from pendesk.domain.iso_time import to_iso
from pendesk.domain.limits import DAY_US, Limits

# They read, hand work back, judge it, or remove and shut out: nobody is stuck with what they hold.
_NEVER_REFUSED = """
get_action_brief get_next_task claim_action submit_for_review resubmit_for_review release_action release_claim
complete_agent_run answer_session_event acknowledge_items answer_clarification answer_question review_action
resolve_comment mark_mention_read mark_watched_read set_watch triage_submission set_file_viewed cancel_message
pause_session resume_session stop_session delete_action delete_comment delete_document delete_goal delete_note
delete_plan delete_project delete_saved_view delete_spec
remove_attachment remove_criterion remove_edge remove_github_token remove_github_webhook remove_member
remove_participant remove_picture remove_webhook revoke_agent_tokens revoke_grant revoke_invite revoke_session
revoke_share revoke_token change_role set_password set_participation create_sign_in_link
"""
NEVER_REFUSED = frozenset(_NEVER_REFUSED.split())


class TextUse(NamedTuple):
    """What was written into the workspace since it was made, and by the tokens of one account today."""

    workspace_bytes: int
    account_bytes: int


def day_of(now: int) -> int:
    return now // DAY_US


def refusal_of_text(use: TextUse, limits: Limits, day: int, *, by_token: bool) -> RuleBroken | None:
    """People are held to what may be written into the workspace; a token also to what its account may in a day."""
    if use.workspace_bytes >= limits.workspace_text_bytes:
        return _full_workspace_refusal(use, limits)
    if by_token and use.account_bytes >= limits.account_text_bytes_per_day:
        return _full_day_refusal(use, limits, day)
    return None


def _full_workspace_refusal(use: TextUse, limits: Limits) -> RuleBroken:
    return RuleBroken(
        f"{limits.workspace_text_bytes // MEGABYTE} MB of long texts were written into this workspace, and it may have "
        "no more. Submit or release what you hold, and ask whoever runs the server to raise workspace_text_bytes.",
        code="text_quota",
        used=use.workspace_bytes,
        limit=limits.workspace_text_bytes,
        setting="workspace_text_bytes",
    )


def _full_day_refusal(use: TextUse, limits: Limits, day: int) -> RuleBroken:
    again_at = to_iso((day + 1) * DAY_US)
    megabytes = limits.account_text_bytes_per_day // MEGABYTE
    return RuleBroken(
        f"The tokens of your account wrote {megabytes} MB of long texts today, and may write no more in a day. Submit "
        f"or release what you hold. Writing goes on at {again_at}, or when whoever runs the server raises "
        "account_text_bytes_per_day.",
        code="text_quota",
        used=use.account_bytes,
        limit=limits.account_text_bytes_per_day,
        setting="account_text_bytes_per_day",
        againAt=again_at,
    )
