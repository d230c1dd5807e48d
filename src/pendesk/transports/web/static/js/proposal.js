// Deciding about a proposal: items are selected and edited, and what was typed stays until it is sent. A decision is
// never sent for another text than the one that was looked at.

const form = () => document.getElementById("decide");
const items = () => [...(form()?.querySelectorAll("[data-proposal-item]") ?? [])];
const box = (item) => item.querySelector("[data-select]");
const byId = (id) => form().querySelector(`[data-proposal-item="${CSS.escape(id)}"]`);
const isSelected = (item) => {
  const parent = item.dataset.parent && byId(item.dataset.parent);
  return box(item).checked && (!parent || box(parent).checked);
};

const show = () => {
  let selected = 0;
  let leftOut = 0;
  for (const item of items()) {
    const chosen = isSelected(item);
    const first = item.dataset.needs && byId(item.dataset.needs);
    const cannotConnect = Boolean(chosen && first && !box(first).checked);
    item.classList.toggle("unselected", !chosen);
    const warning = item.querySelector("[data-needs-warning]");
    if (warning) warning.hidden = !cannotConnect;
    selected += chosen && !cannotConnect;
    leftOut += cannotConnect;
  }
  form().querySelector("[data-selected]").textContent = selected;
  form().querySelector("[data-left-out]").hidden = !leftOut;
  form().querySelector("[data-left-out-count]").textContent = `${leftOut} prerequisite${leftOut === 1 ? "" : "s"}`;
};

const draftOf = (field) => `proposal:${field.dataset.proposed}`;

const restore = () => {
  if (!form()) return;
  for (const field of form().querySelectorAll("[data-proposed]")) {
    const draft = window.pendesk.drafts.read(draftOf(field));
    if (draft) field.value = draft.text;
  }
  show();
  showOutdated();
};

const showOutdated = () => {
  const notice = document.querySelector("#proposal [data-outdated]");
  const seen = form()?.querySelector("[name=present_rev]")?.value;
  if (notice) notice.hidden = !seen || seen === document.getElementById("proposal").dataset.presentRev;
};

document.addEventListener("pendesk:ready", restore);
document.addEventListener("htmx:after:swap", showOutdated);
document.addEventListener("change", ({ target }) => target.matches?.("#decide [data-select]") && show());
document.addEventListener("input", ({ target }) => {
  if (!target.matches?.("#decide [data-proposed]")) return;
  if (target.value === target.defaultValue) window.pendesk.drafts.drop(draftOf(target));
  else window.pendesk.drafts.keep(draftOf(target), target.value, 0);
});
document.addEventListener("reset", ({ target }) => {
  for (const field of target.querySelectorAll("[data-proposed]")) window.pendesk.drafts.drop(draftOf(field));
});

// x selects the item that has the focus, e edits its text; j and k move between items.
document.addEventListener("keydown", (event) => {
  const item = event.target.closest?.("#decide [data-proposal-item]");
  if (!item || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("textarea, input[type=text]")) return;
  if (event.key === "x") box(item).click();
  else if (event.key === "e") item.querySelector("[data-proposed]")?.focus();
  else return;
  event.preventDefault();
});
