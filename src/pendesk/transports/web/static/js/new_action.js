// The dialog "New action": a line for the next criterion appears once the last one is used, and a spec says when agents
// will see what is added to it.

document.addEventListener("input", ({ target }) => {
  const lines = target.closest?.(".criterion-lines");
  if (!lines || target !== lines.lastElementChild || !target.value.trim()) return;
  const next = target.cloneNode();
  next.value = "";
  lines.append(next);
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
