// Cards are moved by dragging, by `m`, or many at once. The card goes at once; a refusal puts it back and says why.
// What may be moved where is the server's to decide: every move is tried, and its own words are shown.

const chosen = new Set(); // refs
let moving = []; // the cards that the open dialog is about

const cardOf = (ref) => document.getElementById(`card-${ref}`);
const nameOf = (state) => document.getElementById(`column-${state}-name`)?.textContent ?? state;
// The list of that state, where cards are grouped in the card's own lane.
const listOf = (card, state) => {
  const lane = card.closest("[data-lane]")?.dataset.lane;
  const lanes = [...document.querySelectorAll(`#column-${state} [data-lane]`)];
  return (lanes.find((element) => element.dataset.lane === lane) ?? document.getElementById(`column-${state}`))?.querySelector(".cards");
};

const place = (card, state) => {
  const list = listOf(card, state);
  if (list) list.prepend(card);
  card.dataset.state = state;
};

const reload = () => document.body.dispatchEvent(new CustomEvent("live:reload"));

// Columns are folded to a strip and back; the server has the choice from a cookie, and sends no cards for a strip.
const FOLDS = "pendesk_columns";

const foldChoices = () => {
  const cookie = document.cookie.split("; ").find((pair) => pair.startsWith(`${FOLDS}=`)) ?? "";
  return new Map(cookie.slice(FOLDS.length + 1).split("|").filter(Boolean).map((pair) => pair.split(":")));
};

const fold = (button) => {
  const column = button.closest("[data-column]");
  const isOpen = button.getAttribute("aria-expanded") === "true";
  const choices = foldChoices().set(column.dataset.column, isOpen ? "folded" : "open");
  const text = [...choices].map((pair) => pair.join(":")).join("|");
  document.cookie = `${FOLDS}=${text}; path=/; max-age=${365 * 24 * 3600}; samesite=lax`;
  column.setAttribute("aria-busy", "true");
  reload();
};

// The board opens where the work is.
const openAtWork = () => {
  const columns = ["in_progress", "in_review", "changes_requested", "todo"].map((state) => document.getElementById(`column-${state}`));
  columns.find((column) => column && !column.classList.contains("folded"))?.scrollIntoView({ block: "nearest", inline: "nearest" });
};
openAtWork();

document.addEventListener("click", (event) => {
  const folds = event.target.closest("[data-folds-column]");
  if (folds) fold(folds);
});

// Resolves to the words of the first refusal, or null.
const moveAll = async (cards, state, fields = {}) => {
  const before = cards.map((card) => [card.dataset.ref, card.dataset.state]);
  const refused = [];
  const moved = [];
  for (const card of cards) place(card, state);
  for (const [ref, from] of before) {
    const words = await window.pendesk.post("update_action", { action_id: ref, state, ...fields });
    if (words) refused.push([ref, from, words]);
    else moved.push([ref, from]);
  }
  for (const [ref, from] of refused) if (cardOf(ref)) place(cardOf(ref), from);
  report(moved, refused, state);
  choose([]);
  reload();
};

const report = (moved, refused, state) => {
  const undo = async () => {
    const words = await Promise.all(moved.map(([ref, from]) => window.pendesk.post("update_action", { action_id: ref, state: from })));
    const refusal = words.find(Boolean);
    window.pendesk.showToast(refusal ?? "Move undone.", { bad: Boolean(refusal) });
    reload();
  };
  const what = moved.length === 1 ? moved[0][0] : `${moved.length} actions`;
  if (moved.length) window.pendesk.showToast(`${what} moved to ${nameOf(state)}.`, { undo });
  if (refused.length) {
    const [ref, , words] = refused[0];
    window.pendesk.showToast(`${ref} was not moved. ${words}${refused.length > 1 ? ` (and ${refused.length - 1} more)` : ""}`, { bad: true });
  }
};

const openMoveDialog = (cards) => {
  moving = cards.filter(Boolean);
  const dialog = document.getElementById("move");
  if (!moving.length || !dialog) return;
  const what = moving.length === 1 ? moving[0].dataset.ref : `${moving.length} actions`;
  document.getElementById("move-title").textContent = `Move ${what} to`;
  for (const element of dialog.querySelectorAll("[data-move-to]")) {
    element.hidden = moving.every((card) => card.dataset.state === element.dataset.moveTo);
  }
  dialog.showModal();
  dialog.querySelector("[data-move-to]:not([hidden])").focus();
};

// Where a reason is needed it is asked for; everything else goes at once.
const moveTo = async (state, cards = moving) => {
  document.getElementById("move").close();
  const fields = state === "wont_do" ? await window.pendesk.askDrop(cards.map((card) => card.dataset.ref)) : {};
  if (fields) await moveAll(cards, state, fields);
};

