// A field of one action or of many is chosen in a small dialog. Every change is tried by itself: what is refused is told action by
// action, in the server's words, and what was changed has one Undo.

const { selection } = window.pendesk;
const AT_ONCE = 4;
const REFUSED_SHOWN = 5;
const ROW_PX = 36; // below the first line of what was clicked
const UNDO_MS = 8000; // as long as its toast is there
let items = []; // what the open dialog is about
const deleting = new Set(); // refs that go once their Undo has passed

const reload = () => document.body.dispatchEvent(new CustomEvent("live:reload"));
const labelsOf = (item) => (item.dataset.labels ?? "").split(",").filter(Boolean);

// In their order: null, or why it was refused.
const postAll = async (calls) => {
  const words = [];
  while (words.length < calls.length) {
    const next = calls.slice(words.length, words.length + AT_ONCE);
    words.push(...(await Promise.all(next.map(([operation, fields]) => window.pendesk.post(operation, fields)))));
  }
  return words;
};

const tellRefused = (refused, verb) => {
  if (!refused.length) return;
  const lines = refused.slice(0, REFUSED_SHOWN).map(([ref, words]) => `${ref} was not ${verb}. ${words}`);
  if (refused.length > REFUSED_SHOWN) lines.push(`And ${refused.length - REFUSED_SHOWN} more.`);
  window.pendesk.showToast(lines.join("\n"), { bad: true });
};

// verb and rest make the sentence: "3 actions" moved "to Done". call and undo give [operation, fields] for an item.
// Resolves to the refs that were refused.
const changeAll = async (elements, { verb, rest = "", call, undo }) => {
  const changes = elements.map((item) => ({ ref: item.dataset.ref, call: call(item), undo: undo(item) }));
  const words = await postAll(changes.map((change) => change.call));
  const refused = changes.flatMap(({ ref }, at) => (words[at] ? [[ref, words[at]]] : []));
  const changed = changes.filter((_, at) => !words[at]);
  const takeBack = async () => {
    const refusals = await postAll(changed.map((change) => change.undo));
    tellRefused(changed.flatMap(({ ref }, at) => (refusals[at] ? [[ref, refusals[at]]] : [])), "put back");
    if (refusals.includes(null)) window.pendesk.showToast("Undone.");
    reload();
  };
  const what = selection.describe(changed.length, changed[0]?.ref);
  if (changed.length) window.pendesk.showToast(`${what} ${verb} ${rest}`.trim() + ".", { undo: takeBack });
  tellRefused(refused, verb);
  selection.choose([]);
  reload();
  return refused.map(([ref]) => ref);
};

const update = (item, fields) => ["update_action", { action_id: item.dataset.ref, ...fields }];

// Of each field: what is sent for a value, and what it was before.
const CHANGES = {
  state: async (elements, value, name) => {
    const fields = value === "wont_do" ? await window.pendesk.askDrop(elements.map((item) => item.dataset.ref)) : {};
    if (!fields) return;
    const before = new Map(elements.map((item) => [item, item.dataset.state]));
    for (const item of elements) window.pendesk.placeCard?.(item, value);
    const refused = await changeAll(elements, {
      verb: "moved",
      rest: `to ${name}`,
      call: (item) => update(item, { state: value, ...fields }),
      undo: (item) => update(item, { state: before.get(item) }),
    });
    for (const item of elements.filter((element) => refused.includes(element.dataset.ref))) window.pendesk.placeCard?.(item, before.get(item));
  },
  priority: (elements, value, name) =>
    changeAll(elements, {
      verb: "set",
      rest: value === "0" ? "to no priority" : `to priority ${name}`,
      call: (item) => update(item, { priority: value }),
      undo: (item) => update(item, { priority: item.dataset.priority ?? "0" }),
    }),
  assignee: (elements, value, name) =>
    changeAll(elements, {
      verb: value ? "assigned" : "unassigned",
      rest: value ? `to ${name}` : "",
      call: (item) => update(item, { assignee: value }),
      undo: (item) => update(item, { assignee: item.dataset.assignee ?? "" }),
    }),
  spec: (elements, value, name) =>
    changeAll(elements, {
      verb: "moved",
      rest: value ? `to ${name}` : `out of ${elements.length === 1 ? "its spec" : "their specs"}`,
      call: (item) => ["move_action", { action_id: item.dataset.ref, spec_id: value }],
      undo: (item) => ["move_action", { action_id: item.dataset.ref, spec_id: item.dataset.spec ?? "" }],
    }),
  due: (elements, value) =>
    changeAll(elements, {
      verb: "set",
      rest: value ? `to be due on ${value}` : "to no due date",
      call: (item) => update(item, { due: value }),
      undo: (item) => update(item, { due: item.dataset.due ?? "" }),
    }),
};

