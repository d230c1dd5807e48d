// A project from a file: what it would become is shown first, and made when that is what was wanted.

const { make } = window.pendesk;

// What of a file is worth telling, and in this order; how one of each and several are called.
const WORDS = {
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

const ask = async (form, dryRun) => {
  const query = new URLSearchParams([...new FormData(form)].filter(([name, value]) => name !== "file" && value));
  if (query.get("from")) for (const name of ["as_copy", "take_part"]) query.delete(name);
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

const show = (form, told) => {
  const counts = Object.keys(WORDS).filter((word) => told.counts[word]);
  part(form, "told").replaceChildren(
    make("h3", {}, `Preview: ${told.name} (${told.key})`),
    make("p", { class: "quiet" }, counts.map((word) => `${told.counts[word]} ${WORDS[word][told.counts[word] === 1 ? 0 : 1]}`).join(", ")),
    ...listed("Notes", told.warnings),
    ...listed("Imported as names without an account", told.namesOnly),
  );
  part(form, "told").hidden = false;
};

const begin = (form) => {
  part(form, "told").hidden = part(form, "problem").hidden = part(form, "import-now").hidden = true;
  form.querySelector("[type=submit]").hidden = false;
};

const tell = (form, problem) => {
  begin(form);
  part(form, "problem").textContent = problem.message;
  part(form, "problem").hidden = false;
};

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-imports]");
  if (!form) return;
  begin(form);
  const from = form.elements.from.value;
  for (const hint of form.querySelectorAll("[data-hint]")) hint.hidden = hint.dataset.hint !== from;
  part(form, "own-format").hidden = Boolean(from);
});

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-imports]");
  if (!form) return;
  event.preventDefault();
  begin(form);
  try {
    show(form, await ask(form, true));
    event.submitter.hidden = true;
    part(form, "import-now").hidden = false;
    part(form, "import-now").focus();
  } catch (problem) {
    tell(form, problem);
  }
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-import-now]");
  if (!button) return;
  button.disabled = true;
  try {
    location.assign(`/p/${(await ask(button.form, false)).key}`);
  } catch (problem) {
    tell(button.form, problem);
  } finally {
    button.disabled = false;
  }
});
