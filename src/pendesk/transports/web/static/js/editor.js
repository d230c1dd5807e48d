// Texts that are edited where they stand: click, or Enter on the pencil; Ctrl+Enter saves, Esc puts back.
// Each edit names the revision it began from. Who comes second is shown what the first one changed.

const { drafts, make, send, fragment, changed, showError, pastedItems } = window.pendesk;
const TRIES = 4;
const ONE_LINE = ["line", "item", "criterion"];

// Our own edit is no news to us: what is edited next begins from it, before the page has loaded it anew.
const updateRevision = (object, before, { revision } = {}) => {
  if (!revision) return;
  for (const element of document.querySelectorAll(`[data-object="${object}"]:not(.open), [data-spec="${object}"]`)) {
    if (element.dataset.revision === String(before)) element.dataset.revision = revision;
  }
};

// Change one of a spec's lists, in what it is by now: `edit` gives the new lines for those that are there. The refusal, or null.
const editLines = async (list, edit, tries = TRIES) => {
  const { list: field, spec } = list.dataset;
  const lines = edit(JSON.parse(list.dataset.lines));
  const pairs = [["spec_id", spec], ["expected_revision", list.dataset.revision], ...pairsOfLines(field, lines)];
  const { data, error } = await send("update_spec", pairs);
  if (error?.code === "revision_conflict" && tries) {
    list.dataset.revision = error.currentRevision;
    if (error.changed[field]) list.dataset.lines = JSON.stringify(error.changed[field]);
    return editLines(list, edit, tries - 1);
  }
  if (error) return error;
  list.dataset.lines = JSON.stringify(lines);
  updateRevision(spec, list.dataset.revision, data);
  changed(data);
  return null;
};

Object.assign(window.pendesk, { editLines });

const keyOf = ({ dataset }) => [dataset.object, dataset.target, dataset.field, dataset.index ?? ""].join(":");
const listOf = (editable) => editable.closest("[data-lines]");
const linesOf = (editable) => JSON.parse(listOf(editable).dataset.lines);
const isOpen = (editable) => Boolean(editable.querySelector("form.editor"));

const open = (editable, draft = null) => {
  if (isOpen(editable)) return editable.querySelector("textarea").focus();
  const { kind, source, label, revision } = editable.dataset;
  const oneLine = ONE_LINE.includes(kind);
  const text = make("textarea", { rows: oneLine ? 1 : 5, "aria-label": label, spellcheck: "true" });
  text.value = draft?.text ?? source;
  const problem = make("p", { class: "problem", role: "alert", hidden: "" });
  const save = make("button", { class: "button primary small", type: "submit" }, "Save");
  const cancel = make("button", { class: "button quiet small", type: "button" }, "Cancel");
  const buttons = make("p", { class: "buttons" }, save, cancel);
  const keys = oneLine ? "Enter saves, Esc cancels" : "Ctrl+Enter saves, Esc cancels";
  buttons.append(make("span", { class: "quiet small editor-keys" }, draft ? "Unsaved text restored." : keys));
  const form = make("form", { class: "editor" }, text, problem, buttons);
  form.sideBySide = kind === "document" && matchMedia("(min-width: 1000px)").matches;
  if (!oneLine) {
    text.dataset.markdown = "";
    window.pendesk.addFormatBar(text);
    addPreview(form, text, buttons);
  }
  if (isListItem(editable)) {
    cancel.after(...itemButtons(editable, form, text));
    text.onpaste = (event) => pasteItems(editable, event);
  }
  form.revision = draft?.revision || revision;
  form.lines = kind === "item" ? linesOf(editable) : null;
  form.onsubmit = (event) => {
    event.preventDefault();
    commit(editable, form, text.value);
  };
  cancel.onclick = () => cancelEdit(editable, form);
  text.oninput = () => drafts.keep(keyOf(editable), text.value, form.revision);
  text.onkeydown = (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      cancelEdit(editable, form);
    } else if (event.key === "Enter" && oneLine && !event.ctrlKey && !event.metaKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  };
  editable.setAttribute("hx-morph-skip", "");
  editable.classList.add("open");
  editable.append(form);
  if (draft) return;
  text.focus();
  text.setSelectionRange(text.value.length, text.value.length);
};

const isListItem = ({ dataset }) => dataset.kind === "item" || dataset.kind === "criterion";

