// Comments on lines of the change, and requests that come of a deviation: items of the review, kept in this browser until
// it is sent. They are listed in the verdict, whose hidden fields are what is sent; the rows at the lines follow the list.

const { make } = window.pendesk;
let wanted = null; // where to go once it is loaded
let anchor = null; // the row that a range begins at

const NUMBER = ".line-number";
const page = () => document.getElementById("review");
const list = () => document.querySelector("#comment-list ul");
const keyOf = () => `review:${page().dataset.action}:comments`;
const warn = (text) => window.pendesk.showToast(text, { bad: true });
// What came of a deviation that is there no longer is a request like any other.
const isOver = ({ deviationId }) => deviationId && !document.getElementById(`deviation-${deviationId}`);
const comments = () =>
  (window.pendesk.drafts.read(keyOf())?.text ?? []).map((comment) => (isOver(comment) ? { ...comment, deviationId: null } : comment));

const save = (all) => {
  if (all.length) window.pendesk.drafts.keep(keyOf(), all, 0);
  else window.pendesk.drafts.drop(keyOf());
};

const update = (id, values) => save(comments().map((comment) => (comment.id === id ? { ...comment, ...values } : comment)));

const placeOf = ({ path, side, line, endLine, title }) => {
  if (!path) return title;
  const lines = endLine > line ? `lines ${line} to ${endLine}` : `line ${line}`;
  return `${path}, ${lines}${side === "old" ? " before the change" : ""}`;
};

// Lines of the change: a row of one side, a row of both (context), or a row of a split view with a cell for each side.
const markOf = (side, line) => `tr.line[data-${side}-line="${line}"]`;
const tablesOf = (path) => [...document.querySelectorAll("table.diff")].filter((table) => table.dataset.path === path);

const rowAt = ({ path, side, line }) => {
  for (const table of tablesOf(path)) {
    const row = table.querySelector(markOf(side, line));
    if (row) return row;
  }
  return null;
};

const lineOn = ({ dataset }, side) => Number(dataset[`${side}Line`] ?? 0);

// Of a row of both sides the new one is meant, unless it was the old one's cell.
const sideOf = (element, row) => element.closest("td[data-side]")?.dataset.side ?? (lineOn(row, "new") ? "new" : "old");

const isFirst = (row, other) => Boolean(row.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);

// The lines from one row to another, in either direction; null where they are not of one hunk.
const linesBetween = (row, other) => {
  const [first, last] = isFirst(row, other) ? [row, other] : [other, row];
  const lines = [];
  for (let at = first; at; at = at.nextElementSibling) {
    if (at.matches("tr.hunk")) return null;
    if (at.matches("tr.line")) lines.push(at);
    if (at === last) return lines;
  }
  return null;
};

const fill = (element, comment) => {
  for (const text of element.querySelectorAll("[data-text]")) text.textContent = comment.text;
  for (const place of element.querySelectorAll("[data-place]")) place.textContent = placeOf(comment);
  for (const kind of element.querySelectorAll("[data-kind]")) kind.hidden = kind.dataset.kind !== comment.kind;
  for (const mark of element.querySelectorAll("[data-outdated]")) mark.hidden = String(comment.number) === page().dataset.number;
  element.dataset.comment = comment.id;
};

const copyOf = (id) => document.getElementById(id).content.firstElementChild.cloneNode(true);

const cardOf = (comment) => {
  const card = copyOf(comment.open ? "comment-editor" : "comment-card");
  fill(card, comment);
  if (!comment.open) return card;
  card.querySelector("textarea").value = comment.text;
  for (const radio of card.querySelectorAll("input[type=radio]")) {
    radio.name = `_kind-${comment.id}`;
    radio.checked = radio.value === comment.kind;
  }
  if (comment.deviationId) card.querySelector(".comment-kind").hidden = true;
  return card;
};

const FIELDS = ["text", "kind", "path", "side", "line", "endLine", "deviationId"];

const listedOf = (comment) => {
  const item = copyOf("comment-listed");
  fill(item, comment);
  const link = item.querySelector("[data-goes-to]");
  Object.assign(link.dataset, comment.path ? { path: comment.path, side: comment.side, line: comment.endLine } : {});
  if (comment.deviationId) link.href = `#deviation-${comment.deviationId}`;
  item.append(
    ...FIELDS.filter((name) => comment[name] != null).map((name) => {
      const field = make("input", { type: "hidden", "data-field": name });
      field.value = comment[name];
      return field;
    }),
  );
  return item;
};

// A row below the last of the lines it is about, and below what stands there already.
const rowFor = (comment, card) => {
  let after = rowAt({ ...comment, line: comment.endLine });
  if (!after) return;
  const width = [...after.cells].reduce((sum, cell) => sum + cell.colSpan, 0);
  while (after.nextElementSibling?.matches("tr.line-note")) after = after.nextElementSibling;
  const cell = make("td", { colspan: width }, card);
  after.after(make("tr", { class: "line-note", "data-draft-of": comment.id }, cell));
};

