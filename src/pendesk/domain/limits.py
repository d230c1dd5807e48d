"""Every number that bounds something, with its unit in its name.

What an installation may change is a field of `Limits`; what only protects the server is a constant.
"""

from typing import NamedTuple

MINUTE_US = 60 * 1_000_000
HOUR_US = 60 * MINUTE_US
DAY_US = 24 * HOUR_US


class Limits(NamedTuple):
    lease_us: int = 30 * MINUTE_US
    lease_cap_us: int = 24 * HOUR_US
    # So long after the last call about the action the steps of its session keep a lease.
    step_lease_us: int = 2 * HOUR_US
    # Of an agent on a plain task, which nobody expects to hear of every few minutes.
    task_hold_us: int = 24 * HOUR_US
    live_claims_per_user: int = 3
    # "Working" is green so long after the last sign of life, then neutral, then amber.
    working_neutral_us: int = 2 * MINUTE_US
    working_amber_us: int = 5 * MINUTE_US
    # After such a silence another session of the same user is shown how to take over.
    take_over_after_us: int = 5 * MINUTE_US
    # Requested changes that no session has claimed by then are back in the inbox.
    rework_after_us: int = HOUR_US
    requests_per_minute: int = 60
    # Of hooks, per token and process: a call of a hook that has to wait for the database would cost its agent.
    hook_calls_per_minute: int = 600
    body_bytes: int = 1_000_000
    attachment_bytes: int = 25_000_000
    attachment_url_us: int = 30 * MINUTE_US
    # Of all files that were not removed; and of one account's, for what its tokens add.
    workspace_file_bytes: int = 20_000_000_000
    account_file_bytes: int = 1_000_000_000
    # Of long texts, as they are written: into a workspace since it was made; by one account's tokens in a day (UTC).
    workspace_text_bytes: int = 20_000_000_000
    account_text_bytes_per_day: int = 200_000_000
    import_bytes: int = 500_000_000
    # From one address, without a token; an office behind one address may need more.
    address_sign_ins_per_minute: int = 30
    address_registrations_per_minute: int = 20
    address_device_sign_ins_per_minute: int = 20
    address_client_documents_per_minute: int = 20
    address_guest_reads_per_minute: int = 120
    address_guest_messages_per_minute: int = 10
    address_unknown_tokens_per_minute: int = 120
    token_max_days: int | None = None
    # So long the steps of sessions are saved; 0: none are.
    activity_days: int = 7
    # No setting: claims get larger fences than this, because a restore has forgotten which were given.
    fence_floor: int = 0


# A session is numbered among those of its agent that were heard of within this time.
SESSION_LIVE_US = DAY_US
# Its last sign of life is saved no finer than this, so that few writes write it.
SESSION_SEEN_GRAIN_US = 15 * 1_000_000
SESSION_MARKS_KEPT_US = 30 * DAY_US
# A claim that was taken over is in the inbox while it is at work, and no longer than this.
TAKE_OVER_SHOWN_US = DAY_US
MARK_CHARS = 200
# Of what hooks report of a session's steps (domain/session_activity.py).
STEP_NAME_CHARS = 80
# A prompt so soon after a run was ended is an echo of that: a sub-agent that was ended, too, wakes its parent.
CONTROL_ECHO_US = 5 * 1_000_000
# How many calls of tools are remembered with the session that their hook named.
TOOL_USES_REMEMBERED = 10_000
STEP_DETAIL_CHARS = 200
STEP_COMMAND_WORDS = 4
# In the memory of a process until they are saved, a few times a second; of a flood the oldest are dropped.
BUFFERED_STEPS = 20_000
BUFFERED_STEPS_PER_SESSION = 200
# At once, in a transaction that others wait for.
STEPS_PER_SAVE = 500
# Another process may save the beginning of a step after this one has saved its end, which then comes once more.
STEP_ENDS_REPEATED_AFTER_US = 500_000
# The newest are shown; older ones are deleted.
STEPS_PER_SESSION = 500
STEPS_OF_HOLDER_SHOWN = 20
SESSION_NAME_CHARS = 40
MACHINE_CHARS = 60

