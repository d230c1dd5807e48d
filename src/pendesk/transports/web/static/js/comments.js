// A comment that was edited in its place: the form closes, and has the new words when it is opened again.

document.addEventListener("done", ({ target, detail }) => {
  if (detail.operation !== "update_comment") return;
  for (const field of target.querySelectorAll?.("textarea") ?? []) field.defaultValue = field.value;
  target.closest?.("details")?.removeAttribute("open");
});