const markLines = () => {
  for (const row of document.querySelectorAll("tr.commented")) row.classList.remove("commented");
  for (const { path, side, line, endLine } of comments().filter((comment) => comment.path)) {
    const [first, last] = [rowAt({ path, side, line }), rowAt({ path, side, line: endLine })];
    for (const row of (first && last && linesBetween(first, last)) ?? []) row.classList.add("commented");
  }
};

const standing = (id) => document.querySelector(`.line-comment[data-comment="${id}"]`);

const showList = (all) => {
  list().replaceChildren(...all.filter((comment) => comment.text.trim()).map(listedOf));
  list().parentElement.hidden = !list().children.length;
  document.dispatchEvent(new CustomEvent("review:items"));
};

// Puts every comment where it belongs, unless it stands there: after a reload, a live update, or when lines are loaded.
const render = () => {
  if (!list()) return;
  const all = comments();
  for (const element of document.querySelectorAll("[data-draft-of]")) {
    if (!all.some((comment) => comment.id === element.dataset.draftOf)) element.remove();
  }
  for (const slot of document.querySelectorAll(".deviation-request")) {
    const requested = all.some((comment) => `request-${comment.deviationId}` === slot.id);
    slot.closest("[data-deviation]").toggleAttribute("data-requested", requested);
    if (!requested) slot.replaceChildren();
  }
  for (const comment of all) {
    const card = standing(comment.id);
    if (card && card.classList.contains("editing") === Boolean(comment.open)) {
      if (!comment.open) fill(card, comment);
    } else if (card) card.replaceWith(cardOf(comment));
    else if (comment.path) rowFor(comment, cardOf(comment));
    else if (comment.deviationId) document.getElementById(`request-${comment.deviationId}`).replaceChildren(cardOf(comment));
  }
  markLines();
  showList(all);
};

const focusEditor = (id) => {
  const text = standing(id)?.querySelector("textarea");
  text?.focus();
  text?.scrollIntoView({ block: "nearest" });
};

const unchoose = () => {
  for (const row of document.querySelectorAll("tr.chosen")) row.classList.remove("chosen");
};

const openEditor = (values) => {
  unchoose();
  const id = String(Date.now()) + comments().length;
  save([...comments(), { id, kind: "request", text: "", number: page().dataset.number, open: true, ...values }]);
  render();
  focusEditor(id);
};

// A range grows from the row that was gone to first; an editor that is open there grows with it.
const commentOn = (row, side, extend) => {
  const rows = (extend && anchor?.isConnected && linesBetween(anchor, row)) || [row];
  const numbers = rows.map((between) => lineOn(between, side)).filter(Boolean);
  const place = { path: row.closest("table").dataset.path, side, line: Math.min(...numbers), endLine: Math.max(...numbers) };
  if (side === "old" && new URLSearchParams(location.search).get("part") === "since") {
    return warn("A line that is gone since the last submission cannot be commented on. Comment on a line that is there, or show the whole change.");
  }
  const opened = comments().find(
    (comment) => comment.open && !comment.before && comment.path === place.path && comment.side === side && place.line <= comment.line && comment.endLine <= place.endLine,
  );
  if (!extend) anchor = row;
  if (!opened) return openEditor(place);
  document.querySelector(`[data-draft-of="${opened.id}"]`)?.remove();
  update(opened.id, place);
  render();
  focusEditor(opened.id);
};

const focusOn = (element, block = "nearest") => {
  if (!element) return;
  if (!element.matches("a, button, textarea")) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block });
};

const close = (id, values) => {
  update(id, { open: false, ...values });
  render();
  focusBeside(id);
};

const focusBeside = (id, { path, side, endLine, deviationId } = comments().find((comment) => comment.id === id)) =>
  focusOn(path ? rowAt({ path, side, line: endLine }) : document.querySelector(`#deviation-${deviationId} button`));

// What was typed comes back by Undo.
const remove = (comment, isListed) => {
  const { id, text } = comment;
  save(comments().filter((other) => other.id !== id));
  render();
  if (isListed) focusOn(list().querySelector("button") ?? document.querySelector("#verdict [name=summary]"));
  else focusBeside(id, comment);
  if (!text.trim()) return;
  const undo = () => {
    save([...comments(), comment]);
    render();
  };
  window.pendesk.showToast("Comment deleted.", { undo });
};

const targetOf = ({ item, line, ...place }) => (item ? document.getElementById(`comment-${item}`) : line && rowAt({ ...place, line }));

// A file that was renamed is known by both names.
const fileAt = (path) => {
  const files = [...document.querySelectorAll(".change-file")];
  return files.find((file) => file.dataset.path === path) ?? files.find((file) => file.querySelector("h3").textContent.startsWith(`${path} `));
};

