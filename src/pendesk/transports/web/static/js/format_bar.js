// Formatting of Markdown in text areas that say so (data-markdown): a bar of buttons above them, and their shortcuts.
// data-markdown="keys" has the shortcuts alone.

const { make } = window.pendesk;

// Insert as if it were typed, so that the browser's own undo takes it back.
const replace = (area, start, end, text) => {
  area.focus();
  area.setSelectionRange(start, end);
  if (document.execCommand(text ? "insertText" : "delete", false, text)) return;
  area.setRangeText(text, start, end, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
};

// Marks around the selection, or away again. With nothing selected the caret comes between them.
const wrap = (mark) => (area) => {
  const { selectionStart: start, selectionEnd: end, value } = area;
  const text = value.slice(start, end);
  const size = mark.length;
  if (value.slice(start - size, start) === mark && value.slice(end, end + size) === mark) {
    replace(area, start - size, end + size, text);
    return area.setSelectionRange(start - size, end - size);
  }
  if (text.length > 2 * size && text.startsWith(mark) && text.endsWith(mark)) {
    replace(area, start, end, text.slice(size, -size));
    return area.setSelectionRange(start, end - 2 * size);
  }
  replace(area, start, end, mark + text + mark);
  area.setSelectionRange(start + size, end + size);
};

const code = (area) => {
  const { selectionStart: start, selectionEnd: end, value } = area;
  const text = value.slice(start, end);
  if (!text.includes("\n")) return wrap("`")(area);
  const before = start && value[start - 1] !== "\n" ? "\n" : "";
  const after = end < value.length && value[end] !== "\n" ? "\n" : "";
  replace(area, start, end, `${before}\`\`\`\n${text.replace(/\n$/, "")}\n\`\`\`${after}`);
};

const ADDRESS = /^https?:\/\/\S+$/;
const link = (area) => {
  const { selectionStart: start, selectionEnd: end, value } = area;
  const text = value.slice(start, end);
  if (ADDRESS.test(text)) {
    replace(area, start, end, `[](${text})`);
    return area.setSelectionRange(start + 1, start + 1);
  }
  replace(area, start, end, `[${text}](https://)`);
  const address = start + text.length + 3;
  if (text) area.setSelectionRange(address, address + "https://".length);
  else area.setSelectionRange(start + 1, start + 1);
};

// A mark before each selected line; away again where all have it.
const prefix = (markOf, pattern) => (area) => {
  const { value } = area;
  const start = value.lastIndexOf("\n", area.selectionStart - 1) + 1;
  const lineEnd = value.indexOf("\n", Math.max(start, area.selectionEnd - (area.selectionEnd > area.selectionStart ? 1 : 0)));
  const end = lineEnd < 0 ? value.length : lineEnd;
  const lines = value.slice(start, end).split("\n");
  const isOff = lines.every((line) => pattern.test(line));
  const changed = lines.map((line, index) => (isOff ? line.replace(pattern, "") : markOf(index) + line.replace(ANY_MARK, "")));
  replace(area, start, end, changed.join("\n"));
  const stop = start + changed.join("\n").length;
  if (lines.length > 1) area.setSelectionRange(start, stop);
};
const ANY_MARK = /^(?:#{1,6} |> |(?:[-*+] (?:\[[ xX]\] )?)|\d+\. )/;

// code: of the key, since what it types with Shift depends on the keyboard.
const FORMATS = [
  { name: "Heading", icon: "heading-2", run: prefix(() => "## ", /^## /) },
  { name: "Bold", icon: "bold", keys: "Ctrl+B", code: "KeyB", run: wrap("**") },
  { name: "Italic", icon: "italic", keys: "Ctrl+I", code: "KeyI", run: wrap("*") },
  { name: "Code", icon: "code", keys: "Ctrl+E", code: "KeyE", run: code },
  { name: "Link", icon: "link", keys: "Ctrl+Shift+L", code: "KeyL", shift: true, run: link },
  { name: "Quote", icon: "quote", keys: "Ctrl+Shift+.", code: "Period", shift: true, run: prefix(() => "> ", /^> /) },
  { name: "List", icon: "list", keys: "Ctrl+Shift+8", code: "Digit8", shift: true, run: prefix(() => "- ", /^[-*+] (?!\[[ xX]\] )/) },
  { name: "Numbered list", icon: "list-ordered", keys: "Ctrl+Shift+7", code: "Digit7", shift: true, run: prefix((index) => `${index + 1}. `, /^\d+\. /) },
  { name: "Task list", icon: "list-checks", keys: "Ctrl+Shift+9", code: "Digit9", shift: true, run: prefix(() => "- [ ] ", /^[-*+] \[[ xX]\] /) },
];

const buttonOf = (area, format, index) => {
  const title = format.keys ? `${format.name} (${format.keys})` : format.name;
  const button = make("button", { type: "button", class: "icon-button", title, "aria-label": format.name, tabindex: index ? "-1" : "0" }, window.pendesk.icon(format.icon));
  if (format.keys) button.setAttribute("aria-keyshortcuts", format.keys.replace("Ctrl", "Control"));
  button.onclick = () => format.run(area);
  return button;
};

// One stop of Tab; the arrows go from button to button.
const walk = (event) => {
  const buttons = [...event.currentTarget.children];
  const at = buttons.indexOf(document.activeElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  event.stopPropagation(); // the arrows of the page around would go on from there
  const next = buttons.at(to % buttons.length);
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
  next.focus();
};

const addFormatBar = (area) => {
  if (area.dataset.markdown === "keys" || area.previousElementSibling?.matches(".format-bar")) return;
  const bar = make("div", { class: "format-bar", role: "toolbar", "aria-label": "Formatting" });
  bar.append(...FORMATS.map((format, index) => buttonOf(area, format, index)));
  bar.onkeydown = walk;
  bar.onpointerdown = (event) => event.preventDefault(); // the text keeps its selection
  area.before(bar);
};

const addFormatBars = () => document.querySelectorAll("textarea[data-markdown]").forEach(addFormatBar);
document.addEventListener("pendesk:ready", addFormatBars);
document.addEventListener("htmx:after:swap", addFormatBars);

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || !event.target.matches?.("textarea[data-markdown]")) return;
  const format = FORMATS.find(({ code: key, shift = false }) => key === event.code && shift === event.shiftKey);
  if (!format) return;
  event.preventDefault();
  format.run(event.target);
});

// An address pasted over words makes them a link.
document.addEventListener("paste", (event) => {
  const area = event.target;
  if (!area.matches?.("textarea[data-markdown]") || area.selectionStart === area.selectionEnd) return;
  const address = event.clipboardData?.getData("text/plain").trim() ?? "";
  const text = area.value.slice(area.selectionStart, area.selectionEnd);
  if (!ADDRESS.test(address) || ADDRESS.test(text) || text.includes("\n")) return;
  event.preventDefault();
  replace(area, area.selectionStart, area.selectionEnd, `[${text}](${address})`);
});

Object.assign(window.pendesk, { addFormatBar });
