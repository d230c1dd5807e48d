"""Who writes each text that a tool's result has: the table that test_authors.py holds against the registry.

An agent must know whose words it reads. A field that is not here fails the test until somebody has decided.
"""

# Ids, times, codes, counts, addresses that the server made, and its own constant words: by name, wherever they stand.
SERVERS = (
    "pid id refCode key at since lastSign expiresAt createdAt updatedAt answeredAt resolvedAt triagedAt reviewedAt "
    "startedAt lastSignAt endedAt ended nextCursor cut readOn of next status state kind availability notReadyReason "
    "advisory next_step notice note why reason field change decision verdict outcome disposition side evidenceState "
    "basis criterionId actionPid documentId projectId taskId specId parentId linkedTaskId fromTaskId toTaskId edgeId "
    "objectId claimedBy comesFirst comesAfter key_to_id newerVersion briefRev build report startWith waiting_on "
    "waitsFor prerequisites projectKey priority priorityName due mediaType style edge taskRef session holds mayHold "
    "headSha sha url serverUrl subjects editedAt deletedAt on"
)
# Names of people, agents and sessions, which say whose the words beside them are.
NAMES = (
    "agent holder author user by resolvedBy deletedBy triagedBy decidedBy mentions heldBy askedBy name assignee "
    "guestName agentModel model"
)

APPROVED = "approved by people: the spec, its plan, and what a reviewer says"
TEAM = "members and their agents, in the planning tools"
CALLER = "the caller's own"
AGENT = "another agent"
OUTSIDE = "guests, and others from outside"
ECHO = "a part of the answer to the same call, under the class of what it continues"

# By the structure and its field, or by the field of several structures.
WRITERS = {
    APPROVED: """
        SpecRow.title SpecRow.summary WholeSpec.title WholeSpec.summary WholeSpec.results WholeSpec.conditions
        WholeSpec.boundaries SpecBrief.title SpecBrief.summary SpecBrief.results SpecBrief.conditions
        SpecBrief.boundaries SpecText.title SpecText.summary SpecText.results SpecText.conditions SpecText.boundaries
        PlanBrief.approach ActionRow.label ActionRow.area SpecAction.label SpecAction.description SpecAction.area
        ActionBrief.label ActionBrief.area ActionBrief.description ActionBrief.paths CriterionBrief.text
        ClaimedAction.label ClaimedAction.area ActionResult.label ActionResult.area SiblingBrief.label SiblingBrief.area
        ReviewBrief.summary ReviewItemBrief.text ReviewItemBrief.path ReviewItemBrief.quote DeviationResult.rule
        Brief.changes PlanActionText.label PlanActionText.description PlanActionText.area PlanActionText.criteria
        PlanActionText.paths RequestedChanges.text ClarificationResult.answer
        Draft.remark DraftItem.acceptedText DraftItem.before NewsItem.text
    """,
    TEAM: """
        ProjectRow.description WholeProject.description WholeProject.repositoryUrl ProjectResult.description
        ProjectResult.repositoryUrl TaskRow.label GoalResult.title GoalResult.description Task.label Task.description
        Task.statusReason Task.labels NextTaskRow.label NextTaskRow.description BlockedTask.label EdgeResult.label
        DocumentResult.title DocumentResult.body DocumentResult.statusLine DocumentRow.title DocumentRow.statusLine
        NoteResult.title NoteResult.body NoteRow.title DocumentBrief.title TaskSummary.label TaskSummary.labels
        TaskSummary.spec WholeTask.label WholeTask.description WholeTask.statusReason WholeTask.specTitle
        WholeTask.labels TaskCriterion.text ConnectedTask.label LinkedDocument.title LinkedDocument.statusLine
        Found.title Found.excerpt Found.projectName OverlapResult.paths OpenDraft.title
    """,
    CALLER: """
        YourWork.branch YourWork.commits YourWork.lastProgress LateReportBrief.text DraftSaved.title Draft.title
        Draft.approach DraftItem.text
    """,
    AGENT: """
        HandOverText.branch HandOverText.commits HandOverText.lastProgress RelayedText.answer
        ClarificationResult.question CriterionText.calledUnmet SubmissionBrief.prUrl SubmissionBrief.branch
        UnmetRow.reason CommitTexts.commits PrerequisiteCode.prUrl PrerequisiteCode.branch
        RunResult.label RunResult.result TaskRun.label LeftBehind.text
        DocumentText.body CommentText.body CommentText.passage
    """,
    OUTSIDE: "GuestText.title GuestText.body",
    ECHO: "Rest.text Rest.items",
}

# What says whose the words of another agent are, where they do not stand under untrusted: a field beside them.
SAID_BY = {
    "RunResult.label": "user",
    "RunResult.result": "user",
    "TaskRun.label": "user",
    "LeftBehind.text": "agent",
    "ClarificationResult.question": "askedBy",
    "SubmissionBrief.prUrl": "by",
    "SubmissionBrief.branch": "by",
    "PrerequisiteCode.prUrl": "by",
    "PrerequisiteCode.branch": "by",
}
# Rows that stand in one other structure alone, which says whose they are.
SAID_BY_OUTER = {"UnmetRow.reason": ("SubmissionBrief", "unmet", "by")}
