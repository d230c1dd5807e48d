// The flow of a project: pan, zoom, drag a task to place it, drag from its port to connect it; all of it by keyboard too.
// The server draws the picture. The view is moved by a CSS transform on a wrapper, which a live update does not touch.

// From which scale on there are words: all of them, or refs and labels in large letters. Below that cards are fields of
// colour, and further below with outlines so strong that they are seen. What could not be read is never drawn.
const NEAR = 0.72;
const MIDDLE = 0.45;
const TINY = 0.18;
const LARGE = { font: 20, lines: 2, top: 47, room: 208 };
const STEP = 24;
const SLACK = 4; // a hand that trembles is not a drag
const SAVE_MS = 400;
const ARROWS = { ArrowRight: [1, 0], l: [1, 0], ArrowLeft: [-1, 0], h: [-1, 0], ArrowDown: [0, 1], j: [0, 1], ArrowUp: [0, -1], k: [0, -1] };
const SVG = "http://www.w3.org/2000/svg";

let at = { x: 24, y: 24, k: 1 };
let held = null; // what the pointer has hold of: the ground, a node, or a port
let pending = null; // by keyboard: what to do with the next node, and the node that it starts from
let saving = 0;

const flow = () => document.querySelector("[data-flow]");
const wrapper = () => flow().querySelector(".flow-view");
const nodes = () => [...flow().querySelectorAll(".flow-view .node")];
const nodeOf = (ref) => document.getElementById(`node-${ref}`);
const refOf = (node) => node.id.slice("node-".length);
const pidOf = (node) => node.dataset.marks;
const place = (node) => {
  const { e, f } = node.transform.baseVal[0].matrix;
  return { x: e, y: f };
};
const size = () => ({ w: Number(flow().dataset.width), h: Number(flow().dataset.height) });
const memory = () => `flow ${flow().dataset.project} ${flow().dataset.shown}`;
let shown = ""; // whose flow it was when it was opened: project and filter

const measure = document.createElement("canvas").getContext("2d");
const wide = (text) => measure.measureText(text).width > LARGE.room;

const cut = (text) => {
  if (!wide(text)) return text;
  let length = text.length;
  while (length && wide(`${text.slice(0, length)}…`)) length -= 1;
  return `${text.slice(0, length).trimEnd()}…`;
};

const largeLines = (label) => {
  const words = label.split(" ");
  const lines = [];
  while (words.length && lines.length < LARGE.lines - 1) {
    let line = words.shift();
    while (words.length && !wide(`${line} ${words[0]}`)) line += ` ${words.shift()}`;
    lines.push(cut(line));
  }
  return words.length ? [...lines, cut(words.join(" "))] : lines;
};

const writeLarge = (node) => {
  if (node.querySelector(".node-large")) return;
  const text = document.createElementNS(SVG, "text");
  text.setAttribute("class", "node-large");
  largeLines(node.querySelector("title").textContent.split("\n")[0]).forEach((line, number) => {
    const span = document.createElementNS(SVG, "tspan");
    span.setAttribute("x", 12);
    span.setAttribute("y", LARGE.top + number * (LARGE.font + 1));
    span.textContent = line;
    text.append(span);
  });
  node.append(text);
};

const show = () => {
  wrapper().style.transform = `translate(${at.x}px, ${at.y}px) scale(${at.k})`;
  const { classList } = flow();
  classList.toggle("middle", at.k < NEAR && at.k >= MIDDLE);
  classList.toggle("far", at.k < MIDDLE);
  classList.toggle("tiny", at.k < TINY);
  if (classList.contains("middle")) {
    measure.font = `500 ${LARGE.font}px ${getComputedStyle(flow()).fontFamily}`;
    nodes().forEach(writeLarge);
  }
  sessionStorage.setItem(memory(), JSON.stringify(at));
  document.dispatchEvent(new CustomEvent("flow:view", { detail: at }));
};

const zoom = (factor, x, y) => {
  const k = Math.min(2, Math.max(0.08, at.k * factor));
  at = { x: x - ((x - at.x) * k) / at.k, y: y - ((y - at.y) * k) / at.k, k };
  show();
};

const zoomMiddle = (factor) => zoom(factor, flow().clientWidth / 2, flow().clientHeight / 2);

// Where someone works, else where work can begin: what a small screen shows first.
const first = () => wrapper().querySelector(".node.is-in_progress") ?? wrapper().querySelector(".node.is-todo") ?? nodes()[0];

