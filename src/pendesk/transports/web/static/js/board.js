// Cards are dragged from column to column, columns are folded. The card goes at once; a refusal puts it back and says why.
// What may be moved where is the server's to decide: every move is tried, and its own words are shown.

const { selection } = window.pendesk;

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
window.pendesk.placeCard = (card, state) => card.matches(".card") && place(card, state);

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

// Dragging.
let dragged = [];

document.addEventListener("dragstart", (event) => {
  const card = event.target.closest?.(".card[draggable]");
  if (!card) return;
  dragged = selection.refs.has(card.dataset.ref) ? selection.targets() : [card];
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
  window.pendesk.changeState(cards, state, nameOf(state));
});

// Cards that arrive while one is being dragged would take it out of the hand.
document.addEventListener("live:load", (event) => dragged.length && event.target.id === "board" && event.preventDefault());

document.addEventListener("dragend", () => {
  dragged = [];
  reload();
  for (const element of document.querySelectorAll(".dragged, .drop, .no-drop")) element.classList.remove("dragged", "drop", "no-drop");
});
