// Judging a submission: a verdict for each criterion by key or click, all of it kept until it is sent, and never sent for
// another submission than the one that was looked at. The two buttons follow the marks.

const page = () => document.getElementById("review");
const form = () => document.getElementById("judge");
const bar = () => document.getElementById("judge-bar");
const rows = () => [...(form()?.querySelectorAll("[data-criterion]") ?? [])];
const chosen = (row) => row.querySelector("input[type=radio]:checked")?.value;
const isOpen = (row) => !chosen(row) && row.dataset.state !== "confirmed";
const draftOf = (row) => `review:${page().dataset.action}:${row.dataset.criterion}:verdict`;
const drafts = () => window.pendesk.drafts;
const count = (number, singular, plural) => `${number} ${number === 1 ? singular : plural}`;

// What has no verdict is not sent, and a comment goes with a verdict: a rejection opens it.
const enableFields = (row) => {
  const note = row.querySelector(".trace-note");
  const text = note.querySelector("textarea");
  for (const element of [text, ...row.querySelectorAll("[data-verdict-of], [data-opens-note]")]) element.disabled = !chosen(row);
  note.hidden = !chosen(row) || (note.hidden && chosen(row) === "confirmed" && !text.value);
};

const openNote = (row) => {
  const note = row.querySelector(".trace-note");
  note.hidden = false;
  note.querySelector("textarea").focus();
};

// Items are numbered in the order of the page, and what is blank is not sent.
const textOf = (item) => item.querySelector("[data-field=text]").value.trim();
const kindOf = (item) => item.querySelector("[data-field=kind]")?.value ?? "request";
const items = () => [...form().querySelectorAll("[data-review-item]")].filter(textOf);

const numberItems = () => {
  for (const field of form().querySelectorAll("[data-field]")) field.removeAttribute("name");
  for (const [number, item] of items().entries()) {
    for (const field of item.querySelectorAll("[data-field]")) field.name = `items.${number}.${field.dataset.field}`;
  }
};

const countMarks = () => {
  const counts = { confirmed: 0, rejected: 0, open: 0 };
  for (const row of rows()) counts[chosen(row) ?? (isOpen(row) ? "open" : "confirmed")] += 1;
  const kinds = items().map(kindOf);
  const requests = kinds.filter((kind) => kind === "request").length;
  const deviations = document.querySelectorAll("[data-deviation][data-state=open]:not([data-requested])").length;
  return { ...counts, comments: kinds.length, requests, deviations, hasSummary: Boolean(form().querySelector("[name=summary]").value.trim()) };
};

// Why a verdict cannot be given now, and where that is decided; null where it can.
const openDeviation = () => document.querySelector("[data-deviation][data-state=open]:not([data-requested]) button");
const WHY_NOT = {
  approved: ({ rejected, requests, deviations, open }) => {
    if (rejected) return { text: `${count(rejected, "criterion is", "criteria are")} rejected.`, target: () => rows().find((row) => chosen(row) === "rejected") };
    if (requests) return { text: `${count(requests, "change is", "changes are")} requested.`, target: () => document.querySelector("#verdict [data-review-item] a") };
    if (deviations) return { text: `${count(deviations, "deviation is", "deviations are")} open: accept or request a change.`, target: openDeviation };
    return open ? { text: `${count(open, "criterion has", "criteria have")} no verdict yet.`, target: () => rows().find(isOpen) } : null;
  },
  changes_requested: ({ rejected, requests, hasSummary }) =>
    rejected || requests || hasSummary
      ? null
      : { text: "Nothing to change yet: reject a criterion, comment on a line, or write what should change.", target: () => rows().find(isOpen) },
};

const wordsOf = (marks) => {
  const parts = [marks.rejected && `${marks.rejected} rejected`, marks.comments && count(marks.comments, "comment", "comments")].filter(Boolean);
  return { approved: "Approve", changes_requested: parts.length ? `Request changes: ${parts.join(", ")}` : "Request changes" };
};

const calledFor = (marks) => (marks.rejected || marks.requests ? "changes_requested" : "approved");

const tally = () => {
  if (!form()) return;
  numberItems();
  const marks = countMarks();
  for (const element of bar().querySelectorAll("[data-counts]")) element.textContent = marks[element.dataset.counts];
  bar().querySelector("[data-counts=comments]").textContent = marks.comments ? `; ${count(marks.comments, "comment", "comments")}` : "";
  for (const button of bar().querySelectorAll("button[name=verdict]")) {
    const why = WHY_NOT[button.value](marks)?.text ?? "";
    button.querySelector("[data-words]").textContent = wordsOf(marks)[button.value];
    button.classList.toggle("primary", calledFor(marks) === button.value);
    button.setAttribute("aria-disabled", Boolean(why));
    bar().querySelector(`[data-why=${button.value}]`).textContent = why && (button.value === "approved" ? `Cannot be approved: ${why}` : why);
  }
  const shownByCi = toConfirmByCi().length;
  const all = document.getElementById("confirm-ci");
  if (!all) return;
  all.hidden = !shownByCi;
  all.querySelector("span").textContent = `Confirm ${shownByCi} with CI evidence`;
};

