// The change on the review page. What has data-load is fetched from there when it is scrolled to, and put in its place;
// change:lines is dispatched on what came. The keys n p f F v act on the change, unless a row of another part has the focus.

const AHEAD = "800px";
const COOKIE_S = 365 * 24 * 3600;
const OF_ONE_ANSWER = ["group", "submission", "position", "from", "digest"];
const root = () => document.getElementById("change");
const body = () => document.getElementById("change-body");
const files = () => [...body().querySelectorAll(".change-file")];
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const ask = async (address) => {
  const answer = await fetch(address, { headers: { "HX-Request": "true" } });
  if (!answer.ok) throw new Error(answer.status);
  const page = document.createElement("template");
  page.innerHTML = await answer.text();
  return page.content;
};

const announce = (elements) => {
  watch();
  tally();
  for (const element of elements) element.dispatchEvent(new CustomEvent("change:lines", { bubbles: true }));
};

// At most one fetch for a place; who asks again waits for the same.
const loading = new WeakMap();
const load = (pending) => {
  if (!loading.has(pending)) loading.set(pending, fill(pending));
  return loading.get(pending);
};

const fill = async (pending) => {
  pending.setAttribute("aria-busy", "true");
  observer.unobserve(pending);
  try {
    const came = [...(await ask(pending.dataset.load)).querySelector("[data-change-part]").children];
    const had = pending.contains(document.activeElement);
    pending.replaceWith(...came);
    if (had) goTo(came[0].querySelector("tr.line") ?? came[0]);
    announce(came);
  } catch {
    loading.delete(pending);
    pending.removeAttribute("aria-busy");
    pending.querySelector("button").textContent = "Could not be loaded. Try again";
  }
};

const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) load(target);
}, { rootMargin: AHEAD, scrollMargin: AHEAD });

const watch = () => {
  for (const pending of body()?.querySelectorAll("[data-load]:not([aria-busy])") ?? []) observer.observe(pending);
};

const goTo = (element, block = "nearest") => {
  if (!element.matches("button, a")) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block, behavior: still() ? "instant" : "auto" });
};

const fold = (file, folded) => {
  file.classList.toggle("folded", folded);
  file.querySelector(".file-body").hidden = folded;
  file.querySelector("[data-folds]").setAttribute("aria-expanded", String(!folded));
  if (!folded) watch();
};

const tally = () => {
  const count = body()?.querySelector("[data-viewed-count]");
  if (!count) return;
  const links = body().querySelectorAll("[data-file-link]");
  count.textContent = `${body().querySelectorAll("[data-file-link].viewed").length} of ${links.length} viewed`;
};

const setViewed = async (button) => {
  const file = button.closest(".change-file");
  const viewed = button.getAttribute("aria-pressed") !== "true";
  const show = (on) => {
    button.setAttribute("aria-pressed", String(on));
    for (const element of [file, body().querySelector(`[data-file-link][href="#${file.id}"]`)]) element?.classList.toggle("viewed", on);
    tally();
  };
  show(viewed);
  fold(file, viewed);
  if (file.contains(document.activeElement) || document.activeElement === document.body) goTo(file.querySelector("[data-folds]"), "nearest");
  const { path, digest } = file.dataset;
  const refused = await window.pendesk.post("set_file_viewed", { action_id: root().dataset.ref, path, digest, viewed });
  if (!refused) return;
  show(!viewed);
  window.pendesk.showToast(refused, { bad: true });
};

// Where the reader is: the element that has the focus, else the first file that is not above the screen.
const placeNow = () => {
  const focused = document.activeElement?.closest("#change-body tr, #change-body .change-file, #change-body .change-pending");
  return focused ?? files().find((file) => file.getBoundingClientRect().bottom > 120) ?? null;
};

const isAfter = (one, other) => Boolean(one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);
const isShown = (element) => element.checkVisibility?.({ contentVisibilityAuto: false }) ?? element.offsetParent !== null;

const neighbour = (selector, forward) => {
  const from = placeNow();
  const all = [...body().querySelectorAll(selector)].filter(isShown);
  if (!from) return all[0];
  return forward ? all.find((element) => isAfter(from, element)) : all.findLast((element) => isAfter(element, from) && !element.contains(from));
};

// A change is a run of changed lines of a hunk; the first line of it gets the focus.
const firstOf = (row) => {
  let line = row.nextElementSibling;
  while (line && !line.matches(".line.add, .line.del, .line:has(.add, .del)")) line = line.nextElementSibling;
  return line ?? row;
};

