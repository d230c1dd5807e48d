// A project from a file: previewed first, then imported.

const { make } = window.pendesk;

// What the preview counts, in this order; singular and plural.
const NOUNS = {
  goal: ["goal", "goals"],
  spec: ["spec", "specs"],
  action: ["action", "actions"],
  criterion: ["criterion", "criteria"],
  edge: ["connection", "connections"],
  document: ["document", "documents"],
  note: ["note", "notes"],
  comment: ["comment", "comments"],
  attachment: ["attachment", "attachments"],
};

const part = (form, name) => form.querySelector(`[data-${name}]`);

const sendImport = async (form, dryRun) => {
  const query = new URLSearchParams([...new FormData(form)].filter(([name, value]) => name !== "file" && value));
  for (const name of query.get("from") ? ["as_copy", "take_part"] : ["specs"]) query.delete(name);
  if (dryRun) query.set("dry_run", "true");
  const bar = form.querySelector("progress");
  bar.hidden = false;
  form.setAttribute("aria-busy", "true");
  try {
    return await window.pendesk.sendFile(`/api/v1/projects/import?${query}`, form.elements.file.files[0], (done) => (bar.value = done));
  } finally {
    bar.hidden = true;
    form.removeAttribute("aria-busy");
  }
};

const listed = (title, lines) =>
  lines?.length ? [make("h4", {}, `${title}: ${lines.length}`), make("ul", {}, ...lines.map((line) => make("li", {}, line)))] : [];

const show = (form, preview) => {
  const counts = Object.keys(NOUNS).filter((word) => preview.counts[word]);
  part(form, "preview").replaceChildren(
    make("h3", {}, `Preview: ${preview.name} (${preview.key})`),
    make("p", { class: "quiet" }, counts.map((word) => `${preview.counts[word]} ${NOUNS[word][preview.counts[word] === 1 ? 0 : 1]}`).join(", ")),
    ...listed("Warnings", preview.warnings),
    ...listed("People imported by name only, without an account", preview.namesOnly),
  );
  part(form, "preview").hidden = false;
};

const reset = (form) => {
  part(form, "preview").hidden = part(form, "problem").hidden = part(form, "import-now").hidden = true;
  form.querySelector("[type=submit]").hidden = false;
};

const showProblem = (form, problem) => {
  reset(form);
  part(form, "problem").textContent = problem.message;
  part(form, "problem").hidden = false;
};

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-imports]");
  if (!form) return;
  reset(form);
  const from = form.elements.from.value;
  for (const hint of form.querySelectorAll("[data-hint]")) hint.hidden = hint.dataset.hint !== from;
  part(form, "own-format").hidden = Boolean(from);
  part(form, "foreign-format").hidden = !from;
});

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-imports]");
  if (!form) return;
  event.preventDefault();
  reset(form);
  try {
    show(form, await sendImport(form, true));
    event.submitter.hidden = true;
    part(form, "import-now").hidden = false;
    part(form, "import-now").focus();
  } catch (problem) {
    showProblem(form, problem);
  }
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-import-now]");
  if (!button) return;
  button.disabled = true;
  try {
    location.assign(`/p/${(await sendImport(button.form, false)).key}`);
  } catch (problem) {
    showProblem(button.form, problem);
  } finally {
    button.disabled = false;
  }
});
