"""What may be deleted: what nobody has worked with. The rest is closed or archived, so that its history can be read."""

from pendesk.domain.errors import RuleBroken


def check_action_unused(ref: str, claim_count: int, build_count: int) -> None:
    """An action that agents have seen or held is part of what happened."""
    if claim_count or build_count:
        met = "was claimed" if claim_count else "was published in a build"
        raise RuleBroken(
            f"{ref} {met}, so its history is kept. Set it to wont_do with a reason instead.", code="in_use"
        )


def check_action_is_title_alone(ref: str, held: list[str]) -> None:
    """A criterion is one sentence: what it cannot hold is not lost by making an action one."""
    if held:
        raise RuleBroken(
            f"{ref} has {', '.join(held)}; a criterion is only a text. Remove that first, or keep it as an action.",
            code="more_than_a_title",
        )


def check_spec_unused(title: str, build_number: int, used_actions: int) -> None:
    """Of a spec that was never published an action may have been: in another spec, or in none."""
    if build_number:
        raise RuleBroken(
            f"{title!r} was published as B{build_number}, so it is kept. Set its open actions to wont_do instead, or "
            "archive the project.",
            code="in_use",
        )
    if used_actions:
        raise RuleBroken(
            f"{used_actions} of the actions of {title!r} {'was' if used_actions == 1 else 'were'} claimed or published "
            "before, so their history is kept. Move them out of the spec first.",
            code="in_use",
        )


def check_plan_unused(title: str, *, is_active: bool, build_count: int) -> None:
    if is_active:
        raise RuleBroken(f"{title!r} is the active plan. Activate another one first.", code="in_use")
    if build_count:
        raise RuleBroken(f"{title!r} was published in a build, so it is kept.", code="in_use")


def check_goal_has_no_specs(title: str, spec_count: int) -> None:
    if spec_count:
        raise RuleBroken(
            f"{spec_count} specs belong to the goal {title!r}. Give them another goal (or none) first.", code="in_use"
        )


def check_project_deletable(key: str, state: str, live_claim_count: int) -> None:
    """Deleting a project takes everything with it, so it takes two steps."""
    if state != "archived":
        raise RuleBroken(
            f"{key} is {state}. Archive it first (state archived); an archived project can be deleted.",
            code="not_archived",
        )
    if live_claim_count:
        raise RuleBroken(f"Agents hold {live_claim_count} actions of {key}. Release their claims first.", code="in_use")