const centre = (node, k) => {
  const { x, y } = place(node);
  const { w, h } = size();
  at = { x: flow().clientWidth / 2 - (x + w / 2) * k, y: flow().clientHeight / 2 - (y + h / 2) * k, k };
  show();
};

const fit = (chosen = nodes()) => {
  const all = chosen.map(place);
  if (!all.length) return show();
  const { w, h } = size();
  const left = Math.min(...all.map((spot) => spot.x));
  const top = Math.min(...all.map((spot) => spot.y));
  const width = Math.max(...all.map((spot) => spot.x)) + w - left;
  const height = Math.max(...all.map((spot) => spot.y)) + h - top;
  const k = Math.min(1, (flow().clientWidth - 48) / width, (flow().clientHeight - 48) / height);
  at = { x: (flow().clientWidth - width * k) / 2 - left * k, y: (flow().clientHeight - height * k) / 2 - top * k, k };
  show();
};

// Fitted on what is not done; where that is too much to be read, on where someone works or work can begin.
const open = () => {
  const unfinished = nodes().filter((node) => !node.classList.contains("closed"));
  fit(unfinished.length ? unfinished : nodes());
  if (at.k < MIDDLE && nodes().length) centre(first(), NEAR);
};

const curve = (from, to) => {
  const { w, h } = size();
  const [x1, y1, x2, y2] = [from.x + w, from.y + h / 2, to.x, to.y + h / 2];
  const reach = Math.max(32, Math.abs(x2 - x1) / 2);
  return `M${x1} ${y1} C${x1 + reach} ${y1} ${x2 - reach} ${y2} ${x2} ${y2}`;
};

const edgesOf = (ref) => [...flow().querySelectorAll(`path[data-from="${ref}"], path[data-to="${ref}"]`)];

const put = (node, x, y) => {
  node.setAttribute("transform", `translate(${x} ${y})`);
  for (const edge of edgesOf(refOf(node))) {
    edge.setAttribute("d", curve(place(nodeOf(edge.dataset.from)), place(nodeOf(edge.dataset.to))));
  }
};

const save = async (node, before) => {
  const refusal = await window.pendesk.post("update_action", { action_id: pidOf(node), ...place(node) });
  if (!refusal) return;
  put(node, before.x, before.y);
  window.pendesk.showToast(refusal, { bad: true });
};

const connect = async (from, to) => {
  if (from === to) return;
  const ends = { from_task_id: pidOf(from), to_task_id: pidOf(to) };
  const refusal = await window.pendesk.post("create_edge", { project_id: flow().dataset.project, label: "blocks", ...ends });
  window.pendesk.showToast(refusal ?? `${refOf(from)} is now a prerequisite of ${refOf(to)}.`, { bad: Boolean(refusal) });
};

const disconnect = async (edge) => {
  const { label, from, to } = edge.dataset;
  const refusal = await window.pendesk.post("remove_edge", { edge_id: edge.id.slice("edge-".length) });
  if (refusal) return window.pendesk.showToast(refusal, { bad: true });
  const [first, after] = [pidOf(nodeOf(from)), pidOf(nodeOf(to))];
  // As it was drawn: depends_on points from what comes after.
  const ends = label === "depends_on" ? { from_task_id: after, to_task_id: first } : { from_task_id: first, to_task_id: after };
  const undo = () => window.pendesk.post("create_edge", { project_id: flow().dataset.project, label, ...ends });
  window.pendesk.showToast(`${from} and ${to} disconnected.`, { undo });
};

const disconnectNodes = (node, other) => {
  const edge = edgesOf(refOf(node)).find(({ dataset }) => [dataset.from, dataset.to].includes(refOf(other)));
  if (edge) disconnect(edge);
  else window.pendesk.showToast(`${refOf(node)} and ${refOf(other)} are not connected.`, { bad: true });
};

// A line is thin: what is near it is meant, too.
const edgeNear = (x, y) => {
  for (const [dx, dy] of [[0, 0], [0, 5], [0, -5], [5, 0], [-5, 0]]) {
    const edge = document.elementsFromPoint(x + dx, y + dy).find((element) => element.matches(".flow-view .edge[data-label]"));
    if (edge) return edge;
  }
  return null;
};

