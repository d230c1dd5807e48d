"""What the store reads for the rule of evidence, against a walk through the same histories: on both engines."""

from pendesk.domain.criterion import CriterionStatus, Evidence, EvidenceLevel, new_criterion
from pendesk.domain.evidence import count_criteria, evidence_state
from pendesk.domain.report import CriterionTestResult, Outcome
from pendesk.domain.review import CriterionVerdict, Review, Submission, Verdict
from pendesk.ids import new_id
from pendesk.store import criteria, reports, reviews
from pendesk.store.engine.tx import Tx
from tests.domain.evidence_steps import LEVEL_OF_STEP, Step, random_steps, state_after
from tests.workbench import published_spec

HISTORIES = 300


class Writer:
    """Writes the steps of a criterion as rows, each later than the one before."""

    def __init__(self, tx: Tx, action_id: str, claim_id: str, user_id: str) -> None:
        self.tx, self.action_id, self.claim_id, self.user_id = tx, action_id, claim_id, user_id
        self.submissions = 0

    def write(self, criterion_id: str, steps: list[Step]) -> None:
        now = 1
        for step in steps:
            now += step.wait
            if step.name in ("passed", "report passed", "failed"):
                outcome = Outcome.FAILED if step.name == "failed" else Outcome.PASSED
                result = (new_id(), self.action_id, criterion_id, outcome, "", None, self.user_id, now, self.claim_id)
                reports.add_test_result(self.tx, CriterionTestResult(*result))
            if step.name in ("confirmed", "rejected"):
                self._review(criterion_id, CriterionVerdict(step.name), now)
            if step.name == "reworded":
                criteria.mark_criterion_evidence_stale(self.tx, criterion_id, "Reworded.")
            if step.name in LEVEL_OF_STEP:
                self._evidence(criterion_id, LEVEL_OF_STEP[step.name], now)

    def _evidence(self, criterion_id: str, level: EvidenceLevel, now: int) -> None:
        shown = (new_id(), self.action_id, criterion_id, 1, level, None, "", new_id(), None, now, None, None)
        criteria.add_evidence(self.tx, Evidence(*shown))

    def _review(self, criterion_id: str, verdict: CriterionVerdict, now: int) -> None:
        self.submissions += 1
        submission_id = new_id()
        code = (None, "Done.", None, self.user_id, now, "main")
        reviews.add_submission(
            self.tx, Submission(submission_id, self.action_id, self.claim_id, None, self.submissions, *code)
        )
        judged = (
            new_id(),
            self.action_id,
            submission_id,
            Verdict.CHANGES_REQUESTED,
            "Looked.",
            None,
            self.user_id,
            now,
        )
        reviews.add_review(self.tx, Review(*judged), [(criterion_id, verdict, "")], [])


async def test_every_count_stands_by_the_rule_of_the_domain(desk):
    ada = await desk.person("Ada")
    work = await published_spec(desk, ada, actions=1, criteria=1)
    action_id = work.actions[0]["pid"]
    claim_id = (await desk.call(ada, "claim_action", action_pid=action_id))["claim"]["id"]
    stories = [random_steps(seed) for seed in range(HISTORIES)]

    def write(tx):
        criteria.remove(tx, work.actions[0]["criteria"][0])
        writer = Writer(tx, action_id, claim_id, ada.user_id)
        for place, steps in enumerate(stories):
            criterion = new_criterion(new_id(), action_id, place, f"Criterion {place}")
            criteria.add(tx, criterion._replace(status=CriterionStatus.SEEN))
            writer.write(criterion.id, steps)

    await desk.store.write(desk.workspace, write)
    histories = await desk.store.read(desk.workspace, lambda tx: criteria.evidence_histories(tx, [action_id]))
    expected = [state_after(steps) for steps in stories]
    states = [evidence_state(history) for history in histories]
    wrong = [
        (str(state), str(story_state), [step.name for step in steps])
        for state, story_state, steps in zip(states, expected, stories, strict=True)
        if state != story_state
    ]
    assert wrong == []
    assert len(set(expected)) == 8, "every state is among the histories"
    counts = await desk.store.read(desk.workspace, lambda tx: criteria.counts_by_action_id(tx, [action_id]))
    assert counts == {action_id: count_criteria(expected)}
    card = (await desk.call(ada, "list_cards", project_id=work.project_id))["cards"][0]
    assert (card["criteria"], card["criteriaDone"]) == (HISTORIES, count_criteria(expected).met)
