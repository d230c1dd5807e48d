// The page hears of every change: one stream per browser (a shared worker), or one per page where there is none.
// Each change becomes an event on the body, such as live:action:ID; elements that show it load themselves anew.
// The steps of agent sessions are live:activity; whatever it is, is live:all too.

const COALESCE_MS = 50;
const DISPATCH_MS = 250; // many changes are shown four times a second
const MARK_MS = 1200;
const topics = new Set();
const recent = new Map();
let timer = 0;
let dispatchedAt = -DISPATCH_MS;

const show = (state) => {
  const mark = document.getElementById("connection");
  if (!mark || mark.dataset.state === state) return;
  mark.dataset.state = state;
  mark.querySelector(".connection-text").textContent = mark.dataset[state];
};

const schedule = () => {
  timer ||= setTimeout(dispatch, Math.max(COALESCE_MS, dispatchedAt + DISPATCH_MS - performance.now()));
};

const dispatch = () => {
  timer = 0;
  dispatchedAt = performance.now();
  if (topics.has("any") || topics.has("activity")) topics.add("all");
  for (const topic of topics) document.body.dispatchEvent(new CustomEvent(`live:${topic}`));
  topics.clear();
};

const receive = (rows) => {
  for (const row of rows) {
    topics.add("any");
    for (const [kind, id] of [["action", row.actionId], ["project", row.projectId], ["spec", row.specId], ["object", row.objectId]]) {
      if (id) topics.add(`${kind}:${id}`);
    }
    if (row.actionId) recent.set(row.actionId, Date.now());
  }
  schedule();
  document.dispatchEvent(new CustomEvent("live:rows", { detail: rows }));
};

// What has just changed is marked for a second; without motion where that is wanted.
const mark = () => {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  for (const [id, at] of recent) {
    if (Date.now() - at > MARK_MS) recent.delete(id);
    else for (const element of document.querySelectorAll(`[data-marks="${id}"]`)) flash(element, still);
  }
};

const flash = (element, still) => {
  if (element.getAnimations().some((animation) => animation.id === "changed")) return;
  const colour = getComputedStyle(document.documentElement).getPropertyValue("--ring");
  const marked = { outline: `2px solid ${colour}`, outlineOffset: "1px" };
  const frames = still ? [marked, marked] : [marked, { outline: "2px solid transparent", outlineOffset: "1px" }];
  element.animate(frames, { duration: 1000, easing: "ease-in", id: "changed" });
};

document.addEventListener("htmx:after:swap", mark);

const listen = (message) => {
  if (message.state) show(message.state);
  if (message.rows?.length) receive(message.rows);
  for (const topic of ["activity", "reload"]) {
    if (!message[topic]) continue;
    topics.add(topic);
    schedule();
  }
};

// A page that the browser kept and shows again has missed what happened meanwhile.
addEventListener("pageshow", (event) => event.persisted && listen({ reload: true }));

document.addEventListener("DOMContentLoaded", () => {
  const { stream, seq, reader } = document.body.dataset;
  if (!stream) return;
  const hello = { after: Number(seq) };
  if ("SharedWorker" in window) {
    const { port } = new SharedWorker(stream, { name: `pendesk ${reader}` });
    port.onmessage = ({ data }) => listen(data);
    port.postMessage(hello);
    addEventListener("pagehide", () => port.postMessage({ bye: true }));
    addEventListener("pageshow", (event) => event.persisted && port.postMessage(hello));
  } else {
    const worker = new Worker(stream);
    worker.onmessage = ({ data }) => listen(data);
    worker.postMessage(hello);
  }
});
