"""The example of docs/write-a-spec.md is one: nothing about it is missing or weak."""

import re
from pathlib import Path

from pendesk.domain.readiness import BuildDraft, BuildRemark, DraftedAction, readiness_remarks

TEXT = (Path(__file__).parents[2] / "docs" / "write-a-spec.md").read_text("utf-8")


def example() -> BuildDraft:
    block = re.search(r"```text\n(.*?)```", TEXT, re.S)
    assert block is not None
    parts: dict[str, list[str]] = {}
    actions: list[DraftedAction] = []
    into: list[str] = []
    for line in block[1].splitlines():
        if line.startswith("- "):
            into.append(line[2:])
            continue
        name, _, text = line.partition(":")
        into = parts.setdefault(name, [])
        if name == "Action":
            into = []
            actions.append(DraftedAction(text.strip(), text, into, 0, []))
        elif text:
            into.append(text.strip())
    return BuildDraft(
        summary=parts["Summary"][0],
        results=parts["Results"],
        conditions=parts["Conditions"],
        boundaries=parts["Boundaries"],
        approach=parts["Approach"][0],
        actions=actions,
        left_out=[],
        everyone_takes_part=False,
        participants=2,
        agents=1,
        project_state="active",
        unchanged_since=None,
        texts=[],
    )


def test_nothing_about_the_example_is_missing_or_weak():
    draft = example()
    assert readiness_remarks(draft) == []
    assert [len(action.criteria) for action in draft.actions] == [2, 2]


def test_what_the_page_advises_against_is_what_the_preview_warns_of():
    rows = re.findall(r"^\| ([^|]+?) \| ([^|]+?) \|$", TEXT, re.M)
    pairs = [row for row in rows if row[0] not in ("instead of", "---")]
    assert len(pairs) == 3
    draft = example()

    def warned(text: str) -> list[BuildRemark]:
        return readiness_remarks(draft._replace(actions=[draft.actions[0]._replace(criteria=[text])]))

    assert [bool(warned(bad)) for bad, _ in pairs] == [True, True, False]
    assert [warned(good) for _, good in pairs] == [[], [], []]
