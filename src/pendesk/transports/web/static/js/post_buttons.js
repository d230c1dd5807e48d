// A button that calls an operation: data-posts names it, its other data are the fields.
// data-undo: the operation with its fields that takes it back, offered by a toast that says data-undo-text.
// data-asks: one field is asked for first, as several where data-asks-many says so; data-asks-text explains, data-asks-field is its label then. data-confirms: a question comes first. data-drops: so do those of drop.js. data-then: where to go afterwards.

const OWN = ["posts", "asks", "asksLabel", "asksValue", "asksMany", "undo", "undoText", "asksButton", "asksText", "asksField", "confirms", "drops", "then", "command", "key"];

const promptFor = async ({ asksLabel, asksButton = "Save", asksValue = "", asksText = "", asksField = "" }) => {
  const dialog = document.getElementById("ask");
  const input = dialog.querySelector("input");
  dialog.querySelector("#ask-title").textContent = asksLabel;
  dialog.querySelector("#ask-yes").textContent = asksButton;
  dialog.querySelector("#ask-text").textContent = asksText;
  dialog.querySelector("#ask-text").hidden = !asksText;
  dialog.querySelector("#ask-field").textContent = asksField;
  dialog.querySelector("#ask-field").hidden = !asksField;
  input.value = asksValue;
  return (await window.pendesk.answered(dialog)) ? input.value.trim() : null;
};

const offerUndo = ({ undo, undoText }) => {
  const { operation, ...fields } = JSON.parse(undo);
  const takeBack = async () => {
    const { data, error } = await window.pendesk.send(operation, Object.entries(fields));
    window.pendesk.showError(error);
    window.pendesk.changed(data);
  };
  window.pendesk.showToast(undoText, { undo: takeBack });
};

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-posts]");
  if (!button) return;
  event.preventDefault();
  button.closest("details.menu")?.removeAttribute("open");
  const { posts, asks, confirms, drops, then } = button.dataset;
  const pairs = Object.entries(button.dataset).filter(([name]) => !OWN.includes(name));
  if (confirms && !(await window.pendesk.confirmed(confirms, button))) return;
  if (drops) {
    const fields = await window.pendesk.askDrop([drops]);
    if (!fields) return;
    pairs.push(...Object.entries(fields));
  }
  if (asks) {
    const value = await promptFor(button.dataset);
    if (value === null) return;
    if ("asksMany" in button.dataset) pairs.push(...value.split(/\s+/).map((item) => [asks, item]));
    else pairs.push([asks, value]);
  }
  const { data, error } = await window.pendesk.send(posts, pairs);
  if (error) return window.pendesk.showError(error);
  if (then) return location.assign(then);
  if (button.dataset.undo) offerUndo(button.dataset);
  window.pendesk.changed(data);
});