// What hangs together with one task stands out; the rest steps back.
const light = (node) => {
  const lit = new Set(node ? [refOf(node)] : []);
  flow().classList.toggle("lit-some", Boolean(node));
  for (const edge of flow().querySelectorAll(".flow-view .edge")) {
    const near = node && (edge.dataset.from === refOf(node) || edge.dataset.to === refOf(node));
    edge.classList.toggle("lit", Boolean(near));
    if (near) lit.add(edge.dataset.from).add(edge.dataset.to);
  }
  for (const element of nodes()) element.classList.toggle("lit", lit.has(refOf(element)));
};

// Whoever may connect takes hold of the port of the card that is pointed at.
const port = document.createElementNS(SVG, "circle");
port.setAttribute("class", "node-port");
port.setAttribute("r", "7");

const showPort = (node) => {
  if (!node || !flow().hasAttribute("data-writable")) return port.remove();
  port.setAttribute("cx", size().w);
  port.setAttribute("cy", size().h / 2);
  if (port.parentElement !== node) node.append(port);
};

const bringIntoView = (node) => {
  const { x, y } = place(node);
  const { w, h } = size();
  const seen = { left: x * at.k + at.x, top: y * at.k + at.y, right: (x + w) * at.k + at.x, bottom: (y + h) * at.k + at.y };
  if (seen.left < 0) at.x += 48 - seen.left;
  if (seen.right > flow().clientWidth) at.x -= seen.right - flow().clientWidth + 48;
  if (seen.top < 0) at.y += 48 - seen.top;
  if (seen.bottom > flow().clientHeight) at.y -= seen.bottom - flow().clientHeight + 48;
  flow().scrollTo(0, 0); // a browser scrolls what is focused into view by itself
  show();
};

// The nearest one in that direction; what lies far to the side counts as further away.
const nearest = (node, [dx, dy]) => {
  const origin = place(node);
  const cost = (other) => {
    const along = (place(other).x - origin.x) * dx + (place(other).y - origin.y) * dy;
    const aside = Math.abs((place(other).x - origin.x) * dy) + Math.abs((place(other).y - origin.y) * dx);
    return along > 0 ? along + 2 * aside : Infinity;
  };
  const best = nodes().filter((element) => element !== node).sort((a, b) => cost(a) - cost(b))[0];
  return best && cost(best) < Infinity ? best : null;
};

const nudge = (node, [dx, dy]) => {
  const before = place(node);
  put(node, before.x + dx * STEP, before.y + dy * STEP);
  bringIntoView(node);
  clearTimeout(saving);
  saving = setTimeout(() => save(node, before), SAVE_MS);
};

const QUESTIONS = {
  e: [connect, (ref) => `Connect ${ref}: move to the action that depends on it and press Enter. Esc cancels.`],
  x: [disconnectNodes, (ref) => `Disconnect ${ref}: move to the other action and press Enter. Esc cancels.`],
};

const startPending = (node, [run, question]) => {
  pending = { node, run };
  node.classList.add("connecting");
  window.pendesk.showToast(question(refOf(node)));
};

const stopPending = () => {
  pending?.node.classList.remove("connecting");
  pending = null;
};

const arrange = async (layout, placed) => {
  const fields = { project_id: flow().dataset.project, layout };
  placed.forEach((node, number) => {
    for (const name of ["id", "x", "y"]) fields[`nodes.${number}.${name}`] = node[name];
  });
  return window.pendesk.post("put_canvas", fields);
};

const tidy = async () => {
  const placed = nodes().filter((node) => "placed" in node.dataset).map((node) => ({ id: pidOf(node), ...place(node) }));
  const refusal = await arrange("automatic", []);
  if (refusal) return window.pendesk.showToast(refusal, { bad: true });
  const undo = async () => {
    const refused = await arrange("manual", placed);
    if (refused) window.pendesk.showToast(refused, { bad: true });
  };
  window.pendesk.showToast("Actions arranged.", { undo: placed.length ? undo : null });
};

const COMMANDS = { fit: () => fit(), tidy, in: () => zoomMiddle(1.25), out: () => zoomMiddle(0.8) };

document.addEventListener("click", (event) => COMMANDS[event.target.closest("[data-flow-do]")?.dataset.flowDo]?.());

