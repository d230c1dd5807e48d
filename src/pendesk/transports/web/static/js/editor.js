// Texts that are edited where they stand: click, or Enter on the pencil; Ctrl+Enter saves, Esc puts back.
// Each edit names the revision it began from. Who comes second is shown what the first one changed.

const { drafts } = window.pendesk;
const TRIES = 4;
const ONE_LINE = ["line", "item", "criterion"];
let focusNext = null;

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

// Call an operation with fields that may repeat: its data, or why it was refused.
const send = async (operation, pairs) => {
  try {
    const answer = await fetch(`/do/${operation}`, {
      method: "POST",
      body: new URLSearchParams(pairs),
      headers: { "HX-Request": "true" },
    });
    if (answer.ok) return { data: JSON.parse(answer.headers.get("HX-Trigger") ?? '{"done": {}}').done };
    return { error: (await answer.json()).error };
  } catch {
    return { error: { message: "The server cannot be reached. Your text is kept in this browser: save again in a moment." } };
  }
};

const fragment = async (address, fields) => {
  const answer = await fetch(address, { method: "POST", body: new URLSearchParams(fields), headers: { "HX-Request": "true" } });
  return answer.ok ? await answer.text() : "";
};

const changed = (data = {}) => document.body.dispatchEvent(new CustomEvent("done", { detail: data, bubbles: true }));

// Our own edit is no news to us: what is edited next begins from it, before the page has loaded it anew.
const updateRevision = (object, before, { revision } = {}) => {
  if (!revision) return;
  for (const element of document.querySelectorAll(`[data-object="${object}"]:not(.open), [data-spec="${object}"]`)) {
    if (element.dataset.revision === String(before)) element.dataset.revision = revision;
  }
};

Object.assign(window.pendesk, { make, send, fragment, changed });

const keyOf = ({ dataset }) => [dataset.object, dataset.target, dataset.field, dataset.index ?? ""].join(":");
const linesOf = (editable) => JSON.parse(editable.closest("[data-lines]").dataset.lines);
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
  if (!oneLine) addPreview(form, text, buttons);
  if (kind === "item" || kind === "criterion") {
    const remove = make("button", { class: "button quiet small", type: "button" }, "Remove");
    remove.onclick = () => commit(editable, form, "");
    cancel.after(remove);
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
  if (error.code === "revision_conflict") return showConflict(editable, form, text, error);
  const problem = form.querySelector(".problem");
  problem.textContent = error.message;
  problem.hidden = false;
};

const finish = (editable, form, text, data = {}) => {
  drafts.drop(keyOf(editable));
  const view = editable.querySelector(".editable-view");
  if (text.trim() && text !== editable.dataset.source) view.textContent = text; // until the page has it anew
  editable.dataset.source = text;
  close(editable, form);
  updateRevision(editable.dataset.object, form.revision, data);
  changed(data);
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

// A line added to a list: sent with the whole list, behind whatever others have added meanwhile.
let adding = Promise.resolve();

const addLine = async (form, text, tries = TRIES) => {
  const list = document.querySelector(`[data-list="${form.dataset.addsLine}"]`);
  const { list: field, spec } = list.dataset;
  const lines = [...JSON.parse(list.dataset.lines), text];
  const pairs = [["spec_id", spec], ["expected_revision", list.dataset.revision], ...pairsOfLines(field, lines)];
  const { data, error } = await send("update_spec", pairs);
  if (error?.code === "revision_conflict" && tries) {
    list.dataset.revision = error.currentRevision;
    if (error.changed[field]) list.dataset.lines = JSON.stringify(error.changed[field]);
    return addLine(form, text, tries - 1);
  }
  if (error) {
    form.querySelector("input[type=text]").value ||= text;
    return window.pendesk.showToast(error.message, { bad: true });
  }
  list.dataset.lines = JSON.stringify(lines);
  updateRevision(spec, list.dataset.revision, data);
  changed(data);
};

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-adds-line]");
  if (!form) return;
  event.preventDefault();
  const input = form.querySelector("input[type=text]");
  const text = input.value.trim();
  if (!text) return nextAdder(form);
  input.value = "";
  drafts.drop(input.dataset.draft);
  adding = adding.then(() => addLine(form, text));
});

// Enter in an empty field moves to the next field that adds something.
const nextAdder = (form) => {
  const adders = [...document.querySelectorAll("form.adds, form.adds-plan")];
  const next = form.matches("[data-adds-criterion]") ? document.getElementById("new-action") : adders[adders.indexOf(form) + 1];
  (next?.querySelector("input[type=text]") ?? next?.querySelector("button"))?.focus();
};

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches?.("[data-adds-criterion] input") || event.target.value.trim()) return;
  event.preventDefault();
  nextAdder(event.target.closest("form"));
});

// Focus follows what was created once the page shows it: to an action's first criterion, to a plan's first action.
// The form of a plan is gone once there is one, and with it the event of its answer: so its submit decides.
document.addEventListener("submit", ({ target }) => {
  if (target.matches(".adds-plan")) focusNext = "#new-action input[type=text]";
});

document.addEventListener("done", ({ detail }) => {
  if (detail.operation === "create_action") focusNext = `#new-criterion-${detail.pid} input[type=text]`;
  focusNewField(); // the stream may have been quicker, and the page shows it already
});

const focusNewField = () => {
  const field = focusNext && document.querySelector(focusNext);
  if (!field) return;
  focusNext = null;
  field.focus();
  field.scrollIntoView({ block: "nearest" });
};

document.addEventListener("htmx:after:swap", focusNewField);