// Which labels each has and is to have: those that are ticked are added, those that no longer are are removed.
const changeLabels = (elements, form) => {
  const boxes = [...form.querySelectorAll("[name=label]")].filter((box) => !box.indeterminate);
  const off = boxes.filter((box) => !box.checked).map((box) => box.value);
  const on = [...boxes.filter((box) => box.checked).map((box) => box.value), form.elements.added.value];
  return changeAll(elements, {
    verb: "labelled",
    call: (item) => update(item, { labels: [...labelsOf(item).filter((label) => !off.includes(label)), ...on].join(",") }),
    undo: (item) => update(item, { labels: labelsOf(item).join(",") }),
  });
};

const showLabels = (dialog) => {
  const known = new Set([...dialog.querySelectorAll("[name=label]")].map((box) => box.value));
  for (const label of new Set(items.flatMap(labelsOf))) {
    if (known.has(label)) continue;
    const box = window.pendesk.make("input", { type: "checkbox", name: "label", value: label });
    dialog.querySelector(".label-choices").append(window.pendesk.make("label", { class: "menu-item" }, box, window.pendesk.make("span", {}, label)));
  }
  for (const box of dialog.querySelectorAll("[name=label]")) {
    const count = items.filter((item) => labelsOf(item).includes(box.value)).length;
    box.checked = count === items.length;
    box.indeterminate = count > 0 && count < items.length;
  }
};

// They go from the page at once, and from the server when nobody can take it back any more: a deleted action has no way back.
const deleteAll = (elements) => {
  const refs = elements.map((item) => item.dataset.ref);
  const hide = (hidden) => {
    for (const ref of refs) {
      if (hidden) deleting.add(ref);
      else deleting.delete(ref);
    }
    hideDeleted(refs);
  };
  let isDecided = false;
  const decide = () => {
    const isFirst = !isDecided;
    isDecided = true;
    clearTimeout(timer);
    return isFirst;
  };
  const commit = async () => {
    if (!decide()) return;
    const words = await postAll(refs.map((ref) => ["delete_action", { action_id: ref }]));
    tellRefused(refs.flatMap((ref, at) => (words[at] ? [[ref, words[at]]] : [])), "deleted");
    hide(false);
    reload();
  };
  // Who leaves the page has decided, and is not there for the answer.
  const leave = () => {
    if (!decide()) return;
    for (const ref of refs) navigator.sendBeacon("/do/delete_action", new URLSearchParams({ action_id: ref }));
  };
  const takeBack = () => (decide() ? hide(false) : window.pendesk.showToast(`${selection.describe(refs.length, refs[0])} cannot be brought back any more.`, { bad: true }));
  const timer = setTimeout(commit, UNDO_MS);
  for (const event of ["beforeunload", "pagehide"]) addEventListener(event, leave);
  if (refs.includes(selection.openAction()?.dataset.ref)) window.pendesk.closeDrawer();
  hide(true);
  selection.choose([]);
  window.pendesk.showToast(`${selection.describe(refs.length, refs[0])} deleted.`, { undo: takeBack });
};

const hideDeleted = (refs) => {
  for (const ref of refs) {
    const item = selection.elementOf(ref);
    if (item) item.hidden = deleting.has(ref);
  }
};
document.addEventListener("htmx:after:swap", () => hideDeleted(deleting));

// The title is written where it stands.
let renamed = null;

const rename = (item) => {
  const link = item?.querySelector("[data-item]");
  if (!link || renamed) return;
  renamed = item;
  const input = window.pendesk.make("input", { class: "rename", maxlength: "200", "aria-label": `Title of ${item.dataset.ref}`, autocomplete: "off" });
  const before = link.textContent;
  const close = async (value) => {
    if (!renamed) return;
    renamed = null;
    input.remove();
    link.hidden = false;
    link.focus();
    if (value && value !== before) {
      link.textContent = value;
      await changeAll([item], { verb: "renamed", call: () => update(item, { label: value }), undo: () => update(item, { label: before }) });
    } else reload();
  };
  input.value = before;
  input.onblur = () => close(input.value.trim());
  input.onkeydown = (event) => {
    if (event.key === "Enter" && !event.isComposing) close(input.value.trim());
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close("");
  };
  link.hidden = true;
  link.after(input);
  input.select();
};
document.addEventListener("live:load", (event) => renamed && event.target.contains(renamed) && event.preventDefault());

