// Ctrl+K: jump by ref or words, or run any command of the page.

const REF = /^[a-z][a-z0-9]{1,9}-[1-9][0-9]*$/i;
const ICONS = { action: "circle", spec: "file-text", document: "book-open", note: "notebook-pen" };
const ADDRESSES = { action: "/a/", spec: "/specs/", document: "/documents/", note: "/notes/" };
const WAIT_MS = 120;
const SHOWN = 30;
let options = [];
let chosen = 0;
let requestNumber = 0;
let waiting = 0;

const parts = () => ["palette", "palette-input", "palette-list", "palette-none"].map((id) => document.getElementById(id));

const fits = (text, words) => words.every((word) => text.toLowerCase().includes(word));

const commandOptions = (words) =>
  window.pendesk
    .commands()
    .filter((element) => element.dataset.opens !== "palette" && fits(element.dataset.command, words))
    .map((element) => ({ text: element.dataset.command, icon: "command", keys: element.dataset.key, run: () => window.pendesk.run(element) }));

const searchOptions = (results) =>
  results
    .filter((result) => ADDRESSES[result.kind])
    .map((result) => ({
      text: result.refCode ? `${result.refCode}  ${result.title}` : result.title,
      icon: ICONS[result.kind],
      kind: result.kind,
      run: () => go(`${ADDRESSES[result.kind]}${result.refCode ?? result.pid}`),
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
  item.addEventListener("click", () => runOption(option));
  item.addEventListener("pointermove", () => {
    if (chosen === index) return;
    chosen = index;
    for (const [at, element] of [...item.parentElement.children].entries()) element.setAttribute("aria-selected", String(at === index));
  });
  return item;
};

const runOption = (option) => {
  document.getElementById("palette").close();
  option?.run();
};

const search = async (text) => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const own = commandOptions(words);
  const jump = REF.test(text) ? [{ text: `Open ${text.toUpperCase()}`, icon: "arrow-right", run: () => go(`/a/${text.toUpperCase()}`) }] : [];
  options = [...jump, ...own];
  chosen = 0;
  show();
  if (text.length < 2 || jump.length) return;
  const number = ++requestNumber;
  const answer = await fetch(`/search.json?q=${encodeURIComponent(text)}`).catch(() => null);
  if (number !== requestNumber || !answer?.ok) return;
  const matches = searchOptions((await answer.json()).results);
  options = [...own, ...matches];
  show();
};

document.addEventListener("input", (event) => {
  if (event.target.id !== "palette-input") return;
  clearTimeout(waiting);
  waiting = setTimeout(() => search(event.target.value.trim()), WAIT_MS);
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
    runOption(options[chosen]);
  }
});

// The toggle comes a moment after the dialog: by then someone may have begun to type, so nothing is cleared here.
document.addEventListener("toggle", (event) => {
  if (event.target.id === "palette" && event.newState === "open") search(parts()[1].value.trim());
}, true);

document.addEventListener("close", (event) => {
  if (event.target.id === "palette" && !event.target.open) parts()[1].value = "";
}, true);