// Resolves once each was tried; the server decides, and its words are shown.
const moveToSpec = async (spec) => {
  const dialog = document.getElementById("move-to-spec");
  const name = dialog.querySelector(`[data-move-to-spec="${spec}"] span`).textContent;
  dialog.close();
  const refused = [];
  const refs = moving.map((card) => card.dataset.ref);
  for (const ref of refs) {
    const words = await window.pendesk.post("move_action", { action_id: ref, spec_id: spec });
    if (words) refused.push([ref, words]);
  }
  const moved = refs.length - refused.length;
  const what = refs.length === 1 ? refs[0] : `${moved} ${moved === 1 ? "action" : "actions"}`;
  if (moved) window.pendesk.showToast(spec ? `${what} moved to ${name}.` : `${what} moved out of ${moved === 1 ? "its spec" : "their specs"}.`);
  if (refused.length) {
    const [ref, words] = refused[0];
    window.pendesk.showToast(`${ref} was not moved. ${words}${refused.length > 1 ? ` (and ${refused.length - 1} more)` : ""}`, { bad: true });
  }
  choose([]);
  reload();
};

const openSpecDialog = (cards) => {
  moving = cards.filter(Boolean);
  const dialog = document.getElementById("move-to-spec");
  if (!moving.length || !dialog) return;
  document.getElementById("move-to-spec-title").textContent = `Move ${moving.length === 1 ? moving[0].dataset.ref : `${moving.length} actions`} to spec`;
  dialog.showModal();
  dialog.querySelector("[data-move-to-spec]").focus();
};

const focused = () => document.activeElement?.closest?.(".card");

const choose = (refs) => {
  chosen.clear();
  for (const ref of refs) chosen.add(ref);
  show();
};

const show = () => {
  for (const card of document.querySelectorAll(".card")) {
    const on = chosen.has(card.dataset.ref);
    card.classList.toggle("chosen", on);
    const box = card.querySelector(".card-choose");
    if (box) box.checked = on;
  }
  const bar = document.getElementById("chosen");
  if (!bar) return;
  bar.hidden = !chosen.size;
  bar.querySelector("[data-chosen-count]").textContent = `${chosen.size} selected`;
};

const toggle = (ref) => {
  if (!chosen.delete(ref)) chosen.add(ref);
  show();
};

document.addEventListener("htmx:after:swap", () => {
  for (const ref of chosen) if (!cardOf(ref)) chosen.delete(ref);
  show();
});
document.addEventListener("unselect", () => choose([]));
document.addEventListener("change", (event) => event.target.matches(".card-choose") && toggle(event.target.closest(".card").dataset.ref));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || window.pendesk.isTyping(event.target)) return;
  const dialog = document.getElementById("move");
  if (dialog?.open) {
    const numbered = dialog.querySelector(`[data-number="${event.key}"]:not([hidden])`);
    if (numbered) moveTo(numbered.dataset.moveTo);
    return;
  }
  if (window.pendesk.isModal()) return;
  if (event.key === "x" && focused()?.querySelector(".card-choose")) toggle(focused().dataset.ref);
});

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-move-to]");
  if (target) moveTo(target.dataset.moveTo);
  if (event.target.closest("[data-moves-cards]")) openMoveDialog(chosen.size ? [...chosen].map(cardOf) : [focused() ?? lastFocused]);
  const spec = event.target.closest("[data-move-to-spec]");
  if (spec) moveToSpec(spec.dataset.moveToSpec);
  if (event.target.closest("[data-moves-cards-to-spec]")) openSpecDialog(chosen.size ? [...chosen].map(cardOf) : [focused() ?? lastFocused]);
  if (event.target.closest("[data-unselects]")) choose([]);
});

// A click on a command takes the focus off the card that it is about.
let lastFocused = null;
document.addEventListener("focusin", (event) => (lastFocused = event.target.closest(".card") ?? lastFocused));

// Dragging.
let dragged = [];

document.addEventListener("dragstart", (event) => {
  const card = event.target.closest?.(".card[draggable]");
  if (!card) return;
  dragged = chosen.has(card.dataset.ref) ? [...chosen].map(cardOf).filter(Boolean) : [card];
  event.dataTransfer.setData("text/plain", dragged.map((element) => element.dataset.ref).join(" "));
  event.dataTransfer.effectAllowed = "move";
  const allowed = (card.dataset.movesTo ?? card.closest("[data-column]").dataset.movesTo).split(" ");
  requestAnimationFrame(() => {
    for (const element of dragged) element.classList.add("dragged");
    for (const column of document.querySelectorAll("[data-column]")) {
      column.classList.toggle("no-drop", !allowed.includes(column.dataset.column) && column.dataset.column !== card.dataset.state);
    }
  });
});

document.addEventListener("dragover", (event) => {
  const column = dragged.length ? event.target.closest?.("[data-column]") : null;
  for (const element of document.querySelectorAll("[data-column].drop")) if (element !== column) element.classList.remove("drop");
  if (!column) return;
  event.preventDefault();
  column.classList.add("drop");
});

document.addEventListener("drop", (event) => {
  const state = event.target.closest?.("[data-column]")?.dataset.column;
  const cards = dragged.filter((card) => card.dataset.state !== state);
  if (!state || !cards.length) return;
  event.preventDefault();
  moving = cards;
  moveTo(state, cards);
});

// Cards that arrive while one is being dragged would take it out of the hand.
document.addEventListener("live:load", (event) => dragged.length && event.target.id === "board" && event.preventDefault());

document.addEventListener("dragend", () => {
  dragged = [];
  reload();
  for (const element of document.querySelectorAll(".dragged, .drop, .no-drop")) element.classList.remove("dragged", "drop", "no-drop");
});