LABEL_CHARS = 200
NAME_CHARS = 100
EMAIL_CHARS = 254
URL_CHARS = 2_000
ORIGIN_CHARS = 200
MESSAGE_CHARS = 4_000
# What a person writes to agents at work, and what an agent answers it with.
AGENT_MESSAGE_CHARS = 1_000
ACKNOWLEDGEMENT_CHARS = 300
# Not yet delivered: to one session, and waiting on one action for whoever claims it.
MESSAGES_QUEUED = 20
TEXT_CHARS = 100_000
LINE_CHARS = 2_000
AREA_CHARS = 40
# Labels of an action, not its own label, which is its title.
LABEL_NAME_CHARS = 40
DATE_CHARS = 20
ACTION_LABELS = 10
# Of more than this a member is removed in a worker thread.
UNASSIGNED_ON_LOOP = 20
# Members, and agents, compared with a name that there is none of.
ASSIGNABLE_COMPARED = 500
MODEL_CHARS = 100
ID_CHARS = 64
KEY_CHARS = 128
# Of the id of a JSON-RPC message and the version it asks for, which its answer repeats.
MESSAGE_ID_CHARS = 200
LIST_ITEMS = 50
PATH_GLOBS = 50
PLAN_ACTIONS = 200
ACTION_CRITERIA = 50
CRITERION_ATTACHMENTS = 20
PREVIEW_BYTES = 4_000
PREVIEW_LINES = 20
# In the message of a refusal; its details have all of them, whole.
NEAREST_NAMED = 3
IDS_NAMED = 5
TEXT_NAMED_CHARS = 80
PLAN_DRAFTS = 20
ACTION_EDGES = 50
# So many edges are walked to see whether a new one closes a cycle before that is left to a thread.
ORDER_WALK_EDGES = 2_000
CYCLE_SHOWN = 10
# So many open actions are looked through for something to claim before that is left to a thread.
OPEN_LOOKED_AT = 200
FINISHED_SPECS_LISTED = 50
# So many of a blocked action's prerequisites are followed down, and so many are named to begin with.
WAITS_WALKED = 500
START_WITH_REFS = 3
PAGE_ROWS = 50
AT_WORK_SHOWN = 8
BOARD_CARDS = 50
BOARD_CARDS_MOST = 500
BOARD_GROUPS = 50
SAVED_VIEWS = 100  # of one person in one project
SAVED_VIEWS_LISTED = 500
SAVED_QUERY_CHARS = 3_000
# A board of which more than so many cards have changed is read anew, and so is one since which more has happened.
BOARD_CHANGES = 60
BOARD_EVENTS_LOOKED_AT = 300
BOARD_BEHIND_LOOKED_AT = 1_000
# Of what is done, and of what was dropped, a board or list looks at the newest: for cards that fit a filter or come
# first in another order, and for the areas and labels that it can be narrowed to.
CLOSED_LOOKED_AT = 2_000
CLOSED_FACETS_READ = 300
GRAPH_NODES = 500
GRAPH_EDGES = 5_000
# A flow with more actions than a person can take in (and more than 200 kB of page) is drawn by specs: so many of them,
# and so many of the edges between them.
FLOW_NODES = 250
FLOW_CLUSTERS = 150
FLOW_CLUSTER_EDGES = 300
# An edge over ten layers is ten links. Longer ones than there is room for are drawn, and have no say in the layout.
LAYOUT_LINKS_PER_NODE = 12
LAYOUTS_CACHED = 16
AGENTS_SHOWN = 100
WORKERS_SHOWN = 4
# What an agent has done, and how often at first try, is counted over its newest sessions.
AGENT_SESSIONS_COUNTED = 20
LISTED_CARDS = 500
FACETS = 50
EVENTS_PER_PAGE = 100
INSIGHT_DAYS = 366
# What is kept day by day of how many actions there are (store/tallies.py), and how much of it is folded at once.
TALLIED_DAYS = 400
TALLIES_FOLDED = 10_000
INSIGHT_MODELS = 50
# Of what was finished, the newest are looked at: for durations, reviews and who did it.
INSIGHT_ACTIONS = 1_000
INSIGHT_AGENTS = 50
DETAIL_CHARS = 300
KIND_CHARS = 60
TIMELINE_WINDOW = 20_000
REPLAY_MOVES = 5_000
# On the page, which carries them.
REPLAY_SHOWN = 250
STREAMS_PER_USER = 20
STREAMS_PER_PROCESS = 5_000
WEBHOOKS = 20
WEBHOOK_DELIVERIES_KEPT = 500
WEBHOOK_REFUSALS = 3
WEBHOOK_S = 10
WEBHOOK_ANSWER_BYTES = 64_000
# How long the name in an address is looked up before it is saved.
ADDRESS_CHECK_S = 3
# Longer than a try takes; a server that died is taken over from after it.
WEBHOOK_LEASE_US = 30 * 1_000_000
SEARCH_ROWS = 20
SUGGESTED_ACTIONS = 8
SEARCH_ROWS_FOR_AGENT = 10
# The newest texts of each kind are looked through before the index is asked, whose newest matches are compared.
SEARCH_TEXTS_LOOKED_AT = 300
SEARCH_MATCHES_COMPARED = 500
# A list goes on through the texts while so many of those fit, and asks the index where a word is rarer.
SEARCH_COMMON_MATCHES = 20
SEARCH_WORDS = 10
SEARCH_WORD_CHARS = 64
SEARCH_EXCERPT_CHARS = 200
SEARCH_EXCERPT_AROUND_CHARS = 1_200  # what is read for one, with its Markdown
SEARCH_EXCERPT_FROM_CHARS = 20_000
EVENT_TEXT_CHARS = 300
EVENT_LIST_ITEMS = 10
STATES_PER_EVENT = 20  # as in migration 0016
PROJECT_GOALS = 50
SPEC_PARTICIPANTS = 100
REVISIONS_PER_PAGE = 20
ACTION_COMMITS_SHOWN = 50
ACTION_RESULTS_SHOWN = 50
ACTION_QUESTIONS_SHOWN = 50
CRITERION_RESULTS_SHOWN = 5
REVIEW_TEXT_CHARS = 1_000
DIFF_SURROUNDINGS_CHARS = 80
ACTION_SUBMISSIONS_SHOWN = 10
SEARCH_INDEX_CHARS = 200_000
# Of a text as the index reads it, in which a single character may have become eighteen.
SEARCH_FOLDED_CHARS = 400_000
QUERY_CHARS = 200
PASSWORD_MIN_CHARS = 10
PASSWORD_MAX_CHARS = 200
SIGN_IN_LINK_US = 15 * MINUTE_US
# What an account has written is saved once it comes to so much. Shorter texts, with them nearly all events of agents at
# work, are not counted: the limit of requests bounds those, and a quota on them would stop a busy team one day.
UNSAVED_TEXT_BYTES = 64_000
COUNTED_TEXT_CHARS = 1_000
REQUEST_BLOCK_US = 15 * 1_000_000  # how long a server may use the allowances it took of a rate limit
SESSION_US = 30 * DAY_US
INVITE_US = 7 * DAY_US
BROWSER_CHARS = 200
KNOWN_BROWSER_US = 365 * DAY_US
IDEMPOTENCY_US = 24 * HOUR_US
ACCESS_TOKEN_US = HOUR_US
REFRESH_TOKEN_US = 30 * DAY_US
CODE_US = MINUTE_US
CONSENT_US = 10 * MINUTE_US
DEVICE_US = 10 * MINUTE_US
POLL_S = 5
USER_CODE_LETTERS = 8
CLIENT_ID_CHARS = 300
CLIENT_NAME_CHARS = 60
CLIENT_REDIRECTS = 10
STATE_CHARS = 2_000
OAUTH_BODY_BYTES = 64_000
# A client that nobody has authorized stays for a day, and at most so many of them; others for a season.
UNUSED_CLIENT_US = DAY_US
UNUSED_CLIENTS = 10_000
IDLE_CLIENT_US = 90 * DAY_US
SPENT_CODE_US = DAY_US
DOCUMENT_BYTES = 64_000
DOCUMENT_S = 5
DOCUMENT_FRESH_US = HOUR_US
# For one account: how fast anybody can guess, so not for an installation to change.
USER_CODES_PER_MINUTE = 10
PASSWORDS_PER_ACCOUNT_MINUTE = 10
# What an answer to an agent may cost it. The count is an upper bound, so the answer itself stays below; and as a byte
# counts for half a token at least, below the 12,000 bytes that Codex gives its model of a result.
RESULT_TOKENS = 5_900
# A text or list that costs more never comes whole: there is something beside it in every answer.
SECTION_TOKENS = 4_500
SIBLINGS_IN_BRIEF = 40
SPECS_PER_PAGE = 5
ACTIONS_PER_SPEC_LISTED = 20
OTHER_ACTIONS_LISTED = 20
OTHER_ACTIONS_LOOKED_AT = 60
CLAIMABLE_CANDIDATES = 20
ACTIONS_PER_SPEC_PAGE = 20
SUMMARY_LISTED_CHARS = 400
LABEL_LISTED_CHARS = 100
NEWS_CHARS = 500
# Beside that, of what a reviewer said about lines.
NEWS_LINE_COMMENTS_CHARS = 2_000
# Of all news in one answer; a single item may cost more, and comes whole.
NEWS_TOKENS = 1_600
CHANGE_CHARS = 500
CHANGES_TOLD = 20
# Of the claims, commits and test results of an action the newest are looked at for its brief, and fewer shown.
BRIEF_CLAIMS = 20
BRIEF_REPORTS = 100
BRIEF_REPORTS_SHOWN = 20
BRIEF_DOCUMENTS = 10
NEWS_ITEMS = 10
# How long a mention waits for a session of the agent.
UNTOLD_MENTION_DAYS = 30
DELIVERIES_KEPT = 1_000
DELIVERIES_SHOWN = 20
PUSH_COMMITS = 200
BRANCH_CHARS = 250
BRANCH_LINE_COMMITS = 500
CHECKS_PER_SHA = 200
# Of a change (domain/change.py): unpacked, and what beyond it comes without hunks.
CHANGE_BYTES = 5_000_000
CHANGE_FILES = 2_000
CHANGE_MANIFEST_BYTES = 2_000_000
CHANGE_COMMITS = 500
CHANGE_BLAME_RANGES = 20_000
# Of all its hunks together.
CHANGE_LINES = 300_000
PATH_CHARS = 1_000
# Of one line; the rest of it is not shown.
CHANGE_LINE_CHARS = 2_000
# Of the rules of a spec (domain/scope_rules.py) and of what departs from them.
GLOB_CHARS = 250
GLOB_WILDCARDS = 12
RULE_VALUES = 50
SCOPE_VALUES = 100
COMMAND_CHARS = 500
DEPENDENCY_NAME_CHARS = 214
DEVIATION_SUBJECTS = 200
DEVIATION_SUBJECTS_TOLD = 5
DEVIATION_SUBJECTS_SHOWN = 50
DEVIATION_RULE_CHARS = 300
ACCEPTED_DEVIATIONS = 200
# The diff on the page: what comes with it, what is loaded at once when it is scrolled to, and what is folded at first.
CHANGE_FIRST_LINES = 25
CHANGE_CHUNK_LINES = 150
CHANGE_TABLE_LINES = 25
CHANGE_FIRST_TABLE_LINES = 10
CHANGE_GROUP_FILES = 20
CHANGE_FOLDED_FILE_LINES = 1_000
CHANGE_FOLDED_RUN_LINES = 20
# What a comment on lines quotes of them.
QUOTE_LINES = 12
QUOTE_CHARS = 1_500
# Of the files that two actions both touch (domain/overlap.py). What is compared: the actions at work of a project, the
# newest first, and of each so many paths. A list looks at so many free actions, unless the project refuses overlaps.
OVERLAP_AT_WORK = 25
OVERLAP_PATHS_PER_ACTION = 200
OVERLAP_SIBLINGS = 20
OVERLAP_LOOKED_AT = 200
OVERLAP_PATHS_SAVED = 20
OVERLAP_PATHS_SHOWN = 5
OVERLAP_PATH_NEWS_CHARS = 100
OVERLAPS_COMPARED = 10
OVERLAPS_NAMED = 5
COMMIT_PATHS = 300
CHECK_NAME_CHARS = 250
PROJECTS_PER_REPOSITORY = 50
REPORT_CHARS = 1_000_000
REPORT_SHORT_CHARS = 100_000  # a longer one is read in a thread
REPORT_TESTS = 10_000
REPORT_ELEMENTS = 50_000
REPORT_LINES = 100_000
REPORT_DEPTH = 32
REPORT_MAPPINGS = 50
TEST_NAME_CHARS = 300
TEST_NAMES_SHOWN = 10
PASSAGE_CHARS = 2_000
# What a Markdown text may ask for, and what the process that renders it may take for one text or for all of a page.
TABLE_CELLS = 5_000
LINKED_WORD_CHARS = 1_000
COLOURED_CHARS = 20_000
COLOURED_LINE_CHARS = 400
COLOURED_BLANK_LINES = 10
WORDS_CHARS = 1_000
HTML_CHARS = 600_000
MARKDOWN_TEXT_CPU_S = 0.75
MARKDOWN_PAGE_CPU_S = 2.0
MARKDOWN_MEMORY_BYTES = 1_000_000_000
MARKDOWN_WAIT_S = 5.0
MARKDOWN_ANSWER_S = 30.0
MARKDOWN_PAGE_CHARS = 2_000_000
MARKDOWN_CUT_CHARS = 1_000
MARKDOWN_REMEMBERED_CHARS = 16_000_000
# The colours of a diff: of the lines of one hunk, and how long a page waits for all of them.
CODE_CPU_S = 0.2
CODE_WAIT_S = 0.4
# Single changes after which a comparison gives up looking for a shorter way; its work grows with their square.
DIFF_LINE_STEPS = 400
DIFF_WORD_STEPS = 400
# Of all texts that are compared for one answer together: two passages without a word in common take 80,000.
DIFF_EFFORT_STEPS = 250_000
# Of what changed in a brief: it is computed while others wait to write, and shown in a few lines only.
DIFF_BRIEF_STEPS = 50_000
# An import may bring longer texts and lists than anyone can write here: those are shown as they are.
DIFF_CHARS = 500_000
DIFF_ITEMS = 1_000
DRAFT_FIELDS = 10
THREAD_COMMENTS = 200
DOCUMENT_DEPTH = 20
# What a guest sees. A mirror fits into another server's request (1 MB) however its text is escaped.
MIRROR_BYTES = 400_000
MIRROR_TEXT_CHARS = 20_000
MIRROR_ACTIONS = 1_000
MIRROR_SPECS = 200
MIRROR_EDGES = 3_000
MIRROR_DOCUMENTS = 50
MIRROR_COUNT = 10_000_000
OUTBOUND_S = 15
OUTBOUND_BYTES = 2_000_000
# What GitHub's API answers, and how often it is asked about a submission in review: a token has 5,000 requests an hour.
GITHUB_ANSWER_BYTES = 6_000_000
GITHUB_TOKEN_CHARS = 255
GITHUB_PAGES = 3
GITHUB_FETCHES_AT_ONCE = 4
GITHUB_FETCH_TRIES = 8
GITHUB_FETCH_LEASE_US = 5 * MINUTE_US
GITHUB_REFRESH_LEAST_US = 5 * MINUTE_US
GITHUB_REFRESH_MOST_US = 360 * MINUTE_US
PROJECT_SHARES = 100
WORKSPACE_MIRRORS = 200
GUEST_REQUESTS_WAITING = 500
GUEST_REQUESTS_PULLED = 50
SHARE_DAYS = 3_650
TOKEN_DAYS = 3_650
RUN_STALE_US = 30 * MINUTE_US
RUN_TOKENS = 10**12
RUN_COST = 1_000_000
RUNS_SHOWN = 5
TASKS_PER_PAGE = 25
# So many matches of a text are compared with the other filters of a list of tasks at once.
TASK_MATCHES_LOOKED_AT = 500
# And so many tasks are compared with a label, or with having no assignee.
TASKS_LOOKED_AT = 10_000
TASK_DOCUMENTS_SHOWN = 20
SCAFFOLD_TASKS = 150
SCAFFOLD_EDGES = 500
SCAFFOLD_DOCUMENTS = 50
SCAFFOLD_KEY_CHARS = 40
TIED_TASKS_COMPARED = 20
TIED_TASKS_WALKED_EDGES = 20_000
# In the answer of get_next_task, which an agent reads before every task.
BLOCKED_SHOWN = 3
WAITING_ON_SHOWN = 3
NEXT_TASK_CHARS = 200
BLOCKED_LABEL_CHARS = 60
# Of more open tasks than these the next one is chosen in a worker thread.
NEXT_TASK_OPEN_ON_LOOP = 500
DEPENDENTS_NAMED = 20
# What agents draft and a person has not decided about yet. A form sends three fields for each item.
OPEN_PROPOSALS = 20
PROPOSAL_ITEMS = 500
PROPOSAL_CHARS = 200_000
PROPOSAL_ACTIONS = 50
PROPOSAL_CRITERIA = 20
PROPOSAL_PREREQUISITES = 20
FAULTS_SHOWN = 50
FAULTS_IN_MESSAGE = 5
# One line of an export, and a text in it: beyond the longest that the server itself writes.
IMPORT_LINE_BYTES = 4_000_000
IMPORT_TEXT_CHARS = 200_000
IMPORT_ROWS = 1_000_000
# From so many rows on the database looks at the tables anew: it may have planned for empty ones.
ANALYZED_IMPORT_ROWS = 1_000
IMPORT_CHUNK_BYTES = 48 * 1024
# So much room the disk must have for the server to be healthy: for a few of the largest requests.
SPACE_NEEDED_BYTES = 4_000_000
FILE_CHUNK_BYTES = 256 * 1024  # of a file that is sent or written, at once
IMPORT_WARNINGS = 200
IMPORT_PEOPLE = 10_000
IMPORT_EVENT_CHARS = 100_000
# Of other programs' files.
FOREIGN_FILES = 10_000
FOREIGN_FILE_BYTES = 20_000_000
FOREIGN_TOTAL_BYTES = 100_000_000
FOREIGN_TASKS = 20_000
FOREIGN_LINKS = 100_000
FOREIGN_ITEMS = 100_000
FOREIGN_DEPTH = 50
FOREIGN_NAME_CHARS = 500
FOREIGN_KEY_CHARS = 200
# A text before it is taken apart: what is left of it must fit into TEXT_CHARS.
FOREIGN_TEXT_CHARS = 500_000
# Commas and brackets in a JSON file, and so the most that it can hold: an empty object of two bytes takes 64 in memory.
FOREIGN_JSON_MARKS = 2_000_000
FOREIGN_LIST_DEPTH = 10
# What an archive tells of its files, which is read whole before any of them.
FOREIGN_DIRECTORY_BYTES = 4_000_000
FOREIGN_FOLDER_DEPTH = 8
# A holder's call renews its lease only when a sixtieth of it has gone: reading a brief ten times in a minute
# then costs one write, and the lease is never more than that much shorter than promised.
RENEWAL_GRAIN = 60
