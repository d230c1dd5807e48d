// Judging a submission: a verdict for each criterion by key or click, all of it kept until it is sent, and never sent for
// another submission than the one that was looked at.

const page = () => document.getElementById("review");
const form = () => document.getElementById("judge");
const rows = () => [...(form()?.querySelectorAll("[data-criterion]") ?? [])];
const chosen = (row) => row.querySelector("input[type=radio]:checked")?.value;
const draftOf = (row) => `review:${page().dataset.action}:${row.dataset.criterion}:verdict`;
const drafts = () => window.pendesk.drafts;

// What has no verdict is not sent, and a comment goes with a verdict.
const enableFields = (row) => {
  for (const element of row.querySelectorAll("[data-verdict-of], .trace-note")) element.disabled = !chosen(row);
};

const tally = () => {
  const counts = { confirmed: 0, rejected: 0, open: 0 };
  for (const row of rows()) counts[chosen(row) ?? (row.dataset.state === "confirmed" ? "confirmed" : "open")] += 1;
  for (const element of document.querySelectorAll("[data-counts]")) element.textContent = counts[element.dataset.counts];
  return counts;
};

const fillItems = () => {
  for (const element of form()?.querySelectorAll(".items textarea") ?? []) {
    element.name = element.value.trim() ? `items.${element.dataset.draft.split(":").pop()}.text` : "";
  }
};

const addItem = () => {
  const all = form().querySelectorAll(".items .field");
  const copy = all[0].cloneNode(true);
  const text = copy.querySelector("textarea");
  text.value = "";
  text.dataset.draft = text.dataset.draft.replace(/\d+$/, all.length);
  delete text.dataset.command;
  all[all.length - 1].after(copy);
  return text;
};

const restore = () => {
  if (!form()) return;
  const first = form().querySelector(".items textarea");
  const stem = first?.dataset.draft.replace(/\d+$/, "");
  while (first && drafts().read(stem + form().querySelectorAll(".items textarea").length)) addItem();
  for (const row of rows()) {
    const saved = drafts().read(draftOf(row))?.text;
    const radio = saved && row.querySelector(`input[value="${saved}"]`);
    if (radio && !chosen(row)) radio.checked = true;
    enableFields(row);
  }
  for (const element of form().querySelectorAll("textarea[data-draft]")) element.value ||= drafts().read(element.dataset.draft)?.text ?? "";
  fillItems();
  tally();
};

const boundTo = () => form()?.querySelector("[name=submission_number]");

const showMoved = () => {
  const bound = boundTo();
  if (!bound || !page()) return;
  const moved = bound.value !== page().dataset.number;
  const notice = document.getElementById("moved");
  notice.querySelector("[data-moved-words]").textContent = moved
    ? `You reviewed submission ${bound.value}; this is submission ${page().dataset.number}. Changes are marked as new.`
    : "";
  notice.hidden = !moved;
};

const takeNew = () => {
  const { number, head } = page().dataset;
  boundTo().value = number;
  const sha = form().querySelector("[name=head_sha]");
  if (sha) sha.value = head;
  form().querySelector("[data-bound-to]").textContent = number;
  form().querySelector("[data-bound-head]").textContent = head.slice(0, 8);
  form().querySelector("[data-problem]").hidden = true;
  showMoved();
  (document.getElementById("since") ?? page()).scrollIntoView({ block: "start" });
  rows()[0]?.focus({ preventScroll: true });
};

// Of the two buttons, the one that the verdicts call for.
const send = () => {
  const counts = tally();
  const asks = counts.rejected || [...form().querySelectorAll(".items textarea")].some((element) => element.value.trim());
  const summary = form().querySelector("[name=summary]");
  if (counts.open && !asks) {
    const row = rows().find((element) => !chosen(element) && element.dataset.state !== "confirmed");
    window.pendesk.showToast(counts.open === 1 ? "One criterion has no verdict yet." : `${counts.open} criteria have no verdict yet.`, { bad: true });
    return row.focus();
  }
  if (!summary.value.trim() && !asks) summary.value = "Approved: every criterion is confirmed.";
  form().requestSubmit(form().querySelector(`button[value=${asks ? "changes_requested" : "approved"}]`));
};

document.addEventListener("change", ({ target }) => {
  const row = target.closest?.("#judge [data-criterion]");
  if (!row || target.type !== "radio") return;
  drafts().keep(draftOf(row), target.value, 0);
  enableFields(row);
  tally();
});

// By key: a confirmed criterion leads on to the next one, a rejected one to its comment.
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-takes-new]")) return takeNew();
  if (event.target.closest("[data-adds-item]")) return addItem().focus();
  const row = event.isTrusted ? null : event.target.closest("#judge [data-criterion]");
  if (!row || event.target.type !== "radio") return;
  const next = rows()[rows().indexOf(row) + 1] ?? row;
  queueMicrotask(() => (event.target.value === "rejected" ? row.querySelector(".trace-note") : next).focus());
});

// Each of the two verdicts has its own words; set before the form is read.
const words = ({ target, submitter }) => {
  if (target.id === "judge" && submitter?.dataset.done) target.querySelector("[name=_done]").value = submitter.dataset.done;
};

document.addEventListener("submit", words, true);

document.addEventListener("input", ({ target }) => target.closest?.("#judge .items") && fillItems());

document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !form()?.querySelector("[name=summary]")) return;
    if (window.pendesk.isModal()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    send();
  },
  true,
);

document.addEventListener("done", ({ target }) => {
  if (target.id !== "judge") return;
  for (const row of rows()) drafts().drop(draftOf(row));
  for (const element of target.querySelectorAll("[data-draft]")) drafts().drop(element.dataset.draft);
});

document.addEventListener("htmx:response:error", ({ detail: { ctx } }) => {
  if (ctx.sourceElement.id === "judge") document.body.dispatchEvent(new CustomEvent("live:reload"));
});

document.addEventListener("DOMContentLoaded", () => {
  restore();
  showMoved();
});
document.addEventListener("htmx:after:swap", () => {
  restore();
  showMoved();
});
