// Actions are selected on the board and in the list: by their boxes, with x, up to one with Shift and a click. What is done next
// is done with those that are selected; without any, with the focused one, else with the one that is open beside the page.

const ITEMS = ".card[data-ref], .card-row[data-ref]";
const chosen = new Set(); // refs
let lastChosen = "";
let lastFocused = "";

const itemOf = (ref) => document.getElementById(`card-${ref}`) ?? document.getElementById(`row-${ref}`);
const openAction = () => document.querySelector("#drawer:not([hidden]) [data-ref]");
const elementOf = (ref) => itemOf(ref) ?? (openAction()?.dataset.ref === ref ? openAction() : null);
const focusedItem = () => document.activeElement?.closest(ITEMS);

// The elements of the actions, which have their fields as data.
const targets = () => {
  if (chosen.size) return [...chosen].map(elementOf).filter(Boolean);
  const target = focusedItem() ?? openAction() ?? itemOf(lastFocused);
  return target ? [target] : [];
};

const describe = (count, ref) => (count === 1 ? ref : `${count} actions`);

// data-acts: a command that is about the targets; "Move {}" names them.
const nameCommands = () => {
  const elements = targets();
  for (const command of document.querySelectorAll("[data-acts]")) {
    command.disabled = !elements.length || (elements.length > 1 && "single" in command.dataset);
    command.dataset.command = command.dataset.acts.replace("{}", describe(elements.length, elements[0]?.dataset.ref));
  }
};

const show = () => {
  for (const item of document.querySelectorAll(ITEMS)) {
    const on = chosen.has(item.dataset.ref);
    item.classList.toggle("chosen", on);
    const box = item.querySelector(".card-choose");
    if (box) box.checked = on;
  }
  const all = document.getElementById("choose-all");
  if (all) all.checked = chosen.size > 0 && chosen.size === document.querySelectorAll(ITEMS).length;
  const bar = document.getElementById("chosen");
  if (!bar) return;
  bar.hidden = !chosen.size;
  bar.querySelector("[data-chosen-count]").textContent = `${chosen.size} selected`;
};

const choose = (refs) => {
  chosen.clear();
  for (const ref of refs) chosen.add(ref);
  show();
};

const toggle = (ref) => {
  if (!chosen.delete(ref)) chosen.add(ref);
  lastChosen = ref;
  show();
};

// From the one that was chosen last to this one, as they stand on the page.
const chooseUpTo = (ref) => {
  const refs = [...document.querySelectorAll(ITEMS)].map((item) => item.dataset.ref);
  const ends = [refs.indexOf(lastChosen), refs.indexOf(ref)].sort((one, other) => one - other);
  if (ends[0] < 0) return toggle(ref);
  for (const between of refs.slice(ends[0], ends[1] + 1)) chosen.add(between);
  show();
};

document.addEventListener("htmx:after:swap", () => {
  for (const ref of chosen) if (!itemOf(ref)) chosen.delete(ref);
  show();
});
document.addEventListener("unselect", () => choose([]));
document.addEventListener("focusin", ({ target }) => (lastFocused = target.closest(ITEMS)?.dataset.ref ?? lastFocused));
document.addEventListener("pendesk:commands", nameCommands);

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-unselects]")) choose([]);
  if (event.target.id === "choose-all") choose(event.target.checked ? [...document.querySelectorAll(ITEMS)].map((item) => item.dataset.ref) : []);
  if (!event.target.matches(".card-choose")) return;
  const { ref } = event.target.closest(ITEMS).dataset;
  if (event.shiftKey) chooseUpTo(ref);
  else toggle(ref);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || window.pendesk.isTyping(event.target) || window.pendesk.isModal()) return;
  if (event.key === "x" && focusedItem()?.querySelector(".card-choose")) toggle(focusedItem().dataset.ref);
});

window.pendesk.selection = { refs: chosen, targets, elementOf, choose, describe, openAction };
