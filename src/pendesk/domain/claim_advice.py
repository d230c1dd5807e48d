"""What to do instead of an action that the caller may not have: what is free now, and how to get it."""

from pendesk.domain.errors import Advice, Refusal


def claim_instead_advice(free_refs: list[str], *, then: str = "") -> tuple[Advice, ...]:
    """`then` is said after it."""
    next_task = Advice(f"get_next_task gives what you can take instead.{then}", ("get_next_task",))
    if free_refs:
        return (
            Advice(f"Claim {' or '.join(free_refs)} instead.{then}", ("claim_action",)),
            next_task,
            Advice(then.strip()),
        )
    nothing = "You can claim nothing else now"
    return (
        Advice(f"{nothing}; list_available_specs shows why.{then}", ("list_available_specs",)),
        next_task,
        Advice(f"{nothing}.{then}"),
    )


def claim_first_advice(claim_refusal: Refusal | None, text: str) -> tuple[Advice, ...]:
    """`text` advises a claim; `claim_refusal` is what claim_action would say, None where it accepts."""
    return (Advice(text, ("claim_action",)),) if claim_refusal is None else tuple(claim_refusal.advice)


def resume_or_claim_instead_advice(instead: tuple[Advice, ...]) -> tuple[Advice, ...]:
    """For a caller who may be the holder."""
    resume = "If it was this conversation, go on with get_action_brief."
    with_brief = (
        Advice(f"{resume} If not, {text[:1].lower()}{text[1:]}", ("get_action_brief", *tools))
        for text, tools in instead
    )
    return (*with_brief, *instead)
