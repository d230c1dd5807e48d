// The fields at the end of a spec's lists, of its actions and of their criteria: what is typed there is added.
// Enter adds and stays; in an empty field it goes on to the next list. Tab goes from actions to the criteria of the last one,
// Shift+Tab back. Several pasted lines become several items; under actions, indented ones become criteria.

const { send, changed, drafts, showToast, showError, editLines, itemsOfText, pastedItems } = window.pendesk;
const LABEL_CHARS = 200;
let queue = Promise.resolve(); // one after the other, in the order in which they were typed
let focusNext = null;
let fresh = null; // the field that was just added from, or led to: Tab goes to the other level from it, elsewhere it is the browser's
let leading = null; // between Tab and the field that it leads to being there: what is typed meanwhile is meant for that field

const inTurn = (work) => (queue = queue.then(work, work));
const fieldOf = (form) => form.querySelector("input[type=text]");
const adderOf = (target) => (target.matches?.("[data-adds] input[type=text]") ? target.closest("form") : null);
const actionForm = () => document.getElementById("new-action");
const criterionForm = (actionId) => document.getElementById(`new-criterion-${actionId}`);

const createAction = (form, { text, criteria }) => {
  const isLong = text.length > LABEL_CHARS;
  const label = isLong ? `${text.slice(0, LABEL_CHARS - 1).trimEnd()}…` : text;
  const pairs = [["plan_id", form.elements.plan_id.value], ["label", label], ...criteria.map((criterion) => ["criteria", criterion])];
  return send("create_action", isLong ? [...pairs, ["description", text]] : pairs);
};

const createCriterion = (actionId, text) => send("create_criterion", [["action_id", actionId], ["text", text]]);

// Indented lines belong to the action above them.
const actionsOf = (items) => {
  const actions = [];
  for (const { depth, text } of items) {
    if (actions.length && depth > items[0].depth) actions.at(-1).criteria.push(text);
    else actions.push({ text, criteria: [] });
  }
  return actions;
};

// Each by itself: {count, data of the last, error}.
const addEach = async (items, add) => {
  let last = {};
  for (const [count, item] of items.entries()) {
    const { data, error } = await add(item);
    if (error) return { count, data: last, error };
    last = data;
  }
  return { count: items.length, data: last };
};

const ADD = {
  line: async (form, items) => {
    const list = document.querySelector(`[data-list="${form.dataset.list}"]`);
    const error = await editLines(list, (lines) => [...lines, ...items.map((item) => item.text)]);
    return { count: items.length, error };
  },
  criterion: (form, items) => addEach(items, (item) => createCriterion(form.elements.action_id.value, item.text)),
  action: (form, items) => addEach(actionsOf(items), (action) => createAction(form, action)),
};
const PLURALS = { line: "lines", criterion: "criteria", action: "actions" };

const add = (form, items) =>
  inTurn(async () => {
    const kind = form.dataset.adds;
    const { count, data, error } = await ADD[kind](form, items);
    if (kind !== "line") changed(data);
    if (!error && items.length > 1) showToast(`${count} ${PLURALS[kind]} added.`);
    if (!error) return data;
    const field = fieldOf(form);
    field.value ||= items.at(-1).text;
    const done = count ? `${count} added, then it was refused: ` : "";
    showToast(done + error.message, { bad: true });
    return null;
  });

// Takes the text out of the field.
const addTyped = (form) => {
  const field = fieldOf(form);
  const text = field.value.trim();
  field.value = "";
  drafts.drop(field.dataset.draft);
  fresh = field;
  return add(form, [{ depth: 0, text }]);
};

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-adds]");
  if (!form) return;
  event.preventDefault();
  const field = fieldOf(form);
  if (!field.value.trim()) return nextAdder(form);
  if (leading?.from !== field) return addTyped(form);
  const { actionId } = leading;
  const text = field.value.trim();
  field.value = "";
  drafts.drop(field.dataset.draft);
  inTurn(async () => {
    const { data, error } = await createCriterion(await actionId, text);
    showError(error);
    changed(data);
  });
});

document.addEventListener("paste", (event) => {
  const form = adderOf(event.target);
  const items = form && pastedItems(event);
  if (!items) return;
  event.preventDefault();
  const field = event.target;
  const [before, after] = [field.value.slice(0, field.selectionStart), field.value.slice(field.selectionEnd)];
  field.value = "";
  drafts.drop(field.dataset.draft);
  fresh = field;
  add(form, before || after ? itemsOfText(before + event.clipboardData.getData("text/plain") + after) : items);
});

