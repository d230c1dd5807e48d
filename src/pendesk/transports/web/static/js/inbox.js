// Rows that are answered in place leave the list; the focus moves to the next one.

let answered = null; // the row that is about to leave, and where it stood

const items = () => [...document.querySelectorAll("#inbox [data-row] [data-item]")];

// Noted when the answer is sent: the stream may take the row away before the server's answer comes.
document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  const row = ctx.sourceElement.closest?.("#inbox [data-row]");
  if (row) answered = { id: row.id, place: items().findIndex((item) => row.contains(item)) };
});
document.addEventListener("htmx:response:error", () => (answered = null));

document.addEventListener("htmx:after:swap", () => {
  if (!answered || document.getElementById(answered.id)) return;
  const next = items()[Math.min(answered.place, items().length - 1)];
  answered = null;
  (next ?? document.getElementById("main")).focus({ preventScroll: !next });
});
