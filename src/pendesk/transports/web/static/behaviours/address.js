// The drawer has an address of its own, Back closes it, and filters live in the address too.

const NARROW_MS = 180;
const wanted = new Map(); // by id of a part: the address that it is to show now
let opener = null; // the address of what opened the drawer, for the focus to go back to
let title = "";
let narrowing = 0;

const drawer = () => document.getElementById("drawer");
const under = () => document.body.dataset.under;
const here = () => location.pathname + location.search;

// A request that waited for another one asks for what is wanted by then, not for what was wanted before.
document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  const address = wanted.get(ctx.sourceElement.id);
  if (address) ctx.request.action = address;
});

const load = async (address, focus) => {
  wanted.set("drawer", address);
  await window.htmx.ajax("GET", address, { target: "#drawer", swap: "innerHTML" });
  drawer().hidden = !drawer().querySelector("article");
  if (!drawer().hidden && focus) drawer().querySelector("h2")?.focus();
};

const openDrawer = (address, focus = true) => {
  if (!drawer() || !document.querySelector("[data-under]")) return false;
  if (drawer().hidden) {
    opener = address;
    title = document.title;
  }
  if (here() !== address) history.pushState({ drawer: true }, "", address);
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
    history.pushState(null, "", under());
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
  if (here() === event.target.getAttribute("href")) closeDrawer();
  else openDrawer(event.target.getAttribute("href"), false);
});

addEventListener("popstate", () => {
  if (!drawer()) return;
  const wasOpen = !drawer().hidden && location.pathname === under().split("?")[0];
  if (wasOpen) history.replaceState(null, "", under()); // more may be shown under it than when it was opened
  if (here() === under()) hide();
  else if (location.pathname.startsWith("/a/")) load(here(), true);
  else location.reload();
});

// A part of the page becomes what it is at that address, and stays live there.
const become = (part, address) => {
  document.body.dataset.under = address;
  wanted.set(part.slice(1), address);
  return window.htmx.ajax("GET", address, { target: part, select: part, swap: "outerMorph" });
};

const showMore = (part, address) => {
  if (here() === under()) history.replaceState(history.state, "", address);
  return become(part, address);
};

const narrow = (form, push) => {
  const told = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  const address = told.size ? `${form.getAttribute("action")}?${told}` : form.getAttribute("action");
  if (address === here()) return;
  if (push) history.pushState(null, "", address);
  else history.replaceState(history.state, "", address);
  become(form.dataset.narrows, address);
};

Object.assign(window.pendesk, { openDrawer, closeDrawer, showMore });

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-narrows]");
  if (!form) return;
  clearTimeout(narrowing);
  const typing = event.target.matches("input");
  narrowing = setTimeout(() => narrow(form, !typing), typing ? NARROW_MS : 0);
});

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-narrows]")) return;
  event.preventDefault();
  narrow(event.target, true);
});
