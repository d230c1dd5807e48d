"""A small browser without scripts: keeps cookies, fills forms, and walks an OAuth authorization."""

from __future__ import annotations

import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.message import Message
from html.parser import HTMLParser
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import NamedTuple
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit, urlunsplit

MAX_HOPS = 20
MAX_PAGES = 10
CALLBACK_PATIENCE = 5  # seconds: a client may print its URL before it listens
REDIRECTS = (301, 302, 303, 307, 308)
NAME_FIELDS = ("username", "user", "login")
APPROVE = re.compile(r"\b(allow|approve|authori[sz]e|accept|grant|agree|consent|continue|yes)\b", re.I)
DENY = re.compile(r"\b(deny|don.?t|do not|cancel|reject|decline|refuse|no)\b", re.I)
Attributes = dict[str, str]


class BrowserError(RuntimeError):
    """The pages did not lead to the client's callback."""


@dataclass(frozen=True)
class Person:
    """Who signs in, whether they approve, and which radio button they press, by the name of its group."""

    username: str | None = None
    email: str | None = None
    password: str | None = None
    approves: bool = True
    presses: tuple[tuple[str, str], ...] = ()

    def press(self, controls: list[Control]) -> None:
        for control in controls:
            if control.kind == "radio":
                control.value = dict(self.presses).get(control.attributes.get("name", ""), control.value)

    def answer(self, question: str) -> str:
        """Give what the person types when asked for their username, email or password."""
        known = {
            "username": self.username or self.email,
            "email": self.email or self.username,
            "password": self.password,
        }
        if known[question] is None:
            raise BrowserError(f"the page asks for the {question}, which was not given")
        return known[question] or ""


# --- pages ----------------------------------------------------------------------------------------


@dataclass
class Control:
    """One form control with what it would send."""

    kind: str
    attributes: Attributes
    value: str | None
    text: str = ""

    @property
    def label(self) -> str:
        """Give everything that says what a button does."""
        words = (self.text, self.value, self.attributes.get("aria-label"))
        return " ".join(word.strip() for word in words if word)

    @property
    def question(self) -> str | None:
        """Tell which of a person's details a field asks for."""
        name = self.attributes.get("name", "").lower()
        if self.kind == "password":
            return "password"
        if self.kind == "email" or (self.kind == "text" and name == "email"):
            return "email"
        is_name = name in NAME_FIELDS or self.attributes.get("autocomplete") == "username"
        return "username" if self.kind == "text" and is_name else None


@dataclass
class Form:
    """One form of a page."""

    attributes: Attributes
    fields: list[Control] = field(default_factory=list)
    buttons: list[Control] = field(default_factory=list)

    @property
    def questions(self) -> set[str]:
        """Give what the form asks a person for."""
        return {control.question for control in self.fields if control.question}

    def button(self, wanted: re.Pattern[str]) -> Control | None:
        """Find the button whose label says the wanted thing and not its opposite."""
        says_no = wanted is DENY
        return next(
            (
                button
                for button in self.buttons
                if wanted.search(button.label) and bool(DENY.search(button.label)) == says_no
            ),
            None,
        )

    def filled(self, person: Person) -> Iterator[tuple[str, str]]:
        """Give the names and values that the form sends when the person has typed into it."""
        for control in self.fields:
            value = person.answer(control.question) if control.question else control.value
            if name := control.attributes.get("name"):
                yield name, value or ""


