"""A share as a page. Everything in it was written by others, perhaps on another server: all of it is escaped text."""

import re
from collections.abc import Iterable
from html import escape

from starlette.responses import Response

from pendesk.domain.limits import LABEL_CHARS, MESSAGE_CHARS, NAME_CHARS
from pendesk.operations.sharing.get_share import Shared
from pendesk.operations.sharing.pictures import ShownAction, ShownHeading, ShownProject, ShownStep
from pendesk.transports.share.drafts import Draft
from pendesk.transports.share.words import STATUSES, links_of, status_word
from pendesk.transports.web.page import page

_PARAGRAPH = re.compile(r"\n\s*\n")


def html_of(shared: Shared, path: str, draft: Draft, status: int = 200) -> Response:
    if shared.project:
        title, body = shared.project.name, _project(shared.project)
    else:
        assert shared.action is not None
        title, body = f"{shared.action.ref} {shared.action.label}", _action(shared.action)
    said = f'<p class="problem" role="status">{escape(draft.said)}</p>' if draft.said else ""
    form = _form(path, draft) if shared.takes_items else ""
    twin = f'<a href="{escape(path)}.md">Markdown</a>'
    foot = f'<p class="quiet">Read-only, as of {escape(shared.drawn_at or "")}. {twin}</p>'
    return page(title, f"{said}{body}{form}{foot}", status)


def html_of_no_share(message: str) -> Response:
    return page("This link leads nowhere", f"<p>{escape(message)}</p>", 404)


def _project(project: ShownProject) -> str:
    more = f'<p class="quiet">{project.left_out} more are not shown.</p>' if project.left_out else ""
    groups = {word: [step for step in project.actions if step.status == status] for status, word in STATUSES.items()}
    links = links_of(project)
    others = [step for step in project.actions if step.status not in STATUSES]
    return "".join(
        [
            f'<p class="quiet">{escape(status_word(project.status))}</p>{_text(project.description)}',
            _headings("Goals", project.goals),
            *(_steps(word, steps, links) for word, steps in {**groups, "Other": others}.items()),
            more,
            _headings("Specs", project.specs),
            *(f"<h2>{escape(one.title)}</h2>{_quiet(one.status_line)}{_text(one.body)}" for one in project.documents),
        ]
    )


def _headings(title: str, headings: list[ShownHeading]) -> str:
    told = "".join(f"<dt>{escape(one.title)}</dt><dd>{_text(one.text)}</dd>" for one in headings)
    return f"<h2>{title}</h2><dl>{told}</dl>" if told else ""


def _steps(word: str, steps: list[ShownStep], links: dict[str, list[str]]) -> str:
    """The column of a status. What an action is connected with stands beside it in words, so no script is needed."""
    told = "".join(f"<li>{_step(step, links.get(step.ref, []))}</li>" for step in steps)
    return f"<h2>{escape(word)} ({len(steps)})</h2><ul>{told}</ul>" if told else ""


def _step(step: ShownStep, links: list[str]) -> str:
    criteria = f"{step.criteria_done} of {step.criteria_total} criteria" if step.criteria_total else ""
    beside = " · ".join(part for part in (step.area, step.spec, criteria, *links) if part)
    return f"<strong>{escape(step.ref)}</strong> {escape(step.label)}<br>{_quiet(beside)}"


def _action(action: ShownAction) -> str:
    criteria = [f"{one.text} ({one.status})" for one in action.criteria]
    first = [f"{one.ref} {one.label} ({status_word(one.status)})" for one in action.first]
    parts = [
        _quiet(f"{action.project} · {status_word(action.status)}"),
        _text(action.description),
        _list("Acceptance criteria", criteria),
        _list("Comes first", first),
    ]
    if action.spec:
        parts += [f"<h2>{escape(action.spec.title)}</h2>{_text(action.spec.summary)}"]
        parts += [
            _list(name.capitalize(), getattr(action.spec, name)) for name in ("results", "conditions", "boundaries")
        ]
    if action.approach:
        parts.append(f"<h2>Approach</h2>{_text(action.approach)}")
    return "".join(parts)


def _list(title: str, lines: Iterable[str]) -> str:
    told = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<h2>{title}</h2><ul>{told}</ul>" if told else ""


def _quiet(text: str) -> str:
    return f'<span class="quiet">{escape(text)}</span>' if text else ""


def _text(text: str) -> str:
    parts = [escape(part.strip()).replace("\n", "<br>") for part in _PARAGRAPH.split(text) if part.strip()]
    return "".join(f"<p>{part}</p>" for part in parts)


def _form(path: str, draft: Draft) -> str:
    problem = f'<p class="problem" role="alert">{escape(draft.problem)}</p>' if draft.problem else ""
    return (
        f'<h2 id="message">Leave a message</h2>{problem}<form method="post" action="{escape(path)}">'
        f'<label>What is it about? <input name="title" maxlength="{LABEL_CHARS}" required '
        f'value="{escape(draft.title)}"></label>'
        f'<label>Message <textarea name="body" rows="6" maxlength="{MESSAGE_CHARS}">{escape(draft.body)}'
        "</textarea></label>"
        f'<label>Your name, if you like <input name="name" maxlength="{NAME_CHARS}" '
        f'autocomplete="name" value="{escape(draft.name)}"></label><button type="submit">Send</button></form>'
    )