// To a line or a comment. Its file is gone to first, and what is not there yet is loaded until it is.
const goTo = (place) => {
  const target = targetOf(place);
  const isUnderWay = wanted === place;
  wanted = null;
  if (target) return focusOn(target, "center");
  const file = fileAt(place.path);
  const link = file ? null : [...document.querySelectorAll("[data-file-link]")].find((entry) => entry.title === place.path);
  if (!file && (!link || isUnderWay)) return warn(`${place.path} is not in the change that is shown.`);
  if (file && !isUnderWay) focusOn(file, "start");
  if (file && !place.line && !place.item) return;
  const folded = [...(file?.querySelectorAll("tr.fold") ?? [])].find((row) => row.querySelector("template").content.querySelector(markOf(place.side, place.line)));
  const loads = link ?? folded?.querySelector("button") ?? file.querySelector("[data-load] [data-loads]");
  wanted = loads ? place : null;
  loads?.click();
};

const requestOf = (id) => {
  const { title, subjects } = document.getElementById(`deviation-${id}`).dataset;
  openEditor({ deviationId: id, title, text: `${title}: ${subjects}. Please undo this, or explain why it is needed.` });
};

const act = (button, comment) => {
  const text = button.closest(".line-comment")?.querySelector("textarea");
  if (button.matches("[data-deletes-comment]")) return remove(comment, !button.closest(".line-comment"));
  if (button.matches("[data-edits-comment]")) {
    update(comment.id, { open: true, before: { text: comment.text, kind: comment.kind } });
    render();
    return focusEditor(comment.id);
  }
  if (button.matches("[data-cancels-comment]")) return comment.before ? close(comment.id, { ...comment.before, before: null }) : remove(comment);
  if (!text.value.trim()) return text.focus();
  close(comment.id, { before: null });
};

document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest(selector);
  const link = on("[data-goes-to][data-path]");
  if (link) {
    event.preventDefault();
    return goTo({ ...link.dataset });
  }
  if (!list()) return;
  const button = on("[data-deletes-comment], [data-edits-comment], [data-cancels-comment], [data-adds-comment]");
  if (button) return act(button, comments().find(({ id }) => id === button.closest("[data-comment]").dataset.comment));
  if (on("[data-requests]")) return requestOf(on("[data-requests]").dataset.requests);
  if (on("[data-comments-line]")) return commentOnFocused();
  const row = on("tr.line");
  if (row && on(NUMBER)) return commentOn(row, sideOf(event.target, row), event.shiftKey);
  if (row && getSelection().isCollapsed) goToRow(row, event.shiftKey);
});

document.addEventListener("input", ({ target }) => {
  const card = target.closest?.(".line-comment.editing");
  if (!card) return;
  update(card.dataset.comment, target.matches("textarea") ? { text: target.value } : { kind: target.value });
  showList(comments());
});

// Moving from line to line, by click or key; with Shift the lines from the first of them are chosen.
const goToRow = (row, extend) => {
  const focused = document.activeElement.closest("tr.line:not(.chosen)"); // by another way, such as the next change
  if (!extend) anchor = row;
  else if (focused || !anchor?.isConnected) anchor = focused ?? row;
  const rows = linesBetween(anchor, row);
  if (extend && !rows) return warn("A comment is about lines of one hunk.");
  unchoose();
  for (const between of extend ? rows : []) between.classList.add("chosen");
  focusOn(row);
};

const STEPS = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

document.addEventListener(
  "keydown",
  (event) => {
    const step = STEPS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey || !event.target.matches?.("tr.line")) return;
    const rows = [...document.querySelectorAll("#change-body tr.line")]; // the lines of a file are in several tables
    const row = rows[rows.indexOf(event.target) + step];
    event.preventDefault();
    event.stopPropagation();
    if (row) goToRow(row, event.shiftKey);
  },
  true,
);

// By key: the line that has the focus, or the chosen ones.
const commentOnFocused = () => {
  const focused = document.activeElement;
  const row = focused.closest("tr.line");
  if (row) return commentOn(row, sideOf(focused, row), row.matches(".chosen"));
  if (focused.closest("[data-criterion]")) return warn("Confirm or reject the criterion first: its comment goes with the verdict.");
  if (!document.querySelector("table.diff")) return warn("There are no lines to comment on: no change was pushed for this submission.");
  warn("Go to a line of the change first: click it, or press n.");
};

// One button for all lines: it stands at the line under the pointer, or at the one that has the focus.
const plus = make("button", { type: "button", class: "add-comment", tabindex: "-1" });
plus.append("+");

for (const name of ["mouseover", "focusin"]) {
  document.addEventListener(name, ({ target }) => {
    const row = list() && target.closest?.("tr.line");
    if (!row || plus.contains(target)) return;
    const numbers = [...(target.closest("td[data-side]") ?? row).querySelectorAll(NUMBER)];
    plus.setAttribute("aria-label", `Comment on line ${lineOn(row, sideOf(target, row))}`);
    numbers.at(-1)?.append(plus);
  });
}

// Many lines may come at once.
let isQueued = false;
const renderSoon = () => {
  if (isQueued) return;
  isQueued = true;
  queueMicrotask(() => {
    isQueued = false;
    render();
    if (wanted) goTo(wanted);
  });
};

document.addEventListener("done", ({ target }) => target.id === "judge" && save([]));
for (const name of ["pendesk:ready", "htmx:after:swap", "change:lines"]) document.addEventListener(name, renderSoon);