class Page(HTMLParser):
    """A page's forms, links, refresh and text."""

    def __init__(self, url: str, status: int, html: str) -> None:
        super().__init__()
        self.url, self.status = url, status
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.refresh: str | None = None
        self._text: list[str] = []
        self._form: Form | None = None
        self._select: Control | None = None
        self._open: Control | None = None  # the button or text area whose text is being read
        self._hidden = 0  # depth inside script and style
        self.feed(html)
        self.close()

    @property
    def text(self) -> str:
        """Give the beginning of the visible text, in one line."""
        return " ".join(" ".join(self._text).split())[:500]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in an element."""
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = Form(attributes)
            self.forms.append(self._form)
        elif tag == "a":
            self.links.append(urljoin(self.url, attributes.get("href", "")))
        elif tag == "meta" and attributes.get("http-equiv", "").lower() == "refresh":
            target = re.search(r"url\s*=\s*['\"]?([^'\"]+)", attributes.get("content", ""), re.I)
            self.refresh = urljoin(self.url, target[1].strip()) if target else None
        elif tag in ("script", "style"):
            self._hidden += 1
        elif tag == "option":
            self._take_option(attributes)
        elif tag in ("input", "button", "textarea", "select"):
            self._take_control(tag, attributes)

    def _take_option(self, attributes: Attributes) -> None:
        """Choose an option if it is the first or marked as selected."""
        if self._select and (self._select.value is None or "selected" in attributes):
            self._select.value = attributes.get("value", "")

    def _take_control(self, tag: str, attributes: Attributes) -> None:
        """Put a control into the form that owns it, if it could send anything."""
        default = {"input": "text", "button": "submit"}.get(tag, tag)
        kind = attributes.get("type", default).lower() if tag in ("input", "button") else tag
        control = Control(kind, attributes, attributes.get("value"))
        self._open = control if tag in ("button", "textarea") else None
        self._select = control if tag == "select" else None
        form = self._owner(attributes)
        if form is None or "disabled" in attributes or kind in ("button", "reset", "file"):
            return
        if kind in ("checkbox", "radio"):
            if "checked" not in attributes:
                return
            control.value = attributes.get("value", "on")
        (form.buttons if kind in ("submit", "image") else form.fields).append(control)

    def _owner(self, attributes: Attributes) -> Form | None:
        """Find the form of a control, which may name it by id."""
        if "form" not in attributes:
            return self._form
        return next((form for form in self.forms if form.attributes.get("id") == attributes["form"]), None)

    def handle_data(self, data: str) -> None:
        """Take in a piece of text."""
        if self._open:
            self._open.text += data
        if not self._hidden:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        """Close an element."""
        if tag == "form":
            self._form = None
        elif tag in ("script", "style"):
            self._hidden -= 1
        elif tag == "select":
            self._select = None
        elif tag in ("button", "textarea") and self._open:
            if tag == "textarea":
                self._open.value = self._open.text
            self._open = None


# --- the browser ----------------------------------------------------------------------------------


class Answer(NamedTuple):
    """What a server sent back."""

    status: int
    headers: Message
    body: bytes


class KeepRedirect(urllib.request.HTTPRedirectHandler):
    """Leaves redirects to the browser, which traces them."""

    def redirect_request(self, *args: object) -> None:
        """Follow nothing."""


class Browser:
    """Loads pages and submits forms with one cookie jar."""

    def __init__(self, trace: Callable[[str], object] = lambda line: None) -> None:
        # Browsers send Secure cookies to http on loopback; the jar has to be told.
        jar = CookieJar(DefaultCookiePolicy(secure_protocols=("https", "http")))
        self._opener = urllib.request.build_opener(
            KeepRedirect, urllib.request.HTTPCookieProcessor(jar), urllib.request.ProxyHandler({})
        )
        self.trace = trace

    def open(self, url: str, data: bytes | None = None, referer: str | None = None, stop_at: str | None = None) -> Page:
        """Load a page, following redirects up to the address to stop at."""
        for _ in range(MAX_HOPS):
            patience = CALLBACK_PATIENCE if same_place(url, stop_at) else 0
            answer = self._request(url, data, referer, time.monotonic() + patience)
            self.trace(f"{'GET' if data is None else 'POST'} {url} -> {answer.status}")
            location = answer.headers.get("Location")
            if answer.status not in REDIRECTS or not location or same_place(url, stop_at):
                charset = answer.headers.get_content_charset() or "utf-8"
                return Page(url, answer.status, answer.body.decode(charset, "replace"))
            url = urljoin(url, location)
            data = data if answer.status in (307, 308) else None
        raise BrowserError(f"more than {MAX_HOPS} redirects, the last to {url}")

    def _request(self, url: str, data: bytes | None, referer: str | None, until: float) -> Answer:
        """Send one request as a browser would, again while nobody listens and there is time."""
        headers = {"Accept": "text/html,*/*;q=0.8", "User-Agent": "form-browser"}
        if referer:
            headers["Referer"] = referer
        if data is not None:
            headers["Origin"] = "{0.scheme}://{0.netloc}".format(urlsplit(referer or url))
        request = urllib.request.Request(url, data, headers)
        while True:
            try:
                with self._opener.open(request, timeout=30) as response:
                    return Answer(response.status, response.headers, response.read())
            except urllib.error.HTTPError as error:
                with error:
                    return Answer(error.code, error.headers, error.read())
            except OSError as error:
                refused = isinstance(getattr(error, "reason", error), ConnectionRefusedError)
                if not refused or time.monotonic() > until:
                    raise BrowserError(f"{url}: {error}") from None
                time.sleep(0.1)

    def submit(
        self, page: Page, form: Form, button: Control | None, person: Person, stop_at: str | None = None
    ) -> Page:
        """Fill a form and press a button of it."""
        if form.attributes.get("enctype", "").lower() == "multipart/form-data":
            raise BrowserError(f"{page.url}: multipart forms are not supported")
        pressed = button.attributes if button else {}
        values = list(form.filled(person))
        if button and pressed.get("name"):
            values.append((pressed["name"], button.value or ""))
        result = [f"{name}={'***' if value == person.password else value}" for name, value in values]
        self.trace(f"  fill {', '.join(result)}; press {button.label if button else 'enter'}")
        action = pressed.get("formaction") or form.attributes.get("action") or page.url
        method = pressed.get("formmethod") or form.attributes.get("method") or "get"
        url, data = urljoin(page.url, action), urlencode(values)
        if method.lower() == "post":
            return self.open(url, data.encode(), page.url, stop_at)
        return self.open(urlunsplit(urlsplit(url)._replace(query=data)), None, page.url, stop_at)


def same_place(url: str, other: str | None) -> bool:
    """Tell whether two addresses differ in their query at most."""
    return other is not None and urlsplit(url)[:3] == urlsplit(other)[:3]


# --- walking an authorization ---------------------------------------------------------------------


def authorize(browser: Browser, url: str, person: Person) -> str:
    """Go from a client's authorization URL to its callback, and give that address in full."""
    callback = parse_qs(urlsplit(url).query)["redirect_uri"][0]
    page, tried = browser.open(url, stop_at=callback), False
    for _ in range(MAX_PAGES):
        if same_place(page.url, callback):
            return page.url
        if page.status >= 400:
            raise BrowserError(f"{page.url} answered {page.status}: {page.text}")
        form = sign_in_form(page)
        if form and "password" in form.questions:
            if tried:
                raise BrowserError(f"the sign-in was refused: {page.text}")
            tried = True
        page = sign_in(browser, page, form, person, callback) if form else go_on(browser, page, person, callback)
    raise BrowserError(f"no end after {MAX_PAGES} pages, the last {page.url}: {page.text}")


def sign_in_form(page: Page) -> Form | None:
    """Find the form that asks who the person is, one with a password first."""
    asking = [form for form in page.forms if form.questions]
    return next((form for form in asking if "password" in form.questions), next(iter(asking), None))


def sign_in(browser: Browser, page: Page, form: Form, person: Person, callback: str) -> Page:
    """Fill a sign-in form and press its first button that is not a refusal."""
    buttons = (button for button in form.buttons if not DENY.search(button.label))
    return browser.submit(page, form, next(buttons, None), person, callback)


def go_on(browser: Browser, page: Page, person: Person, callback: str) -> Page:
    """Answer a consent page, or follow the page's own way back to the client."""
    for form in page.forms:
        if button := form.button(APPROVE if person.approves else DENY):
            person.press(form.fields)
            return browser.submit(page, form, button, person, callback)
    if page.refresh:
        return browser.open(page.refresh, stop_at=callback)
    if link := next((link for link in page.links if same_place(link, callback)), None):
        return browser.open(link, referer=page.url, stop_at=callback)
    raise BrowserError(f"no form to go on with at {page.url}: {page.text}")