const stepChange = async (forward) => {
  const focused = document.activeElement?.closest("#change-body tr.line");
  const own = focused && hunkOf(focused);
  const all = [...body().querySelectorAll("tr.hunk, [data-load]")].filter(isShown);
  const at = own ? all.indexOf(own) : -1;
  const next = at >= 0 ? all[at + (forward ? 1 : -1)] : neighbour("tr.hunk, [data-load]", forward);
  if (!next) return;
  if (!next.matches("[data-load]")) return goTo(firstOf(next), "center");
  const before = next.previousElementSibling ?? next.parentElement;
  await load(next);
  if (next.isConnected) return; // it could not be loaded
  const came = [...body().querySelectorAll("tr.hunk")].filter((hunk) => isAfter(before, hunk) && isShown(hunk));
  const target = forward ? came.find((hunk) => !focused || isAfter(focused, hunk)) : came.findLast((hunk) => !focused || isAfter(hunk, focused));
  if (target) goTo(firstOf(target), "center");
};

const hunkOf = (line) => {
  let row = line;
  while (row && !row.matches("tr.hunk")) row = row.previousElementSibling;
  return row;
};

const stepFile = (forward) => {
  const now = placeNow()?.closest(".change-file");
  const all = [...body().querySelectorAll(".change-file, .change-group > [data-load]")];
  const isIn = now?.contains(document.activeElement);
  const next = !now || !isIn ? now ?? all[0] : all[all.indexOf(now) + (forward ? 1 : -1)];
  if (!next) return;
  if (!next.matches("[data-load]")) return goTo(next.querySelector("[data-folds]"), "start");
  const group = next.parentElement;
  load(next).then(() => goTo(group.querySelector("[data-folds]") ?? next, "start"));
};

const showFile = async (id) => {
  const position = Number(id.slice("file-".length));
  const group = [...body().querySelectorAll(".change-group")].findLast((element) => Number(element.dataset.first) <= position);
  const pending = group?.querySelector(":scope > [data-load]");
  if (pending) await load(pending);
  const file = document.getElementById(id);
  if (file) goTo(file.querySelector("[data-folds]"), "start");
  if (isNarrow()) body().querySelector(".change-tree").open = false;
};

// Another way of showing it: the part is loaded anew, the rest of the page and its address stay.
const show = async (search) => {
  const query = new URLSearchParams(search);
  for (const name of OF_ONE_ANSWER) query.delete(name);
  root().setAttribute("aria-busy", "true");
  try {
    const came = (await ask(`${root().dataset.address}?${query}`)).querySelector("#change");
    root().replaceWith(came);
    history.replaceState(history.state, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`);
    const kept = [query.get("diff"), query.get("space")].filter(Boolean).join("-");
    if (kept) document.cookie = `pendesk_diff=${kept}; path=/; max-age=${COOKIE_S}; samesite=lax`;
    start();
    announce([came]);
  } catch {
    root().removeAttribute("aria-busy");
    window.pendesk.showToast("The change could not be loaded. Try again.", { bad: true });
  }
};

const unfold = (button) => {
  const row = button.closest("tr");
  const lines = [...row.querySelector("template").content.children];
  row.replaceWith(...lines);
  goTo(lines[0]);
  announce([lines[0]]);
};

const STEPS = { n: () => stepChange(true), p: () => stepChange(false), f: () => stepFile(true), F: () => stepFile(false) };
const isPlain = (event) => !event.ctrlKey && !event.metaKey && !event.shiftKey;

document.addEventListener("click", (event) => {
  if (!root()) return;
  const on = (selector) => event.target.closest(selector);
  const link = on("[data-change-link], [data-file-link]");
  if (link && isPlain(event) && body()) {
    event.preventDefault();
    if (link.matches("[data-file-link]")) return showFile(link.hash.slice(1));
    if (!root().contains(link)) root().scrollIntoView({ block: "start" });
    return show(new URL(link.href).search);
  }
  if (on("[data-change-reload], [data-takes-new]")) return show(location.search);
  if (on("[data-step]")) return STEPS[on("[data-step]").dataset.step]();
  if (on("[data-viewed]")) return setViewed(on("[data-viewed]"));
  if (on("[data-folds]")) return fold(on(".change-file"), on("[data-folds]").getAttribute("aria-expanded") === "true");
  if (on("[data-unfolds]")) return unfold(on("[data-unfolds]"));
  if (on("[data-loads]")) load(on("[data-load]"));
});

// A file that is gone to by a script, for one of its lines, opens.
document.addEventListener("focusin", ({ target }) => target.matches?.(".change-file") && fold(target, false));

const isNarrow = () => matchMedia("(max-width: 900px)").matches;

const start = () => {
  if (!body()) return;
  if (isNarrow()) body().querySelector(".change-tree")?.removeAttribute("open");
  watch();
  tally();
};

document.addEventListener("pendesk:ready", start);
// What is shown stays; that there is a newer change is said beside it.
document.addEventListener("htmx:after:swap", () => {
  if (!body()) return;
  const newer = document.getElementById("change-newer");
  newer.hidden = body().dataset.change === root().dataset.newest;
  watch();
});
