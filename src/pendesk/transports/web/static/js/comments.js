// A comment that was edited in its place: the form closes, and has the new words when it is opened again.

document.addEventListener("done", ({ target, detail }) => {
  if (detail.operation !== "update_comment") return;
  for (const field of target.querySelectorAll?.("textarea") ?? []) field.defaultValue = field.value;
  target.closest?.("details")?.removeAttribute("open");
});

// What offers people and agents after an @ is loaded with the first field that has them.
document.addEventListener("focusin", ({ target }) => {
  const src = target.dataset?.mentions;
  if (src && !document.querySelector(`script[src="${src}"]`)) document.head.append(window.pendesk.make("script", { src }));
});
