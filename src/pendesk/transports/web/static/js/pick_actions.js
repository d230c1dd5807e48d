// "Depends on": actions picked by typing, one after the other. [data-picks] is the field; where it stands in a form of its own
// each pick is saved at once, in [data-picked] it becomes a field of the form around.

const { make, send, changed, showError } = window.pendesk;
const WAIT_MS = 120;
const REFS = /^[a-z][a-z0-9]{1,9}-[1-9][0-9]*(?:[\s,]+[a-z][a-z0-9]{1,9}-[1-9][0-9]*)*$/i;
let waiting = 0;
let requestNumber = 0;
let saving = Promise.resolve();

const isField = (target) => target.matches?.("[data-picks]");
const listOf = (field) => field.nextElementSibling;
const optionsOf = (field) => [...listOf(field).children].filter((option) => option.dataset.pid);
const chosenOf = (field) => document.getElementById(field.getAttribute("aria-activedescendant"));
const pickedIn = (field) => [...(field.closest("[data-picked]")?.querySelectorAll("input[type=hidden]") ?? [])].map((input) => input.value);

const close = (field) => {
  clearTimeout(waiting);
  requestNumber++;
  listOf(field).hidden = true;
  field.setAttribute("aria-expanded", "false");
  field.removeAttribute("aria-activedescendant");
};

const choose = (field, option) => {
  for (const other of optionsOf(field)) other.setAttribute("aria-selected", String(other === option));
  if (option) field.setAttribute("aria-activedescendant", option.id);
  option?.scrollIntoView({ block: "nearest" });
};

const show = (field, actions) => {
  const options = actions.map(({ pid, refCode, label }) =>
    make(
      "li",
      { class: "offered-option depends-option", role: "option", id: `${field.id}-${pid}`, "aria-selected": "false", "data-pid": pid, "data-ref": refCode },
      make("span", { class: "ref" }, refCode),
      make("span", {}, label),
    ),
  );
  const none = make("li", { class: "offered-option depends-option quiet", role: "option", "aria-disabled": "true" }, "No matching action");
  listOf(field).replaceChildren(...(options.length ? options : [none]));
  listOf(field).hidden = false;
  field.setAttribute("aria-expanded", "true");
  field.removeAttribute("aria-activedescendant");
  if (options.length) choose(field, options[0]);
};

const load = async (field) => {
  const { picks, picksFor } = field.dataset;
  const query = new URLSearchParams({ query: field.value.trim() });
  if (picksFor) query.set("action_id", picksFor);
  const number = ++requestNumber;
  const answer = await fetch(`/api/v1/projects/${picks}/suggestions?${query}`).catch(() => null);
  if (!answer?.ok || number !== requestNumber || document.activeElement !== field) return;
  const picked = pickedIn(field);
  show(field, (await answer.json()).actions.filter(({ pid, refCode }) => !picked.includes(pid) && !picked.includes(refCode)));
};

const save = (field, action) => {
  const fields = [...new FormData(field.form)].filter(([name]) => name !== field.name);
  saving = saving.then(async () => {
    const { data, error } = await send("create_edge", [...fields, [field.name, action]]);
    showError(error);
    changed(data);
  });
};

const addChip = (field, action, ref) => {
  const name = field.closest("[data-picked]").dataset.picked;
  const remove = make("button", { type: "button", class: "chip-x", title: `Remove ${ref}`, "aria-label": `Remove ${ref}` });
  remove.append(window.pendesk.icon("x"));
  const chip = make("span", { class: "chip depends-chip" }, make("span", { class: "ref" }, ref), make("input", { type: "hidden", name, value: action }), remove);
  remove.onclick = () => {
    chip.remove();
    field.focus();
  };
  field.closest(".depends-add").before(chip);
};

const pick = (field, action, ref) => {
  if (field.closest("[data-picked]")) addChip(field, action, ref);
  else save(field, action);
};

const pickOption = (field, option) => {
  pick(field, option.dataset.pid, option.dataset.ref);
  field.value = "";
  close(field);
};

document.addEventListener("input", ({ target }) => {
  if (!isField(target)) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => load(target), WAIT_MS);
});

const step = (field, by) => {
  const options = optionsOf(field);
  if (listOf(field).hidden || !options.length) return load(field);
  choose(field, options.at((options.indexOf(chosenOf(field)) + by) % options.length));
};

// Several refs at once, else what is chosen in the list; with neither the field is looked up first.
const enter = (event) => {
  const field = event.target;
  const text = field.value.trim();
  if (event.ctrlKey || event.metaKey || (!text && listOf(field).hidden)) return;
  event.preventDefault();
  if (REFS.test(text)) {
    for (const ref of text.toUpperCase().split(/[\s,]+/)) pick(field, ref, ref);
    field.value = "";
    return close(field);
  }
  const option = !listOf(field).hidden && chosenOf(field);
  if (option) pickOption(field, option);
  else load(field);
};

// Before the drawer or a dialog hears of Esc, the list does.
document.addEventListener(
  "keydown",
  (event) => {
    if (!isField(event.target) || event.isComposing) return;
    const field = event.target;
    if (event.key === "Enter") enter(event);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      step(field, event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Escape" && !listOf(field).hidden) {
      event.preventDefault();
      event.stopPropagation();
      close(field);
    } else if (event.key === "Backspace" && !field.value) {
      [...field.closest(".depends").querySelectorAll(".chip-x")].at(-1)?.focus();
    }
  },
  true,
);

document.addEventListener("submit", (event) => {
  if (event.target.matches(".depends-form")) event.preventDefault();
});

// The list keeps the focus in the field.
document.addEventListener("pointerdown", (event) => event.target.closest(".depends-list") && event.preventDefault());
document.addEventListener("click", (event) => {
  const option = event.target.closest(".depends-option[data-pid]");
  if (option) return pickOption(option.closest(".depends-add").querySelector("[data-picks]"), option);
  if (isField(event.target) && listOf(event.target).hidden) load(event.target);
});
document.addEventListener("focusout", ({ target }) => isField(target) && close(target));
document.addEventListener("reset", ({ target }) => {
  for (const chip of target.querySelectorAll("[data-picked] .depends-chip")) chip.remove();
});