const itemButtons = (editable, form, text) => {
  const add = (name, title, act) => {
    const button = make("button", { class: "button quiet small", type: "button", title }, name);
    button.onclick = act;
    return button;
  };
  const buttons = [add("Remove", "Remove (Delete)", () => remove(editable, form))];
  const moves = (step) => async () => (await commit(editable, form, text.value)) && window.pendesk.moveItem(editable.closest("[data-id]"), step);
  if (editable.dataset.kind === "criterion") {
    const convert = async () => (await commit(editable, form, text.value)) && window.pendesk.makeAction(editable.dataset.target);
    buttons.push(add("Make action", "Create an action from it (Alt ←)", convert));
  }
  return [...buttons, add("Move up", "Move up (Alt ↑)", moves(-1)), add("Move down", "Move down (Alt ↓)", moves(1))];
};

// Removed at once, and brought back by Undo. The focus goes to a neighbour that stays.
const remove = async (editable, form) => {
  const { kind, target, index, source, label } = editable.dataset;
  const list = listOf(editable);
  const { previousElementSibling, nextElementSibling } = editable.closest("[data-id]");
  const neighbour = previousElementSibling ?? (kind === "criterion" ? nextElementSibling : null);
  const hadFocus = form.contains(document.activeElement);
  if (!(await commit(editable, form, ""))) return;
  if (hadFocus) neighbour?.querySelector(".editable-open")?.focus();
  const undo = async () => {
    if (kind === "item") return showError(await editLines(list, (lines) => lines.toSpliced(Number(index), 0, source)));
    const { data, error } = await send("restore_criterion", [["criterion_id", target]]);
    showError(error);
    changed(data);
  };
  window.pendesk.showToast(`${label} removed.`, { undo });
};

// Of several pasted lines the first goes into the text that is open; each of the others becomes an item below it.
const pasteItems = async (editable, event) => {
  const items = pastedItems(event);
  if (!items) return;
  event.preventDefault();
  const [first, ...others] = items.map((item) => item.text);
  event.target.setRangeText(first, event.target.selectionStart, event.target.selectionEnd, "end");
  event.target.dispatchEvent(new Event("input", { bubbles: true }));
  const { kind, index, object } = editable.dataset;
  if (kind === "item") return showError(await editLines(listOf(editable), (lines) => lines.toSpliced(Number(index) + 1, 0, ...others)));
  for (const text of others) {
    const { error } = await send("create_criterion", [["action_id", object], ["text", text]]);
    if (error) return showError(error);
  }
  changed();
};

// Side by side where there is room, else one instead of the other.
const addPreview = (form, text, buttons) => {
  const preview = make("div", { class: "prose editor-preview", role: "region", "aria-label": "Preview", tabindex: "0" });
  const toggle = make("button", { class: "button quiet small", type: "button", "aria-pressed": "false" }, "Preview");
  let timer = 0;
  const render = async () => {
    preview.innerHTML = text.value.trim() ? await fragment("/preview", { text: text.value }) : "";
  };
  toggle.onclick = () => {
    const on = form.classList.toggle("previewing");
    toggle.setAttribute("aria-pressed", String(on));
    if (on) render();
  };
  text.addEventListener("input", () => {
    clearTimeout(timer);
    if (form.classList.contains("previewing")) timer = setTimeout(render, 250);
  });
  if (form.sideBySide) {
    form.classList.add("previewing");
    toggle.setAttribute("aria-pressed", "true");
    render();
  }
  text.after(preview);
  buttons.querySelector(".editor-keys").before(toggle);
};

const close = (editable, form, focus = true) => {
  const hadFocus = form.contains(document.activeElement);
  form.remove();
  editable.classList.remove("open");
  editable.removeAttribute("hx-morph-skip");
  if (focus && hadFocus) editable.querySelector(".editable-open")?.focus();
};

const cancelEdit = (editable, form) => {
  const text = form.querySelector("textarea").value;
  const revision = form.revision;
  drafts.drop(keyOf(editable));
  close(editable, form);
  changed(); // what came in while it was open
  if (text === editable.dataset.source) return;
  const undo = () => open(editable, { text, revision });
  window.pendesk.showToast("Changes discarded.", { undo });
};

const withLine = (lines, index, text) => (text.trim() ? lines.with(index, text) : lines.toSpliced(index, 1));
const pairsOfLines = (field, lines) => (lines.length ? lines.map((line) => [field, line]) : [[field, ""]]);

const pairsOf = (editable, form, text) => {
  const { idField, target, field, kind, index } = editable.dataset;
  const pairs = [[idField, target], ["expected_revision", form.revision]];
  if (kind === "item") return [...pairs, ...pairsOfLines(field, withLine(form.lines, Number(form.index ?? index), text))];
  return [...pairs, [field, text]];
};

