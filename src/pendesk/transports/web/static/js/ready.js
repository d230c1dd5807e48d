// The other scripts begin with pendesk:ready. Mostly that is when the document is there; a page with data-late is painted
// first, which takes it two frames, unless its reader does something before.

const HIDDEN_FOR_MS = 1000; // a page that nobody looks at has no frames
const ACTS = ["keydown", "pointerdown", "focusin"];

let isReady = false;
const begin = () => {
  if (isReady) return;
  isReady = true;
  document.dispatchEvent(new CustomEvent("pendesk:ready"));
};

const afterFrames = (count) => requestAnimationFrame(() => (count > 1 ? afterFrames(count - 1) : setTimeout(begin)));

// What is painted in a later frame could not get the focus before.
const paintAllAndBegin = () => {
  document.documentElement.dataset.acted = "";
  begin();
};

document.addEventListener("DOMContentLoaded", () => {
  if (document.documentElement.dataset.late === undefined || document.hidden) return begin();
  for (const act of ACTS) addEventListener(act, paintAllAndBegin, { capture: true, once: true });
  afterFrames(2);
  setTimeout(begin, HIDDEN_FOR_MS);
});
