// Lines, criteria and actions are put in order by dragging their mark, or with Alt and the arrows.

const { send, changed, showToast } = window.pendesk;
const MARKS = ".grip, .bullet, .criterion-mark";
let held = null; // the item whose mark the pointer has hold of, before it is dragged
let dragged = null;

const itemsOf = (list) => [...list.children].filter((element) => element.dataset.id !== undefined);
const idsOf = (list) => itemsOf(list).map((element) => element.dataset.id);

const REQUESTS = {
  actions: (list, ids) => ["order_actions", [["plan_id", list.dataset.plan], ...ids.map((id) => ["action_ids", id])]],
  criteria: (list, ids) => [
    "order_criteria",
    [["action_id", list.dataset.action], ["expected_revision", list.dataset.revision], ...ids.map((id) => ["criterion_ids", id])],
  ],
  lines: (list, ids) => {
    const lines = JSON.parse(list.dataset.lines);
    const pairs = ids.map((id) => [list.dataset.list, lines[Number(id)]]);
    return ["update_spec", [["spec_id", list.dataset.spec], ["expected_revision", list.dataset.revision], ...pairs]];
  },
};

const save = async (list, before) => {
  const ids = idsOf(list);
  if (ids.join() === before.join()) return;
  const { data, error } = await send(...REQUESTS[list.dataset.orders](list, ids));
  if (error) {
    const byId = new Map(itemsOf(list).map((element) => [element.dataset.id, element]));
    list.append(...before.map((id) => byId.get(id)));
    showToast(error.message, { bad: true });
  }
  changed(data);
};

document.addEventListener("pointerdown", (event) => {
  held = event.target.closest(MARKS) && event.target.closest("[data-orders] > [data-id]");
  if (held) held.draggable = true;
});
// What arrives while one is held would take it out of the hand: it is loaded when that is over.
let missed = false;
document.addEventListener("live:load", (event) => {
  if (!held && !dragged) return;
  event.preventDefault();
  missed = true;
});
const release = () => {
  held = null;
  if (missed && !dragged) document.body.dispatchEvent(new CustomEvent("live:reload"));
  missed = missed && dragged;
};
document.addEventListener("pointerup", release);
// Dragging begins with the end of the pointer's own events.
document.addEventListener("pointercancel", () => setTimeout(release));

document.addEventListener("dragstart", (event) => {
  const item = event.target.closest?.("[data-orders] > [data-id]");
  if (!item?.draggable) return;
  dragged = { item, list: item.parentElement, before: idsOf(item.parentElement) };
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", item.textContent.trim().slice(0, 200));
  item.classList.add("dragged");
});

document.addEventListener("dragover", (event) => {
  if (!dragged) return;
  const over = event.target.closest?.("[data-orders] > [data-id]");
  const item = itemsOf(dragged.list).find((element) => element === over || element.contains(over));
  if (!item) return;
  event.preventDefault();
  const { top, height } = item.getBoundingClientRect();
  if (item !== dragged.item) item[event.clientY < top + height / 2 ? "before" : "after"](dragged.item);
});

document.addEventListener("dragend", () => {
  if (!dragged) return;
  const { item, list, before } = dragged;
  dragged = null;
  item.draggable = false;
  item.classList.remove("dragged");
  save(list, before);
  release();
});

// One place up (-1) or down (1).
const moveItem = (item, step) => {
  const list = item.parentElement;
  const before = idsOf(list);
  const neighbour = step < 0 ? item.previousElementSibling : item.nextElementSibling;
  if (!neighbour) return;
  const focused = document.activeElement;
  neighbour[step < 0 ? "before" : "after"](item);
  focused?.focus();
  save(list, before);
};

Object.assign(window.pendesk, { moveItem });

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-moves-item]");
  if (!button) return;
  button.closest("details.menu")?.removeAttribute("open");
  moveItem(button.closest("[data-orders] > [data-id]"), Number(button.dataset.movesItem));
});

document.addEventListener("keydown", (event) => {
  if (!event.altKey || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
  const item = event.target.closest?.("[data-orders] > [data-id]");
  if (!item || window.pendesk.isTyping(event.target)) return;
  event.preventDefault();
  moveItem(item, event.key === "ArrowUp" ? -1 : 1);
});
