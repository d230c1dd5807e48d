// A command is an element of the page: data-command says what it does, data-key how it is typed ("c", "g b").
// Keys, palette and help are built from those elements, so a page only has to contain them.

const SEQUENCE_MS = 1200;
let typed = "";
let typedAt = 0;

// A command of a row (data-row) is about the row that has the focus; without one, a field of the first row may be gone to.
const applies = (element, focused) => {
  const row = element.closest("[data-row]");
  return !row || (focused ? row === focused : element.matches("textarea, input:not([type=radio])"));
};

const commands = () => {
  document.dispatchEvent(new CustomEvent("pendesk:commands")); // those that are about something name it now
  const seen = new Set();
  const focused = document.activeElement?.closest("[data-row]");
  return [...document.querySelectorAll("[data-command]")].filter((element) => {
    if (element.closest("dialog:not([open])") || element.disabled || !applies(element, focused)) return false;
    const isFirst = !seen.has(element.dataset.command);
    seen.add(element.dataset.command);
    return isFirst;
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
  const bound = commands().filter((element) => element.dataset.key);
  const command = bound.find((element) => element.dataset.key === keys) ?? bound.find((element) => element.dataset.key === event.key);
  typed = bound.some((element) => element.dataset.key.startsWith(`${keys} `)) ? keys : "";
  typedAt = event.timeStamp;
  if (!command) return;
  event.preventDefault();
  run(command);
});

// Esc: the topmost layer. Dialogs close themselves; then menus, typing, a term's line, the sidebar, the drawer, a selection.
const closeTopmost = (event) => {
  const menu = document.querySelector("details.menu[open]");
  if (menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
  } else if (isTyping(event.target)) {
    event.target.blur();
  } else if (!window.pendesk.hideTerm() && !window.pendesk.closeSidebar() && !window.pendesk.closeDrawer()) {
    document.dispatchEvent(new CustomEvent("unselect"));
  }
};

// Help is written when it is opened.
const keysOf = (text) => {
  const keys = document.createElement("span");
  keys.className = "keys";
  for (const key of text.split(" ")) {
    const kbd = document.createElement("kbd");
    kbd.textContent = key;
    keys.append(kbd);
  }
  return keys;
};

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-opens]")?.dataset.opens !== "help") return;
  document.getElementById("help-commands").replaceChildren(
    ...commands().filter((element) => element.dataset.key).map((element) => {
      const line = document.createElement("div");
      const name = document.createElement("dt");
      name.textContent = element.dataset.command;
      const keys = document.createElement("dd");
      keys.append(keysOf(element.dataset.key));
      line.append(name, keys);
      return line;
    }),
  );
});

Object.assign(window.pendesk, { commands, run, keysOf, isTyping, isModal });
