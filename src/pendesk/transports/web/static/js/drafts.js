// Typed text is stored in this browser until it is saved: a reload, a crash or a closed tab loses nothing.

const PREFIX = "pendesk:draft:";
const KEPT_MS = 30 * 24 * 3600 * 1000;

const read = (key) => {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key));
  } catch {
    return null;
  }
};

const keep = (key, text, revision) => {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify({ text, revision, at: Date.now() }));
  } catch {
    // Storage is full or forbidden: the text is only lost with the page.
  }
};

const drop = (key) => localStorage.removeItem(PREFIX + key);

Object.assign(window.pendesk, { drafts: { read, keep, drop } });

// Fields that add something: data-draft names their draft.
document.addEventListener("input", ({ target }) => {
  const key = target.dataset?.draft;
  if (!key) return;
  if (target.value) keep(key, target.value, 0);
  else drop(key);
});

document.addEventListener("reset", ({ target }) => {
  for (const field of target.querySelectorAll("[data-draft]")) drop(field.dataset.draft);
});

document.addEventListener("pendesk:ready", () => {
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith(PREFIX) && Date.now() - (read(name.slice(PREFIX.length))?.at ?? 0) > KEPT_MS) localStorage.removeItem(name);
  }
  for (const field of document.querySelectorAll("[data-draft]")) {
    const draft = read(field.dataset.draft);
    if (draft && !field.value) field.value = draft.text;
  }
});
