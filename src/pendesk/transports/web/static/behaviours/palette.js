// Ctrl+K: jump by ref or words, or run any command of the page.

const REF = /^[a-z][a-z0-9]{1,9}-[1-9][0-9]*$/i;
const ICONS = { action: "circle", spec: "file-text", document: "book-open", note: "notebook-pen" };
const ADDRESSES = { action: "/a/", spec: "/specs/", document: "/documents/", note: "/notes/" };
const WAIT_MS = 120;
const SHOWN = 30;
let options = [];
let chosen = 0;
let asked = 0;
let waiting = 0;

const parts = () => ["palette", "palette-input", "palette-list", "palette-none"].map((id) => document.getElementById(id));

const fits = (text, words) => words.every((word) => text.toLowerCase().includes(word));

const commandOptions = (words) =>
  window.pendesk
    .commands()
    .filter((each) => each.dataset.opens !== "palette" && fits(each.dataset.command, words))
    .map((each) => ({ text: each.dataset.command, icon: "command", keys: each.dataset.key, run: () => window.pendesk.run(each) }));

const foundOptions = (results) =>
  results
    .filter((each) => ADDRESSES[each.kind])
    .map((each) => ({
      text: each.refCode ? `${each.refCode}  ${each.title}` : each.title,
      icon: ICONS[each.kind],
      kind: each.kind,
      run: () => go(`${ADDRESSES[each.kind]}${each.refCode ?? each.pid}`),
    }));

const go = (address) => {
  if (address.startsWith("/a/") && window.pendesk.openDrawer(address)) return;
  location.assign(address);
};

const show = () => {
  const [, input, list, none] = parts();
  chosen = Math.min(chosen, Math.max(0, options.length - 1));
  list.replaceChildren(...options.slice(0, SHOWN).map(optionElement));
  none.hidden = options.length > 0;
  input.setAttribute("aria-activedescendant", options.length ? `option-${chosen}` : "");
  document.getElementById(`option-${chosen}`)?.scrollIntoView({ block: "nearest" });
};

const optionElement = (option, index) => {
  const item = document.createElement("li");
  item.id = `option-${index}`;
  item.className = "option";
  item.setAttribute("role", "option");
  item.setAttribute("aria-selected", String(index === chosen));
  const text = document.createElement("span");
  text.className = "option-text";
  text.textContent = option.text;
  item.append(window.pendesk.icon(option.icon), text);
  if (option.keys) item.append(window.pendesk.keysOf(option.keys));
  if (option.kind) {
    const kind = document.createElement("span");
    kind.className = "option-kind quiet small";
    kind.textContent = option.kind;
    item.append(kind);
  }
  item.addEventListener("click", () => take(option));
  item.addEventListener("pointermove", () => {
    if (chosen === index) return;
    chosen = index;
    for (const [at, each] of [...item.parentElement.children].entries()) each.setAttribute("aria-selected", String(at === index));
  });
  return item;
};

const take = (option) => {
  document.getElementById("palette").close();
  option?.run();
};

const look = async (text) => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const own = commandOptions(words);
  const jump = REF.test(text) ? [{ text: `Open ${text.toUpperCase()}`, icon: "arrow-right", run: () => go(`/a/${text.toUpperCase()}`) }] : [];
  options = [...jump, ...own];
  chosen = 0;
  show();
  if (text.length < 2 || jump.length) return;
  const number = ++asked;
  const answer = await fetch(`/search.json?q=${encodeURIComponent(text)}`).catch(() => null);
  if (number !== asked || !answer?.ok) return;
  const found = foundOptions((await answer.json()).results);
  options = [...own, ...found];
  show();
};

document.addEventListener("input", (event) => {
  if (event.target.id !== "palette-input") return;
  clearTimeout(waiting);
  waiting = setTimeout(() => look(event.target.value.trim()), WAIT_MS);
});

document.addEventListener("keydown", (event) => {
  if (event.target.id !== "palette-input") return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && options.length) {
    event.preventDefault();
    chosen = (chosen + step + Math.min(options.length, SHOWN)) % Math.min(options.length, SHOWN);
    show();
  } else if (event.key === "Enter") {
    event.preventDefault();
    take(options[chosen]);
  }
});

// The toggle comes a moment after the dialog: by then someone may have begun to type, so nothing is cleared here.
document.addEventListener("toggle", (event) => {
  if (event.target.id === "palette" && event.newState === "open") look(parts()[1].value.trim());
}, true);

document.addEventListener("close", (event) => {
  if (event.target.id === "palette" && !event.target.open) parts()[1].value = "";
}, true);
