// @ in a comment offers people and agents ([data-mentions] is the field). What is written in the end is their name as text.

const { make } = window.pendesk;
const OFFERED = 8;
const BEFORE_CARET = /(?:^|[\s(])@([^\n@]{0,60})$/;
let everybody = null;
let dismissed = -1; // where the @ stands whose list was closed

const isField = (target) => target?.matches?.("[data-mentions]");
const listOf = (field) => field.parentElement.querySelector(".mention-list");
const optionsOf = (field) => [...(listOf(field)?.children ?? [])];
const chosenOf = (field) => document.getElementById(field.getAttribute("aria-activedescendant"));

// By name; an agent or a person whose name another has too, by whose it is.
const load = async () => {
  const answer = await fetch("/api/v1/assignees").catch(() => null);
  const found = answer?.ok ? (await answer.json()).assignees : [];
  const isShared = ({ name }) => found.filter((other) => other.name.toLowerCase() === name.toLowerCase()).length > 1;
  return found.map((one) => ({ ...one, written: isShared(one) ? `${one.name} (${one.owner ?? one.kind})` : one.name }));
};

const close = (field) => {
  listOf(field)?.remove();
  field.removeAttribute("aria-activedescendant");
  field.removeAttribute("aria-controls");
};

const choose = (field, option) => {
  for (const other of optionsOf(field)) other.setAttribute("aria-selected", String(other === option));
  field.setAttribute("aria-activedescendant", option.id);
  option.scrollIntoView({ block: "nearest" });
};

const show = (field, offered) => {
  close(field);
  if (!offered.length) return;
  const options = offered.map(({ pid, written, kind, owner }) =>
    make("li", { class: "offered-option mention-option", role: "option", id: `mention-${pid}`, "aria-selected": "false", "data-written": written }, make("span", {}, written), make("span", { class: "quiet small" }, kind === "agent" ? (owner ? `agent of ${owner}` : "agent") : "person")),
  );
  field.after(make("ul", { class: "offered mention-list", role: "listbox", id: "mention-list", "aria-label": "People and agents" }, ...options));
  field.setAttribute("aria-controls", "mention-list");
  choose(field, options[0]);
  listOf(field).scrollIntoView({ block: "nearest" });
};

const begun = (field) => BEFORE_CARET.exec(field.value.slice(0, field.selectionStart));

const offer = async (field) => {
  const match = begun(field);
  if (!match || field.selectionStart !== field.selectionEnd) return close(field);
  if (dismissed === field.selectionStart - match[1].length) return;
  dismissed = -1;
  everybody ??= load();
  const known = await everybody;
  const now = begun(field);
  if (!now || document.activeElement !== field) return close(field);
  const typed = now[1].toLowerCase();
  const fits = ({ written }) => written.toLowerCase() !== typed.trimEnd() && (written.toLowerCase().startsWith(typed) || (typed && written.toLowerCase().includes(` ${typed}`)));
  show(field, known.filter(fits).slice(0, OFFERED));
};

const write = (field, option) => {
  const [, typed] = begun(field);
  field.setRangeText(`${option.dataset.written} `, field.selectionStart - typed.length, field.selectionStart, "end");
  close(field);
  field.dispatchEvent(new Event("input", { bubbles: true }));
};

const MOVES = { ArrowDown: 1, ArrowUp: -1 };

document.addEventListener(
  "keydown",
  (event) => {
    const field = event.target;
    if (!isField(field) || !listOf(field) || event.ctrlKey || event.metaKey) return;
    const options = optionsOf(field);
    const chosen = chosenOf(field);
    if (MOVES[event.key]) choose(field, options[(options.indexOf(chosen) + MOVES[event.key] + options.length) % options.length]);
    else if ((event.key === "Enter" || event.key === "Tab") && chosen) write(field, chosen);
    else if (event.key === "Escape") {
      dismissed = field.selectionStart - begun(field)[1].length;
      close(field);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);

document.addEventListener("input", ({ target }) => isField(target) && offer(target));
document.addEventListener("focusin", ({ target }) => isField(target) && (everybody = null));
document.addEventListener("focusout", ({ target }) => isField(target) && close(target));
document.addEventListener("mousedown", (event) => {
  const option = event.target.closest?.(".mention-option");
  if (!option) return;
  event.preventDefault();
  write(option.closest("label").querySelector("[data-mentions]"), option);
});

// This script is loaded when its first field gets the focus: by now something may be typed.
if (isField(document.activeElement)) offer(document.activeElement);
