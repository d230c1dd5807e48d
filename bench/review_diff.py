"""A diff of 5,000 lines on the review page, in a browser four times slower: the first hunk, long tasks, bytes, CPU.

The whole of it is scrolled through, so every part is loaded. A long task is one that keeps the page from answering for
more than 50 ms; on a busy machine that is the work of others too, so the processor time is taken from a trace as well,
at full speed: that of the page's own thread until the first hunk, and of the longest task. What the server takes is
read from the scheduler: its own process and the one that finds the colours.
"""

import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from playwright.sync_api import Page

from bench.places import FOLDER
from bench.web import chromium_path
from tests.diffs import created
from tests.e2e.app import App, running_app
from tests.e2e.change_scene import edited, replaced, submit_change

FILES, LONG_LINES = 50, 20_000
SETTLED_MS = 500
BEFORE = "def total(rows):\n" + "".join(f"    part_{n} = rows[{n}].amount  # 'in cents'\n" for n in range(20))
AFTER = BEFORE.replace("rows", "kept").replace("in cents", "in pence")

# When the first line of code was painted (the browser's own word, by Element Timing), and every long task.
WATCH = """() => {
  window.tasks = [];
  new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((entry) => entry.duration)))
    .observe({type: "longtask", buffered: true});
  new PerformanceObserver((list) => { window.firstHunk ??= list.getEntries()[0].renderTime; })
    .observe({type: "element"});
  new MutationObserver((_, observer) => {
    const code = document.querySelector("tr.hunk + tr.line > .code");
    if (!code) return;
    code.setAttribute("elementtiming", "first-hunk");
    observer.disconnect();
  }).observe(document, {childList: true, subtree: true});
}"""
WAITED = "performance.getEntriesByType('navigation')[0].responseStart"
FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
AT_END = """(() => {
  const {scrollTop, clientHeight, scrollHeight} = document.querySelector("main");
  return scrollTop + clientHeight > scrollHeight - 5;
})()"""
TRACED = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing"]
LEFT = "document.querySelectorAll('#change [data-load]').length"