const toConfirmByCi = () => rows().filter((row) => "ci" in row.dataset && !chosen(row));

const mark = (row, verdict) => {
  for (const radio of row.querySelectorAll("input[type=radio]")) radio.checked = radio.value === verdict;
  if (verdict) drafts().keep(draftOf(row), verdict, 0);
  else drafts().drop(draftOf(row));
  enableFields(row);
};

const confirmByCi = () => {
  const confirmed = toConfirmByCi();
  const markAll = (verdict) => {
    for (const row of confirmed) mark(row, verdict);
    tally();
  };
  markAll("confirmed");
  window.pendesk.showToast(`${count(confirmed.length, "criterion", "criteria")} confirmed.`, { undo: () => markAll("") });
  (rows().find(isOpen) ?? confirmed[0])?.focus();
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
  const stem = first.dataset.draft.replace(/\d+$/, "");
  while (drafts().read(stem + form().querySelectorAll(".items textarea").length)) addItem();
  for (const element of form().querySelectorAll("textarea[data-draft]")) element.value ||= drafts().read(element.dataset.draft)?.text ?? "";
  for (const row of rows()) {
    const saved = drafts().read(draftOf(row))?.text;
    const radio = saved && row.querySelector(`input[value="${saved}"]`);
    if (radio && !chosen(row)) radio.checked = true;
    enableFields(row);
  }
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
  bar().querySelector("[data-problem]").hidden = true;
  showMoved();
  (document.getElementById("since") ?? page()).scrollIntoView({ block: "start" });
  rows()[0]?.focus({ preventScroll: true });
};

// Says why a verdict cannot be given, and goes to what is missing.
const explain = ({ text, target }) => {
  window.pendesk.showToast(text, { bad: true });
  target()?.focus();
};

document.addEventListener("change", ({ target }) => {
  const row = target.closest?.("#judge [data-criterion]");
  if (!row || target.type !== "radio") return;
  mark(row, target.value);
  tally();
});

// By key: a confirmed criterion leads on to the next one, a rejected one to its comment.
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-takes-new]")) return takeNew();
  if (event.target.closest("[data-adds-item]")) return addItem().focus();
  if (event.target.closest("#confirm-ci")) return confirmByCi();
  const row = event.target.closest("#judge [data-criterion]");
  if (!row) return;
  if (event.target.closest("[data-opens-note]")) return openNote(row);
  if (event.isTrusted || event.target.type !== "radio") return;
  const next = rows()[rows().indexOf(row) + 1] ?? row;
  queueMicrotask(() => (event.target.value === "rejected" ? openNote(row) : next.focus()));
});

// Each of the two verdicts has its own words; set before the form is read. Approving needs none of the reviewer's.
document.addEventListener(
  "submit",
  (event) => {
    const { target, submitter } = event;
    if (target.id !== "judge" || !submitter) return;
    tally();
    const why = WHY_NOT[submitter.value](countMarks());
    if (why) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return explain(why);
    }
    target.querySelector("[name=_done]").value = submitter.dataset.done;
    const summary = target.querySelector("[name=summary]");
    if (submitter.value === "approved") summary.value = summary.value.trim() || "Approved: every criterion is confirmed.";
  },
  true,
);

document.addEventListener("input", ({ target }) => target.closest?.("#judge") && tally());
document.addEventListener("review:items", tally);

document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !form() || window.pendesk.isModal()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const adds = event.target.closest?.(".line-comment.editing")?.querySelector("[data-adds-comment]");
    if (adds) adds.click();
    else form().requestSubmit(bar().querySelector(`button[value=${calledFor(countMarks())}]`));
  },
  true,
);

document.addEventListener("done", ({ target }) => {
  if (target.id !== "judge") return;
  for (const row of rows()) drafts().drop(draftOf(row));
  for (const element of target.querySelectorAll("[data-draft]")) drafts().drop(element.dataset.draft);
});

// A refusal that is about an item leads to it.
document.addEventListener("htmx:response:error", ({ detail: { ctx } }) => {
  if (ctx.sourceElement.id !== "judge") return;
  const [, number] = /"field": ?"items\[(\d+)\]/.exec(ctx.text) ?? [];
  const item = number === undefined ? null : items()[number];
  item?.scrollIntoView({ block: "center" });
  item?.querySelector("textarea, a")?.focus({ preventScroll: true });
  document.body.dispatchEvent(new CustomEvent("live:reload"));
});

document.addEventListener("pendesk:ready", () => {
  restore();
  showMoved();
});
document.addEventListener("htmx:after:swap", () => {
  restore();
  showMoved();
});