// The dialog of a field stands at what was clicked; of many, or on a phone, where dialogs stand.
const openPicker = (field, elements, anchor = null) => {
  const dialog = document.getElementById(`pick-${field}`);
  items = elements;
  if (!dialog || !items.length) return;
  document.getElementById(`pick-${field}-title`).textContent = dialog.dataset.title.replace("{}", selection.describe(items.length, items[0].dataset.ref));
  const values = new Set(items.map((item) => item.dataset[field] ?? dialog.dataset.none));
  for (const choice of dialog.querySelectorAll("[data-value]")) {
    choice.hidden = values.size === 1 && values.has(choice.dataset.value);
  }
  for (const input of dialog.querySelectorAll("input:not([type=checkbox])")) input.value = field === "due" && values.size === 1 ? [...values][0] : "";
  if (field === "labels") showLabels(dialog);
  dialog.showModal();
  placeAt(dialog, anchor);
  dialog.querySelector("input, [data-value]:not([hidden])")?.focus();
};

const placeAt = (dialog, anchor) => {
  dialog.classList.toggle("at-anchor", Boolean(anchor) && innerWidth > 640);
  dialog.style.left = dialog.style.top = "";
  if (!dialog.classList.contains("at-anchor")) return;
  const { left, top } = anchor.getBoundingClientRect();
  dialog.style.left = `${Math.max(8, Math.min(left, innerWidth - dialog.offsetWidth - 8))}px`;
  dialog.style.top = `${Math.max(8, Math.min(top + ROW_PX, innerHeight - dialog.offsetHeight - 8))}px`;
};

const pick = (choice) => {
  const dialog = choice.closest("dialog");
  dialog.close();
  CHANGES[dialog.dataset.picker](items, choice.dataset.value, choice.querySelector("span").textContent);
};

document.addEventListener("click", (event) => {
  const choice = event.target.closest("dialog[data-picker] [data-value]");
  if (choice) return pick(choice);
  const opener = event.target.closest("[data-sets-field]");
  if (opener && !event.target.closest("a, input")) {
    const item = opener.closest("[data-ref]");
    const isOfOthers = !item || selection.refs.has(item.dataset.ref);
    openPicker(opener.dataset.setsField, isOfOthers ? selection.targets() : [item], item && opener);
  }
  if (event.target.closest("[data-deletes-actions]")) deleteAll(selection.targets());
  const renames = event.target.closest("[data-renames]");
  if (renames) rename(renames.closest("[data-ref]") ?? selection.targets()[0]);
});

document.addEventListener("submit", (event) => {
  const dialog = event.target.closest("dialog[data-picker]");
  if (!dialog) return;
  event.preventDefault();
  const elements = items;
  dialog.close();
  if (dialog.dataset.picker === "labels") changeLabels(elements, event.target);
  else CHANGES[dialog.dataset.picker](elements, event.submitter?.value === "none" ? "" : event.target.elements.value.value);
});

// In a long list a few letters are typed, and Enter takes the first that has them.
document.addEventListener("input", ({ target }) => {
  if (!target.matches("[data-narrows]")) return;
  const words = target.value.toLowerCase();
  for (const choice of target.closest("dialog").querySelectorAll("[data-value]")) {
    choice.hidden = !choice.textContent.toLowerCase().includes(words);
  }
});

document.addEventListener("keydown", (event) => {
  const dialog = event.target.closest?.("dialog[data-picker]");
  if (!dialog || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("[data-narrows]")) {
    const first = dialog.querySelector("[data-value]:not([hidden])");
    if (event.key !== "Enter" || !first) return;
    event.preventDefault();
    return pick(first);
  }
  const numbered = window.pendesk.isTyping(event.target) ? null : dialog.querySelector(`[data-number="${CSS.escape(event.key)}"]:not([hidden])`);
  if (numbered) pick(numbered);
});

window.pendesk.changeState = CHANGES.state;
