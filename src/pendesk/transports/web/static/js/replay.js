// A project played again: the slider is a moment, the columns show where each action was then.

const STEP_MS = 350;
let playing = 0;

const stage = () => document.querySelector("[data-replay]");
const slider = () => stage().querySelector("[data-replay-at]");
const moves = () => [...stage().querySelectorAll("[data-replay-moves] > li")].map((item) => item.dataset);

const chip = (move, moved) => {
  const element = document.createElement(move.ref ? "a" : "span");
  element.className = moved ? "ref moved" : "ref";
  element.textContent = move.ref || "deleted";
  if (move.ref) {
    element.href = `/a/${move.ref}`;
    element.dataset.drawer = "";
  }
  return element;
};

const draw = () => {
  const all = moves();
  const upto = Number(slider().value);
  const where = new Map();
  for (const move of all.slice(0, upto + 1)) where.set(move.id, move);
  for (const column of stage().querySelectorAll("[data-replay-state]")) {
    const present = [...where.values()].filter((move) => move.state === column.dataset.replayState);
    column.querySelector(".count").textContent = present.length;
    column.querySelector(".replay-refs").replaceChildren(...present.map((move) => chip(move, move === all[upto])));
  }
  const moment = new Date(all[upto].at);
  stage().querySelector("[data-replay-time]").textContent = moment.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
};

const stop = () => {
  clearInterval(playing);
  playing = 0;
};

const play = () => {
  if (playing) return stop();
  if (Number(slider().value) >= Number(slider().max)) slider().value = 0;
  draw();
  playing = setInterval(() => {
    slider().value = Number(slider().value) + 1;
    draw();
    if (Number(slider().value) >= Number(slider().max)) stop();
  }, STEP_MS);
};

document.addEventListener("input", (event) => {
  if (!event.target.matches("[data-replay-at]")) return;
  stop();
  draw();
});
document.addEventListener("click", (event) => event.target.closest("[data-replay-play]") && play());
document.addEventListener("pendesk:ready", () => {
  if (!stage()) return;
  stage().hidden = false;
  draw();
});
