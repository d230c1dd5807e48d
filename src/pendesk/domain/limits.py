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
    live_claims_per_user: int = 3
    requests_per_minute: int = 60
    body_bytes: int = 1_000_000
    attachment_bytes: int = 25_000_000
    attachment_url_us: int = 30 * MINUTE_US


LABEL_CHARS = 200
NAME_CHARS = 100
EMAIL_CHARS = 254
URL_CHARS = 2_000
MESSAGE_CHARS = 4_000
TEXT_CHARS = 100_000
LINE_CHARS = 2_000
AREA_CHARS = 40
MODEL_CHARS = 100
ID_CHARS = 64
KEY_CHARS = 128
LIST_ITEMS = 50
PATH_GLOBS = 50
PLAN_ACTIONS = 200
ACTION_CRITERIA = 50
PLAN_DRAFTS = 20
ACTION_EDGES = 50
PAGE_ROWS = 50
EVENTS_PER_PAGE = 100
SEARCH_ROWS = 20
SEARCH_WORDS = 10
SEARCH_WORD_CHARS = 64
SEARCH_EXCERPT_CHARS = 200
SEARCH_EXCERPT_FROM_CHARS = 20_000
EVENT_TEXT_CHARS = 300
EVENT_LIST_ITEMS = 10
PROJECT_GOALS = 50
SPEC_PARTICIPANTS = 100
REVISIONS_PER_PAGE = 20
ACTION_COMMITS_SHOWN = 50
ACTION_RESULTS_SHOWN = 50
ACTION_QUESTIONS_SHOWN = 50
ACTION_SUBMISSIONS_SHOWN = 10
SEARCH_INDEX_CHARS = 200_000
QUERY_CHARS = 200
PASSWORD_MIN_CHARS = 10
PASSWORD_MAX_CHARS = 200
SIGN_IN_LINK_US = 15 * MINUTE_US
SESSION_US = 30 * DAY_US
IDEMPOTENCY_US = 24 * HOUR_US
SIBLINGS_IN_BRIEF = 40
SPECS_PER_PAGE = 5
ACTIONS_PER_SPEC_LISTED = 40
SUMMARY_LISTED_CHARS = 400
HAND_OVER_COMMITS = 20
NEWS_ITEMS = 10
# A holder's call renews its lease only when a sixtieth of it has gone: reading a brief ten times in a minute
# then costs one write, and the lease is never more than that much shorter than promised.
RENEWAL_GRAIN = 60
