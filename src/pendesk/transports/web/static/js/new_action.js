// The dialog "New action": a line for the next criterion appears once the last one is used, and a spec says when agents
// will see what is added to it. Enter goes on to the next line, in an empty one it creates the action; several pasted
// lines become several criteria.

const lineAfter = (line) => {
  if (line.nextElementSibling) return line.nextElementSibling;
  const next = line.cloneNode();
  next.value = "";
  line.after(next);
  return next;
};

document.addEventListener("input", ({ target }) => {
  if (target.matches?.("[data-criterion-line]") && target.value.trim()) lineAfter(target);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing) return;
  if (!event.target.matches?.("[data-criterion-line]") || !event.target.value.trim()) return;
  event.preventDefault();
  lineAfter(event.target).focus();
});

document.addEventListener("paste", (event) => {
  const items = event.target.matches?.("[data-criterion-line]") && window.pendesk.pastedItems(event);
  if (!items) return;
  event.preventDefault();
  let line = event.target;
  for (const { text } of items) {
    if (line.value.trim()) line = lineAfter(line);
    line.value = text;
  }
  lineAfter(line).focus();
});

const showSpecHint = (form) => {
  const hint = form?.querySelector("[data-in-spec]");
  if (hint) hint.hidden = !form.querySelector("[data-spec-choice]").value;
};

document.addEventListener("change", ({ target }) => target.matches("[data-spec-choice]") && showSpecHint(target.form));
document.addEventListener("reset", ({ target }) => {
  for (const line of [...target.querySelectorAll("[data-criterion-line]")].slice(1)) line.remove();
  queueMicrotask(() => showSpecHint(target));
});
