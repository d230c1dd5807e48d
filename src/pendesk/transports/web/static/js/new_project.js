// The dialog "New project": while the name is typed the key says what it would be, until somebody types another.

const PAUSE_MS = 150;
let waiting = 0;

const propose = async (form) => {
  const { name, key } = form.elements;
  const asked = name.value.trim();
  const answer = asked && (await fetch(`/api/v1/proposed-key?${new URLSearchParams({ name: asked })}`).catch(() => null));
  if (key.hasAttribute("data-typed") || name.value.trim() !== asked) return;
  key.value = answer?.ok ? (await answer.json()).key : "";
};

document.addEventListener("input", ({ target }) => {
  const form = target.closest?.("[data-proposes-key]");
  if (!form) return;
  if (target.name === "key") target.toggleAttribute("data-typed", target.value !== "");
  if (target.name !== "name") return;
  clearTimeout(waiting);
  waiting = setTimeout(propose, PAUSE_MS, form);
});

document.addEventListener("reset", ({ target }) => target.matches?.("[data-proposes-key]") && target.elements.key.removeAttribute("data-typed"));
