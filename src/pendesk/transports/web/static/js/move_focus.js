// j k h l and the arrows move the focus between [data-item] of a [data-moves]; columns are [data-column].

const STEPS = { j: [0, 1], ArrowDown: [0, 1], k: [0, -1], ArrowUp: [0, -1], l: [1, 0], ArrowRight: [1, 0], h: [-1, 0], ArrowLeft: [-1, 0] };

const columnsOf = (area) => {
  const columns = [...area.querySelectorAll("[data-column]")];
  const lists = columns.length ? columns.map((group) => [...group.querySelectorAll("[data-item]")]) : [[...area.querySelectorAll("[data-item]")]];
  return lists.filter((group) => group.length);
};

// Whatever has the focus in a row stands for the row's item.
const itemOf = (element) => element?.closest("[data-item]") ?? element?.closest("[data-row]")?.querySelector("[data-item]");

document.addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (window.pendesk.isTyping(event.target) || window.pendesk.isModal()) return;
  const arrow = event.key.startsWith("Arrow");
  const area = event.target.closest?.("[data-moves]") ?? (arrow ? null : document.querySelector("[data-moves]"));
  if (!area) return;
  const columns = columnsOf(area);
  if (!columns.length) return;
  const focused = itemOf(document.activeElement);
  const at = columns.findIndex((group) => group.includes(focused));
  const row = at < 0 ? -1 : columns[at].indexOf(focused);
  const column = at < 0 ? 0 : Math.min(columns.length - 1, Math.max(0, at + step[0]));
  const nextRow = at < 0 ? 0 : row + step[1];
  const target = columns[column][Math.min(columns[column].length - 1, Math.max(0, nextRow))];
  event.preventDefault();
  target.focus();
  target.scrollIntoView({ block: "nearest", inline: "nearest" });
});
