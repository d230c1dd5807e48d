// The flow of a project: pan, zoom, drag a task to place it, drag from its port to connect it; all of it by keyboard too.
// The server draws the picture. The view is moved by a CSS transform on a wrapper, which a live update does not touch.

const FAR = 0.35; // below this the words are too small to read: cards become fields of colour
const legible = () => (flow().clientWidth < 640 ? 0.8 : 0.5); // what a flow is opened with at least; "fit" may go below
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
const nodes = () => [...flow().querySelectorAll(".node")];
const nodeOf = (id) => flow().querySelector(`.node[data-id="${id}"]`);
const place = (node) => ({ x: Number(node.dataset.x), y: Number(node.dataset.y) });
const size = () => ({ w: Number(flow().dataset.width), h: Number(flow().dataset.height) });
const memory = () => `flow ${flow().dataset.project}`;

const show = () => {
  wrapper().style.transform = `translate(${at.x}px, ${at.y}px) scale(${at.k})`;
  flow().classList.toggle("far", at.k < FAR);
  sessionStorage.setItem(memory(), JSON.stringify(at));
};

const zoom = (factor, x, y) => {
  const k = Math.min(2, Math.max(0.08, at.k * factor));
  at = { x: x - ((x - at.x) * k) / at.k, y: y - ((y - at.y) * k) / at.k, k };
  show();
};

const zoomMiddle = (factor) => zoom(factor, flow().clientWidth / 2, flow().clientHeight / 2);

// Where someone works, else where work can begin: what a small screen shows first.
const first = () => flow().querySelector(".node.is-in_progress") ?? flow().querySelector(".node.is-todo") ?? nodes()[0];

const centre = (node, k) => {
  const { x, y } = place(node);
  const { w, h } = size();
  at = { x: flow().clientWidth / 2 - (x + w / 2) * k, y: flow().clientHeight / 2 - (y + h / 2) * k, k };
  show();
};

const fit = () => {
  const all = nodes().map(place);
  if (!all.length) return;
  const { w, h } = size();
  const left = Math.min(...all.map((spot) => spot.x));
  const top = Math.min(...all.map((spot) => spot.y));
  const width = Math.max(...all.map((spot) => spot.x)) + w - left;
  const height = Math.max(...all.map((spot) => spot.y)) + h - top;
  const k = Math.min(1, (flow().clientWidth - 48) / width, (flow().clientHeight - 48) / height);
  at = { x: (flow().clientWidth - width * k) / 2 - left * k, y: (flow().clientHeight - height * k) / 2 - top * k, k };
  show();
};

const curve = (from, to) => {
  const { w, h } = size();
  const [x1, y1, x2, y2] = [from.x + w, from.y + h / 2, to.x, to.y + h / 2];
  const reach = Math.max(32, Math.abs(x2 - x1) / 2);
  return `M${x1} ${y1} C${x1 + reach} ${y1} ${x2 - reach} ${y2} ${x2} ${y2}`;
};

const edgesOf = (id) => [...flow().querySelectorAll(`path[data-from="${id}"], path[data-to="${id}"]`)];

const put = (node, x, y) => {
  node.dataset.x = x;
  node.dataset.y = y;
  node.setAttribute("transform", `translate(${x} ${y})`);
  for (const edge of edgesOf(node.dataset.id)) {
    edge.setAttribute("d", curve(place(nodeOf(edge.dataset.from)), place(nodeOf(edge.dataset.to))));
  }
};

const save = async (node, before) => {
  const refusal = await window.pendesk.post("update_action", { action_id: node.dataset.id, x: node.dataset.x, y: node.dataset.y });
  if (!refusal) return;
  put(node, before.x, before.y);
  window.pendesk.showToast(refusal, { bad: true });
};