def main(rounds: int = 3) -> None:
    os.environ.setdefault("PENDESK_CHROMIUM", chromium_path())
    folder = (FOLDER / "review_diff").resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} (with more than 0.5 the figures are of others' work)")
    with running_app(folder / "data") as app:
        many = submit_change(app, [_file(number) for number in range(FILES)])
        rows = (f'  "row-{number}": {number},' for number in range(LONG_LINES))
        long = submit_change(app, [_file(0), created("generated.json", *rows)])
        for columns in ("unified", "split"):
            _report(f"5,000 lines in {FILES} files, {columns}", [_visit(app, many, columns) for _ in range(rounds)])
        for columns in ("unified", "split"):
            _report_cpu(columns, [_trace(app, many, columns) for _ in range(rounds)])
        _report_blank([_visit_blank(app) for _ in range(rounds)])
        _report(f"the first screens of one file of {LONG_LINES:,} lines", [_visit(app, long, "unified", most=60)])
    shutil.rmtree(folder)


def _file(number: int) -> str:
    hunks = [replaced(60 * place + 1, BEFORE, AFTER, f"class Part{place}:") for place in range(2)]
    return edited(f"src/part_{number // 10}/module_{number}.py", *hunks)


def _visit(app: App, ref: str, columns: str, most: int = 10_000) -> dict[str, float]:
    """Nothing but the scripts and styles is kept from before, and the tab is empty: a browser that is driven takes the
    page before apart within the time of this one, some 100 ms at this pace. Others keep it for the way back.
    """
    context = app.browser.new_context(storage_state=app.state, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(f"{app.server.url}/projects")
    page.goto("about:blank")
    page.wait_for_timeout(SETTLED_MS)
    sizes: list[int] = []
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    context.add_init_script(f"({WATCH})()")
    before = _cpu_s(app)
    page.goto(f"{app.server.url}/a/{ref}/review?diff={columns}", wait_until="load")
    page.wait_for_function("() => window.firstHunk")
    first, waited, came = page.evaluate("window.firstHunk"), page.evaluate(WAITED), sum(sizes)
    page_cpu = _cpu_s(app) - before
    parts = _scroll_through(page, most)
    figures = {
        "first": first,
        "in_browser": first - waited,
        "longest": max(page.evaluate("window.tasks"), default=0),
        "long": len(page.evaluate("window.tasks")),
        "page_bytes": came,
        "page_cpu": page_cpu * 1000,
        "parts": parts,
        "all_bytes": sum(sizes),
        "all_cpu": (_cpu_s(app) - before) * 1000,
    }
    context.close()
    return figures


def _visit_blank(app: App) -> float:
    """What the browser itself takes here until a page of one word is painted, at the same pace."""
    context = app.browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.route("**/blank", lambda route: route.fulfill(body="<p>Blank", content_type="text/html"))
    page.goto(f"{app.server.url}/blank")
    page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
    painted: float = page.evaluate(f"performance.getEntriesByName('first-contentful-paint')[0].startTime - {WAITED}")
    context.close()
    return painted


class Cpu(NamedTuple):
    """Milliseconds of the page's own thread, whose clock stands still while others run."""

    to_first_hunk: float
    longest_at_load: float
    longest_in_scrolling: float


def _trace(app: App, ref: str, columns: str) -> Cpu:
    context = app.browser.new_context(storage_state=app.state, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(f"{app.server.url}/projects")
    context.add_init_script(f"({WATCH})()")
    app.browser.start_tracing(page=page, categories=TRACED)
    page.goto(f"{app.server.url}/a/{ref}/review?diff={columns}", wait_until="load")
    page.wait_for_function("() => window.firstHunk")
    first_hunk_us = page.evaluate("window.firstHunk") * 1000
    loaded = _events_of_page(json.loads(app.browser.stop_tracing())["traceEvents"])
    app.browser.start_tracing(page=page, categories=TRACED)
    _scroll_through(page, 10_000)
    scrolled = _events_of_page(json.loads(app.browser.stop_tracing())["traceEvents"])
    context.close()
    begin = next(event for event in loaded if event["name"] == "ParseHTML" and ref in str(event["args"]))
    start = next(event for event in loaded if event["name"] == "navigationStart" and ref in str(event["args"]))
    since_begin = [event for event in loaded if event["ts"] >= begin["ts"]]
    return Cpu(
        to_first_hunk=sum(_tasks_ms(event for event in since_begin if event["ts"] < start["ts"] + first_hunk_us)),
        longest_at_load=max(_tasks_ms(since_begin)),
        longest_in_scrolling=max(_tasks_ms(scrolled)),
    )


def _events_of_page(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of the main thread of the page that did the most, in their order."""
    threads = {
        (event["pid"], event["tid"]): event["args"]["name"] for event in events if event["name"] == "thread_name"
    }
    pages = [thread for thread, name in threads.items() if name == "CrRendererMain"]
    by_page = {thread: [event for event in events if (event["pid"], event["tid"]) == thread] for thread in pages}
    busiest = max(by_page.values(), key=lambda own: sum(event.get("tdur", 0) for event in own))
    return sorted(busiest, key=lambda event: event["ts"])


def _tasks_ms(events: Iterable[dict[str, Any]]) -> list[float]:
    tasks = (event for event in events if event["name"] == "ThreadControllerImpl::RunTask")
    return [task["tdur"] / 1000 for task in tasks if "tdur" in task]


def _scroll_through(page: Page, most: int) -> int:
    """How often something was loaded. A person scrolls a screen at a time."""
    page.mouse.move(900, 500)
    for fold in page.locator('.file-fold[aria-expanded="false"]').all():
        fold.click()
    steps = 0
    while steps < most and (page.evaluate(LEFT) or not page.evaluate(AT_END)):
        page.mouse.wheel(0, 700)
        page.evaluate(FRAMES)
        steps += 1
    loaded: int = page.evaluate("document.querySelectorAll('#change .chunk').length")
    return loaded


def _cpu_s(app: App) -> float:
    """Of the server and its children."""
    pid = app.server.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return sum(_ticks(process) for process in (str(pid), *children)) / os.sysconf("SC_CLK_TCK")


def _ticks(pid: str) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _range(values: Iterable[float]) -> str:
    ordered = sorted(values)
    return f"{median(ordered):,.0f} ({ordered[0]:,.0f} to {ordered[-1]:,.0f})"


def _report_blank(paints: list[float]) -> None:
    print(f"a page of one word, beside it: painted {_range(paints)} ms after its first byte")


def _report_cpu(columns: str, traces: list[Cpu]) -> None:
    print(
        f"{columns}, CPU of the page at full speed:\n"
        f"  {_range(trace.to_first_hunk for trace in traces)} ms from the first byte to the first hunk (aim 75)\n"
        f"  longest task {_range(trace.longest_at_load for trace in traces)} ms while loading, "
        f"{_range(trace.longest_in_scrolling for trace in traces)} ms while scrolling (aim 25)"
    )


def _report(name: str, visits: list[dict[str, float]]) -> None:
    def of(key: str) -> str:
        return _range(visit[key] for visit in visits)

    print(
        f"{name}:\n"
        f"  first hunk after {of('first')} ms, {of('in_browser')} ms of them since the first byte (aim 300)\n"
        f"  longest task {of('longest')} ms (aim 100), {of('long')} longer than 50 ms\n"
        f"  with the page: {of('page_bytes')} bytes, {of('page_cpu')} ms of CPU of the server\n"
        f"  all, in {of('parts')} parts: {of('all_bytes')} bytes, {of('all_cpu')} ms of CPU of the server"
    )
