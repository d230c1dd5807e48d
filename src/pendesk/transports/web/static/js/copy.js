// data-copies="selector" copies that element's text. On plain http there is no clipboard to ask for, so the old way.

const copied = async (text) => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text).then(() => true, () => false);
  const area = document.createElement("textarea");
  area.value = text;
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
};

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copies]");
  if (!button) return;
  const source = document.querySelector(button.dataset.copies);
  const done = await copied((source.value ?? source.textContent).trim());
  window.pendesk.showToast(done ? "Copied." : "Could not copy. Select the text and copy it manually.", { bad: !done });
});