const connect = async (from, to) => {
  if (from === to) return;
  const ends = { from_task_id: from.dataset.id, to_task_id: to.dataset.id };
  const refusal = await window.pendesk.post("create_edge", { project_id: flow().dataset.project, label: "blocks", ...ends });
  window.pendesk.showToast(refusal ?? `${from.dataset.ref} is now a prerequisite of ${to.dataset.ref}.`, { bad: Boolean(refusal) });
};

const disconnect = async (hit) => {
  const { edge, label, from, to } = hit.dataset;
  const refusal = await window.pendesk.post("remove_edge", { edge_id: edge });
  if (refusal) return window.pendesk.showToast(refusal, { bad: true });
  const [first, after] = [nodeOf(from), nodeOf(to)];
  // As it was drawn: depends_on points from what comes after.
  const ends = label === "depends_on" ? { from_task_id: to, to_task_id: from } : { from_task_id: from, to_task_id: to };
  const undo = () => window.pendesk.post("create_edge", { project_id: flow().dataset.project, label, ...ends });
  window.pendesk.showToast(`${first.dataset.ref} and ${after.dataset.ref} disconnected.`, { undo });
};

const disconnectNodes = (node, other) => {
  const hit = edgesOf(node.dataset.id).find((edge) => edge.dataset.edge && [edge.dataset.from, edge.dataset.to].includes(other.dataset.id));
  if (hit) disconnect(hit);
  else window.pendesk.showToast(`${node.dataset.ref} and ${other.dataset.ref} are not connected.`, { bad: true });
};

// What hangs together with one task stands out; the rest steps back.
const light = (node) => {
  const lit = new Set(node ? [node.dataset.id] : []);
  flow().classList.toggle("lit-some", Boolean(node));
  for (const edge of flow().querySelectorAll(".edge")) {
    const near = node && (edge.dataset.from === node.dataset.id || edge.dataset.to === node.dataset.id);
    edge.classList.toggle("lit", Boolean(near));
    if (near) lit.add(edge.dataset.from).add(edge.dataset.to);
  }
  for (const element of nodes()) element.classList.toggle("lit", lit.has(element.dataset.id));
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
  window.pendesk.showToast(question(node.dataset.ref));
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
  const placed = nodes().filter((node) => "placed" in node.dataset).map((node) => ({ ...node.dataset }));
  const refusal = await arrange("automatic", []);
  if (refusal) return window.pendesk.showToast(refusal, { bad: true });
  const undo = async () => {
    const refused = await arrange("manual", placed);
    if (refused) window.pendesk.showToast(refused, { bad: true });
  };
  window.pendesk.showToast("Actions arranged.", { undo: placed.length ? undo : null });
};

const COMMANDS = { fit, tidy, in: () => zoomMiddle(1.25), out: () => zoomMiddle(0.8) };

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
  const hit = event.target.closest?.(".edge-hit");
  if (hit) disconnect(hit);
});

document.addEventListener("focusin", (event) => {
  const node = event.target.closest?.("[data-flow] .node");
  if (node) bringIntoView(node);
  if (flow()) light(node);
});
document.addEventListener("pointerover", (event) => {
  if (!flow() || held || flow().querySelector(".node:focus-visible")) return;
  const node = event.target.closest?.("[data-flow] .node");
  if (node || flow().classList.contains("lit-some")) light(node);
});

document.addEventListener("wheel", (event) => {
  if (!event.target.closest?.("[data-flow]")) return;
  event.preventDefault();
  const { left, top } = flow().getBoundingClientRect();
  zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.clientX - left, event.clientY - top);
}, { passive: false });

document.addEventListener("pointerdown", (event) => {
  if (event.button || !event.target.closest?.("[data-flow]")) return;
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

document.addEventListener("pendesk:ready", () => {
  if (!flow()) return;
  const saved = sessionStorage.getItem(memory());
  if (saved) {
    at = JSON.parse(saved);
    show();
    return;
  }
  fit();
  if (at.k < legible()) centre(first(), legible());
});