document.addEventListener("keydown", (event) => {
  const node = event.target.closest?.(".node");
  if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = ARROWS[event.key];
  if (step && event.shiftKey) nudge(node, step);
  else if (step) nearest(node, step)?.focus();
  else if (QUESTIONS[event.key] && !pending && flow().hasAttribute("data-writable")) startPending(node, QUESTIONS[event.key]);
  else if (pending && event.key === "Enter") {
    pending.run(pending.node, node);
    stopPending();
  } else if (pending && event.key === "Escape") stopPending();
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

document.addEventListener("dblclick", (event) => {
  const edge = event.target.closest?.("[data-flow][data-writable]") && !event.target.closest(".node") && edgeNear(event.clientX, event.clientY);
  if (edge) disconnect(edge);
});

document.addEventListener("focusin", (event) => {
  const node = event.target.closest?.("[data-flow] .node");
  if (node) bringIntoView(node);
  if (!flow()) return;
  light(node);
  showPort(node);
});
let pointed = null;
document.addEventListener("pointerover", (event) => {
  if (!flow() || held || flow().querySelector(".node:focus-visible")) return;
  const node = event.target.closest?.("[data-flow] .node");
  if (node === pointed) return;
  pointed = node;
  light(node);
  showPort(node);
});

document.addEventListener("wheel", (event) => {
  if (!event.target.closest?.("[data-flow]")) return;
  event.preventDefault();
  const { left, top } = flow().getBoundingClientRect();
  zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.clientX - left, event.clientY - top);
}, { passive: false });

document.addEventListener("pointerdown", (event) => {
  if (event.button || !event.target.closest?.("[data-flow]") || event.target.closest(".flow-corner, .flow-note")) return;
  const node = event.target.closest(".node");
  const writable = flow().hasAttribute("data-writable");
  const kind = !node || !writable ? "ground" : event.target.closest(".node-port") ? "port" : "node";
  held = { kind, node, x: event.clientX, y: event.clientY, from: kind === "node" ? place(node) : { ...at }, moved: false };
});

const drawLine = (event) => {
  const { left, top } = flow().getBoundingClientRect();
  const { h } = size();
  held.line ??= flow().querySelector("svg").appendChild(document.createElementNS(SVG, "path"));
  held.line.setAttribute("class", "edge drawn");
  const tip = { x: (event.clientX - left - at.x) / at.k, y: (event.clientY - top - at.y) / at.k - h / 2 };
  held.line.setAttribute("d", curve(place(held.node), tip));
};

document.addEventListener("pointermove", (event) => {
  if (!held) return;
  const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
  if (!held.moved && Math.hypot(dx, dy) < SLACK) return;
  if (!held.moved) flow().classList.add("dragging");
  held.moved = true;
  if (held.kind === "node") put(held.node, Math.round(held.from.x + dx / at.k), Math.round(held.from.y + dy / at.k));
  else if (held.kind === "port") drawLine(event);
  else {
    at = { ...at, x: held.from.x + dx, y: held.from.y + dy };
    show();
  }
});

const endDrag = (event) => {
  if (!held) return;
  const { kind, node, from, moved, line } = held;
  held = null;
  line?.remove();
  flow()?.classList.remove("dragging");
  if (!moved || event.type === "pointercancel") return;
  addEventListener("click", (click) => click.target.closest?.("[data-flow]") && (click.preventDefault(), click.stopPropagation()), { capture: true, once: true });
  setTimeout(() => document.body.dispatchEvent(new CustomEvent("live:reload")), 0);
  if (kind === "node") save(node, from);
  const target = kind === "port" && document.elementFromPoint(event.clientX, event.clientY)?.closest(".node");
  if (target) connect(node, target);
};
addEventListener("pointerup", endDrag);
addEventListener("pointercancel", endDrag);

// A picture that arrives while something is being dragged would take it out of the hand.
document.addEventListener("live:load", (event) => {
  if (held?.moved && event.target.closest?.("[data-flow]")) event.preventDefault();
});

const openOrGoOn = () => {
  const saved = sessionStorage.getItem(memory());
  shown = memory();
  if (!saved) return open();
  at = JSON.parse(saved);
  show();
};

document.addEventListener("pendesk:ready", () => flow() && openOrGoOn());

// What the server sends knows no view; and another filter is another flow.
document.addEventListener("htmx:after:swap", () => {
  if (!flow()) return;
  pointed = null;
  if (shown === memory()) show();
  else openOrGoOn();
});

document.addEventListener("flow:look", ({ detail: { x, y } }) => {
  at = { ...at, x: flow().clientWidth / 2 - x * at.k, y: flow().clientHeight / 2 - y * at.k };
  show();
});

Object.assign(window.pendesk, { flowNodes: () => nodes().map((node) => ({ ...place(node), ...size(), node })) });