// Enter in an empty field moves to the next field that adds something; from criteria to the next action.
const nextAdder = (form) => {
  const adders = [...document.querySelectorAll("form.adds, form.adds-plan")];
  const next = form.dataset.adds === "criterion" ? actionForm() : adders[adders.indexOf(form) + 1];
  (next?.querySelector("input[type=text]") ?? next?.querySelector("button"))?.focus();
};

document.addEventListener("keydown", (event) => {
  if (event.key !== "Tab" || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  const form = adderOf(event.target);
  const turns = form && (event.target.value.trim() || fresh === event.target);
  if (!turns) return;
  if (form.dataset.adds === "action" && !event.shiftKey) {
    event.preventDefault();
    leadToCriteria(form);
  } else if (form.dataset.adds === "criterion" && event.shiftKey) {
    event.preventDefault();
    if (event.target.value.trim()) addTyped(form);
    fresh = fieldOf(actionForm());
    fresh.focus();
  }
});

document.addEventListener("focusin", ({ target }) => {
  if (target !== fresh) fresh = null;
});

const lastActionId = () => [...document.querySelectorAll(".drafted")].findLast(({ dataset }) => criterionForm(dataset.id))?.dataset.id;

// What is typed before the page shows the new action goes with the focus.
const leadToCriteria = async (form) => {
  const field = fieldOf(form);
  const added = field.value.trim() ? addTyped(form) : queue;
  const actionId = added.then((data) => data?.pid ?? lastActionId());
  leading = { from: field, actionId };
  const pid = await actionId;
  if (!pid) return (leading = null);
  focusNext = `#new-criterion-${pid} input[type=text]`;
  focusNewField();
};

// The form of a plan is gone once there is one, and with it the event of its answer: so its submit decides.
document.addEventListener("submit", ({ target }) => {
  if (target.matches(".adds-plan")) focusNext = "#new-action input[type=text]";
});

const focusNewField = () => {
  const field = focusNext && document.querySelector(focusNext);
  if (!field) return;
  focusNext = null;
  if (leading && document.activeElement === leading.from) {
    field.value += leading.from.value;
    leading.from.value = "";
  }
  leading = null;
  fresh = field;
  field.focus();
  field.scrollIntoView({ block: "nearest" });
};

document.addEventListener("htmx:after:swap", focusNewField);
document.addEventListener("done", focusNewField); // the stream may have been quicker, and the page shows it already

// A criterion becomes an action, and an action a criterion of the one above: by a button, or Alt with the arrows.
const makeAction = async (criterionId) => {
  const { data, error } = await send("convert_criterion", [["criterion_id", criterionId]]);
  if (error) return showError(error);
  focusNext = `#edit-${data.pid}-label .editable-open`;
  const undo = async () => {
    showError((await send("delete_action", [["action_id", data.pid]])).error);
    showError((await send("restore_criterion", [["criterion_id", criterionId]])).error);
    changed();
  };
  showToast(`The criterion is now ${data.refCode}.`, { undo });
  changed(data);
};

const makeCriterion = async ({ id, ref, into }) => {
  const { data, error } = await send("convert_action", [["action_id", id], ["to_action_id", into]]);
  if (error) return showError(error);
  focusNext = `#edit-${data.pid}-text .editable-open`;
  const undo = async () => {
    showError((await send("convert_criterion", [["criterion_id", data.pid]])).error);
    changed();
  };
  showToast(`${ref} is now a criterion of ${data.refCode}.`, { undo });
  changed();
};

Object.assign(window.pendesk, { makeAction });

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-makes-criterion]");
  if (!button) return;
  button.closest("details.menu")?.removeAttribute("open");
  makeCriterion(button.dataset);
});

document.addEventListener("keydown", (event) => {
  if (!event.altKey || !["ArrowLeft", "ArrowRight"].includes(event.key) || window.pendesk.isTyping(event.target)) return;
  const item = event.target.closest?.("[data-orders] > [data-id]");
  if (!item) return;
  event.preventDefault(); // else the browser leaves the page
  const { orders } = item.parentElement.dataset;
  if (event.key === "ArrowLeft" && orders === "criteria") makeAction(item.dataset.id);
  if (event.key === "ArrowRight" && orders === "actions") item.querySelector("[data-makes-criterion]")?.click();
});
