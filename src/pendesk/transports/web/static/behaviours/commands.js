// A command is an element of the page: data-command says what it does, data-key how it is typed ("c", "g b").
// Keys, palette and help are all made from those elements, so a page only has to have them.

const SEQUENCE_MS = 1200;
let typed = "";
let typedAt = 0;

// A command of a row (data-row) is about the row that has the focus; without one, a field of the first row may be gone to.
const isMeant = (each, focused) => {
  const row = each.closest("[data-row]");
  return !row || (focused ? row === focused : each.matches("textarea, input:not([type=radio])"));
};

const commands = () => {
  const seen = new Set();
  const focused = document.activeElement?.closest("[data-row]");
  return [...document.querySelectorAll("[data-command]")].filter((each) => {
    if (each.closest("dialog:not([open])") || each.disabled || !isMeant(each, focused)) return false;
    const fresh = !seen.has(each.dataset.command);
    seen.add(each.dataset.command);
    return fresh;
  });
};

const run = (element) => {
  if (element.matches("input:not([type=radio], [type=checkbox]), textarea, select")) element.focus();
  else element.click();
  if (element.matches("summary")) element.focus(); // what it opens may be far down
};

const isTyping = (target) => target.closest?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");
const isModal = () => document.querySelector("dialog:modal");

const openPalette = () => {
  const dialog = document.getElementById("palette");
  if (!dialog || dialog.open) return;
  for (const open of document.querySelectorAll("dialog[open]")) open.close();
  dialog.showModal();
};

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    return openPalette();
  }
  if (event.key === "Escape" && !isModal()) return closeTopmost(event);
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (isTyping(event.target) || isModal() || event.key.length !== 1) return;
  const earlier = event.timeStamp - typedAt < SEQUENCE_MS ? typed : "";
  const keys = `${earlier} ${event.key}`.trim();
  const bound = commands().filter((each) => each.dataset.key);
  const found = bound.find((each) => each.dataset.key === keys) ?? bound.find((each) => each.dataset.key === event.key);
  typed = bound.some((each) => each.dataset.key.startsWith(`${keys} `)) ? keys : "";
  typedAt = event.timeStamp;
  if (!found) return;
  event.preventDefault();
  run(found);
});

// Esc: the topmost layer. Dialogs close themselves; then menus, typing, a term's line, the sidebar, the drawer, a selection.
const closeTopmost = (event) => {
  const menu = document.querySelector("details.menu[open]");
  if (menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
  } else if (isTyping(event.target)) {
    event.target.blur();
  } else if (!window.pendesk.hideTerm() && !window.pendesk.closeRail() && !window.pendesk.closeDrawer()) {
    document.dispatchEvent(new CustomEvent("unselect"));
  }
};

// Help is written when it is opened.
const keysOf = (text) => {
  const made = document.createElement("span");
  made.className = "keys";
  for (const each of text.split(" ")) {
    const kbd = document.createElement("kbd");
    kbd.textContent = each;
    made.append(kbd);
  }
  return made;
};

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-opens]")?.dataset.opens !== "help") return;
  document.getElementById("help-commands").replaceChildren(
    ...commands().filter((each) => each.dataset.key).map((each) => {
      const line = document.createElement("div");
      const name = document.createElement("dt");
      name.textContent = each.dataset.command;
      const keys = document.createElement("dd");
      keys.append(keysOf(each.dataset.key));
      line.append(name, keys);
      return line;
    }),
  );
});

Object.assign(window.pendesk, { commands, run, keysOf, isTyping, isModal });
