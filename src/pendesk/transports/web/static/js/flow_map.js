// All of a flow in a corner, with a frame around what is seen of it: a press or a drag looks there.

const ROOM = { w: 168, h: 112 };
const SVG = "http://www.w3.org/2000/svg";
const LEAST = 2; // pixels of a card

let box = null; // where all of it begins, and how small it is drawn
let dragged = false;

const map = () => document.querySelector(".flow-map");

const cardOnMap = ({ x, y, w, h, node }) => {
  const card = document.createElementNS(SVG, "rect");
  card.setAttribute("class", node.getAttribute("class"));
  const shape = { x, y, width: Math.max(w, LEAST / box.k), height: Math.max(h, LEAST / box.k) };
  for (const [name, value] of Object.entries(shape)) card.setAttribute(name, value);
  return card;
};

const draw = () => {
  const nodes = window.pendesk.flowNodes();
  map().hidden = nodes.length < 2;
  if (map().hidden) return;
  const left = Math.min(...nodes.map(({ x }) => x));
  const top = Math.min(...nodes.map(({ y }) => y));
  const width = Math.max(...nodes.map(({ x, w }) => x + w)) - left;
  const height = Math.max(...nodes.map(({ y, h }) => y + h)) - top;
  box = { left, top, k: Math.min(ROOM.w / width, ROOM.h / height) };
  const drawing = map().querySelector("svg");
  drawing.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
  drawing.setAttribute("width", width * box.k);
  drawing.setAttribute("height", height * box.k);
  drawing.replaceChildren(...nodes.map(cardOnMap));
};

const frame = (at) => {
  if (!box || map().hidden) return;
  const flow = map().closest(".flow");
  const { style } = map().querySelector("i");
  style.width = `${(flow.clientWidth / at.k) * box.k}px`;
  style.height = `${(flow.clientHeight / at.k) * box.k}px`;
  style.transform = `translate(${(-at.x / at.k - box.left) * box.k}px, ${(-at.y / at.k - box.top) * box.k}px)`;
};

const look = (event) => {
  const { left, top } = map().querySelector("svg").getBoundingClientRect();
  const detail = { x: (event.clientX - left) / box.k + box.left, y: (event.clientY - top) / box.k + box.top };
  document.dispatchEvent(new CustomEvent("flow:look", { detail }));
};

document.addEventListener("flow:view", ({ detail }) => {
  if (!box) draw();
  frame(detail);
});

document.addEventListener("htmx:after:swap", () => (box = null), true);

document.addEventListener("pointerdown", (event) => {
  dragged = Boolean(box && event.target.closest?.(".flow-map"));
  if (dragged) look(event);
});
document.addEventListener("pointermove", (event) => dragged && look(event));
for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => (dragged = false));
