// Ctrl+K: jump by ref or words, or run any command of the page. What holds the words comes from the search page, whose
// rows become options, and so do its filters.

const REF = /^[a-z][a-z0-9]{1,9}-([sdn]?)[1-9][0-9]*$/i;
const PAGES = { "": "/a/", S: "/specs/", D: "/documents/", N: "/notes/" }; // by the letter of the ref
const WAIT_MS = 120;
const SHOWN = 30;
let options = [];
let chosen = 0;
let requestNumber = 0;
let waiting = 0;

const parts = () => ["palette", "palette-input", "palette-list", "palette-none"].map((id) => document.getElementById(id));

const fits = (text, words) => words.every((word) => text.toLowerCase().includes(word));

// What is about the selection comes first, then what is about the open action.
const rank = (element) => (element.dataset.acts ? 0 : element.closest("#drawer") ? 1 : 2);

const commandOptions = (words) =>
  window.pendesk
    .commands()
    .sort((one, other) => rank(one) - rank(other))
    .filter((element) => element.dataset.opens !== "palette" && fits(element.dataset.command, words))
    .map((element) => ({ text: element.dataset.command, icon: "command", keys: element.dataset.key, run: () => window.pendesk.run(element) }));

const searchPage = async (query) => {
  const answer = await fetch(`/search?${query}`, { headers: { "HX-Request": "true" } }).catch(() => null);
  return answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
};

const searchOptions = (page, query) => {
  const rows = [...page.querySelectorAll("#found .result")];
  const all = { text: "Open these results on a page", icon: "search", run: () => location.assign(`/search?${query}`) };
  return [...rows.map((row) => ({ row, run: () => go(row.querySelector("a").getAttribute("href")) })), ...(rows.length ? [all] : [])];
};

const filters = () => document.getElementById("palette-filters");

const loadFilters = async () => {
  if (filters().firstElementChild) return;
  const group = (await searchPage(""))?.querySelector(".search-filters");
  group?.querySelector("noscript")?.remove();
  if (group && !filters().firstElementChild) filters().append(group);
};

const chosenFilters = () => [...filters().querySelectorAll("select")].filter(({ value }) => value).map(({ name, value }) => [name, value]);

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

const commandParts = (option) => {
  const text = document.createElement("span");
  text.className = "option-text";
  text.textContent = option.text;
  return [window.pendesk.icon(option.icon), text, ...(option.keys ? [window.pendesk.keysOf(option.keys)] : [])];
};

// An option holds no link: it is one.
const resultParts = (row) => {
  const copy = document.importNode(row, true);
  const link = copy.querySelector("a");
  const title = document.createElement("span");
  title.append(...link.childNodes);
  link.replaceWith(title);
  return [...copy.children];
};

const optionElement = (option, index) => {
  const item = document.createElement("li");
  item.id = `option-${index}`;
  item.className = "option";
  item.setAttribute("role", "option");
  item.setAttribute("aria-selected", String(index === chosen));
  item.append(...(option.row ? resultParts(option.row) : commandParts(option)));
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
  const selected = chosenFilters();
  const own = selected.length ? [] : commandOptions(words);
  const ref = text.toUpperCase().match(REF);
  const jump = ref ? [{ text: `Open ${ref[0]}`, icon: "arrow-right", run: () => go(PAGES[ref[1]] + ref[0]) }] : [];
  const number = ++requestNumber;
  options = [...jump, ...own];
  chosen = 0;
  show();
  if (text.length < 2 || jump.length) return;
  const query = new URLSearchParams([["q", text], ...selected]);
  const page = await searchPage(query);
  if (number !== requestNumber || !page) return;
  options = [...own, ...searchOptions(page, query)];
  show();
};

const searchAgain = () => search(parts()[1].value.trim());

document.addEventListener("input", (event) => {
  if (event.target.id !== "palette-input") return;
  clearTimeout(waiting);
  waiting = setTimeout(searchAgain, WAIT_MS);
});

document.addEventListener("change", (event) => {
  if (event.target.closest("#palette-filters")) searchAgain();
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
  if (event.target.id !== "palette" || event.newState !== "open") return;
  loadFilters();
  searchAgain();
}, true);

document.addEventListener("close", (event) => {
  if (event.target.id === "palette" && !event.target.open) parts()[1].value = "";
}, true);
