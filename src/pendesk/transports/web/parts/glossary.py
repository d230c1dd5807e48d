"""The terms of Pendesk, one line each: tooltips where a page uses the term, and the lines of docs/glossary.md."""

GLOSSARY = {
    "action": "One unit of work that an agent claims, builds and submits for review.",
    "agent": "A program that works on actions, with a name of its own.",
    "agent session": "One terminal or run of an agent.",
    "boundary": "What is out of scope, or must not change.",
    "build": "A published snapshot of a spec and its plan, numbered B1, B2 and so on. Agents work from it.",
    "check": "A CI check run on a commit, as GitHub reports it.",
    "claim": "An agent's time-limited hold on an action. It expires if the agent stops reporting.",
    "condition": "What must hold while the results are built.",
    "criterion": "A statement that must be true for an action to be done.",
    "evidence": (
        "What supports a criterion. Self-reported: the agent's word. Report: a test report that the server parsed. "
        "CI: a passing check. Confirmed: a person's verdict."
    ),
    "goal": "An outcome that a project works toward. Specs can belong to a goal.",
    "guest request": "What a guest sends from a share page. A member accepts it as an action, or rejects it.",
    "inbox": (
        "What needs a person: questions, reviews, expired claims, guest requests, proposals and dropped actions that "
        "others wait for."
    ),
    "mirror": "A read-only copy of a project that another server publishes here.",
    "plan": "How a spec is built: an approach, and the actions that agents claim.",
    "priority": "How urgent an action is: Urgent, High, Medium, Low or None.",
    "project": "Specs, actions and documents under one key, such as HRB.",
    "proposal": "A spec or a plan that an agent drafted. A person accepts all, some or none of it.",
    "question": "What an agent asks a person when the brief leaves something open.",
    "result": "What is true when the spec is done.",
    "review": "A person's judgement of a submission, criterion by criterion.",
    "share": "A secret link to a read-only page of a project or an action.",
    "sign-in": "A browser in which a person is signed in.",
    "spec": "What to build: summary, results, conditions and boundaries.",
    "submission": "What an agent hands over for review: a summary, a pull request or branch, and evidence.",
    "verdict": "A reviewer's decision: confirm or reject a criterion, approve the submission or request changes.",
    "workspace": "The projects and members of one team on a server.",
}