// Whether it is saved.
const commit = async (editable, form, text, tries = TRIES) => {
  const { kind, source, edits, target } = editable.dataset;
  if (text === source && form.revision === editable.dataset.revision) return finish(editable, form, text);
  const removes = kind === "criterion" && !text.trim();
  form.setAttribute("aria-busy", "true");
  const pairs = removes ? [["criterion_id", target], ["expected_revision", form.revision]] : pairsOf(editable, form, text);
  const { data, error } = await send(removes ? "remove_criterion" : edits, pairs);
  form.removeAttribute("aria-busy");
  if (!error) return finish(editable, form, text, data);
  if (error.code === "revision_conflict" && tries && rebase(editable, form, error)) return commit(editable, form, text, tries - 1);
  if (error.code === "revision_conflict") {
    showConflict(editable, form, text, error);
    return false;
  }
  const problem = form.querySelector(".problem");
  problem.textContent = error.message;
  problem.hidden = false;
  return false;
};

const finish = (editable, form, text, data = {}) => {
  drafts.drop(keyOf(editable));
  const view = editable.querySelector(".editable-view");
  if (text.trim() && text !== editable.dataset.source) view.textContent = text; // until the page has it anew
  editable.dataset.source = text;
  close(editable, form);
  updateRevision(editable.dataset.object, form.revision, data);
  changed(data);
  return true;
};

// What others wrote elsewhere in the same text is no conflict: continue from their revision.
const rebase = (editable, form, error) => {
  const { content, kind, source, target } = editable.dataset;
  const theirs = error.changed?.[content];
  if (theirs === undefined) {
    form.revision = error.currentRevision;
    return true;
  }
  if (kind === "criterion" && theirs.find((criterion) => criterion.id === target)?.text === source) {
    form.revision = error.currentRevision;
    return true;
  }
  if (kind === "item" && theirs.includes(source)) {
    form.revision = error.currentRevision;
    form.lines = theirs;
    form.index = theirs.indexOf(source);
    return true;
  }
  return false;
};

const theirText = (editable, theirs) => {
  const { kind, target, index } = editable.dataset;
  if (kind === "criterion") return theirs.find((criterion) => criterion.id === target)?.text ?? "";
  return kind === "item" ? (theirs[Number(index)] ?? "") : theirs;
};

const showConflict = async (editable, form, mine, error) => {
  form.querySelector(".conflict")?.remove();
  const theirs = theirText(editable, error.changed[editable.dataset.content]);
  const diff = make("div", { class: "diff", role: "region", tabindex: "0", "aria-label": "Their text compared with yours" });
  diff.innerHTML = await fragment("/preview/diff", { old: theirs, new: mine });
  const keepMine = make("button", { class: "button primary small", type: "button" }, "Save my version");
  const takeTheirs = make("button", { class: "button small", type: "button" }, "Use their version");
  const panel = make(
    "div",
    { class: "conflict", role: "alert" },
    make("p", {}, make("strong", {}, `${error.changedBy} changed this while you were editing.`)),
    make("p", { class: "quiet" }, "Their text compared with yours. You can keep editing below. Both stay in the history."),
    diff,
    make("p", { class: "buttons" }, keepMine, takeTheirs),
  );
  keepMine.onclick = () => {
    panel.remove();
    form.revision = error.currentRevision;
    if (editable.dataset.kind === "item") form.lines = error.changed[editable.dataset.content];
    commit(editable, form, form.querySelector("textarea").value);
  };
  takeTheirs.onclick = () => {
    drafts.drop(keyOf(editable));
    editable.dataset.source = theirs;
    editable.querySelector(".editable-view").textContent = theirs;
    close(editable, form);
    changed();
    window.pendesk.showToast("Your changes were discarded.", { undo: () => open(editable, { text: mine, revision: error.currentRevision }) });
  };
  form.prepend(panel);
  keepMine.focus();
};

document.addEventListener("click", (event) => {
  const editable = event.target.closest(".editable");
  if (!editable?.querySelector(".editable-open") || isOpen(editable)) return;
  if (event.target.closest("a, input") || String(getSelection())) return;
  open(editable);
});

// Delete on a line or criterion that has the focus removes it.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Delete" || event.ctrlKey || event.metaKey || event.altKey || !event.target.matches?.(".editable-open")) return;
  const editable = event.target.closest(".editable");
  if (!isListItem(editable)) return;
  event.preventDefault();
  open(editable);
  remove(editable, editable.querySelector("form.editor"));
});

document.addEventListener("pendesk:ready", () => {
  for (const editable of document.querySelectorAll(".editable")) {
    const draft = editable.querySelector(".editable-open") && drafts.read(keyOf(editable));
    if (draft && draft.text !== editable.dataset.source) open(editable, draft);
  }
});

// A new document opens in the editor.
document.addEventListener("pendesk:ready", () => {
  const empty = document.querySelector('.editable.kind-document[data-source=""]');
  if (empty && new URLSearchParams(location.search).has("write")) open(empty);
});
