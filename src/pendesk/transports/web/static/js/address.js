// The drawer has an address of its own, Back closes it, and filters live in the address too.

const FILTER_MS = 180;
const requested = new Map(); // by id of a part: the address that it is to show now
let opener = null; // the address of what opened the drawer, for the focus to go back to
let title = "";
let filterTimer = 0;

const drawer = () => document.getElementById("drawer");
const pageUrl = () => document.body.dataset.pageUrl;
const currentUrl = () => location.pathname + location.search;

// A request that waited for another one asks for the address that is requested by then, not for an earlier one.
document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  const address = requested.get(ctx.sourceElement.id);
  if (address) ctx.request.action = address;
});

const load = async (address, focus) => {
  requested.set("drawer", address);
  await window.htmx.ajax("GET", address, { target: "#drawer", swap: "innerHTML" });
  drawer().hidden = !drawer().querySelector("article");
  loadScript();
  if (!drawer().hidden && focus) drawer().querySelector("h2")?.focus();
};

// What it needs of a script that its page has not loaded: data-needs names it, data-script is where it is.
const loadScript = () => {
  const { needs, script } = drawer().querySelector("[data-script]")?.dataset ?? {};
  if (!needs || needs in window.pendesk || document.querySelector(`script[src="${script}"]`)) return;
  document.head.append(window.pendesk.make("script", { src: script }));
};

const openDrawer = (address, focus = true) => {
  if (!drawer() || !document.querySelector("[data-page-url]")) return false;
  if (drawer().hidden) {
    opener = address;
    title = document.title;
  }
  if (currentUrl() !== address) history.pushState({ drawer: true }, "", address);
  load(address, focus);
  return true;
};

const hide = () => {
  drawer().hidden = true;
  drawer().replaceChildren();
  if (title) document.title = title;
  const back = document.querySelector(`[data-item][href="${opener}"]`);
  (back ?? document.getElementById("main")).focus({ preventScroll: true });
};

const closeDrawer = () => {
  if (!drawer() || drawer().hidden) return false;
  if (history.state?.drawer) {
    history.back();
  } else {
    opener = location.pathname;
    history.pushState(null, "", pageUrl());
    title = document.body.dataset.title ?? "";
    hide();
  }
  return true;
};

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-closes-drawer]")) return closeDrawer();
  const link = event.target.closest("a[data-drawer]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (openDrawer(link.getAttribute("href"))) event.preventDefault();
});

// Space peeks: the drawer opens, the focus stays in the list.
document.addEventListener("keydown", (event) => {
  if (event.key !== " " || !event.target.matches?.("a[data-drawer]")) return;
  event.preventDefault();
  if (currentUrl() === event.target.getAttribute("href")) closeDrawer();
  else openDrawer(event.target.getAttribute("href"), false);
});

addEventListener("popstate", () => {
  if (!drawer()) return;
  const wasOpen = !drawer().hidden && location.pathname === pageUrl().split("?")[0];
  if (wasOpen) history.replaceState(null, "", pageUrl()); // more may be shown under it than when it was opened
  if (currentUrl() === pageUrl()) hide();
  else if (location.pathname.startsWith("/a/")) load(currentUrl(), true);
  else location.reload();
});

// A part of the page becomes what it is at that address, and stays live there.
const loadPart = (part, address) => {
  document.body.dataset.pageUrl = address;
  requested.set(part.slice(1), address);
  return window.htmx.ajax("GET", address, { target: part, select: part, swap: "outerMorph" });
};

const showMore = (part, address) => {
  if (currentUrl() === pageUrl()) history.replaceState(history.state, "", address);
  return loadPart(part, address);
};

// Most filters only change the part; data-opens-page: the page has another head as well.
const applyFilter = (form, push, opensPage = false) => {
  const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  const address = query.size ? `${form.getAttribute("action")}?${query}` : form.getAttribute("action");
  if (address === currentUrl()) return;
  if (opensPage) return location.assign(address);
  if (push) history.pushState(null, "", address);
  else history.replaceState(history.state, "", address);
  loadPart(form.dataset.filters, address);
};

// Where a live part is loaded from.
const addressOf = (part) => requested.get(part.id) ?? part.dataset.url;

Object.assign(window.pendesk, { openDrawer, closeDrawer, showMore, addressOf });

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-filters]");
  if (!form) return;
  clearTimeout(filterTimer);
  const typing = event.target.matches("input");
  filterTimer = setTimeout(() => applyFilter(form, !typing, "opensPage" in event.target.dataset), typing ? FILTER_MS : 0);
});

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-filters]")) return;
  event.preventDefault();
  applyFilter(event.target, true);
});
