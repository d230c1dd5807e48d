// The page hears of every change: one stream per browser (a shared worker), or one per page where there is none.
// Parts of it (data-live) name what they show. One that shows what has changed is loaded at once, and while it goes on
// changing once in a pause, which the server makes longer while it is busy. All that are due go in one request, none
// while nobody looks at the page, and each says by its tag what it has, so that the answer is what has changed since.

const GATHER_MS = 30; // what comes together is loaded together
const SPREAD_MS = 60; // so that not all pages ask in the same instant
const SPREAD = 0.3; // of a pause
const SPREAD_RELOAD_MS = 1000;
const WAITED = 2; // after an answer that took long, so many times as long
const RETRY_MS = 5000;
const LOOK_MS = 1000;
const MARK_MS = 3000;

const due = new Map(); // id of a part -> from when on it is to be loaded; 0 is at once
const rested = new Map(); // id -> when its pause is over
const asked = new Map(); // id -> when it was asked for
const tags = new Map(); // id -> [address, tag] of what is on the screen
const recent = new Map(); // id of an action that has changed -> when
let pause = 1000;
let timer = 0;
let loading = false;

const show = (state) => {
  const mark = document.getElementById("connection");
  if (!mark || mark.dataset.state === state) return;
  mark.dataset.state = state;
  mark.querySelector(".connection-text").textContent = mark.dataset[state];
};

const schedule = () => {
  clearTimeout(timer);
  if (loading || !due.size || document.hidden) return;
  timer = setTimeout(load, Math.max(0, Math.min(...due.values()) - performance.now()));
};

// Those that show any of the topics; all without.
const expect = (topics, from) => {
  for (const { id, dataset } of document.querySelectorAll("[data-live]")) {
    if (topics && !dataset.live.split(" ").some((topic) => topics.has(topic))) continue;
    due.set(id, Math.min(due.get(id) ?? Infinity, from && Math.max(from, rested.get(id) ?? 0)));
  }
  schedule();
};

const soon = (spread = SPREAD_MS) => performance.now() + GATHER_MS + Math.random() * spread;

const load = async () => {
  if (loading || document.hidden) return;
  const began = performance.now();
  const ids = [...due].filter(([, at]) => at <= began + pause / 2).map(([id]) => id);
  for (const id of ids) {
    due.delete(id);
    asked.set(id, began);
  }
  loading = true;
  let rest = 0;
  try {
    await loadParts(ids.map((id) => document.getElementById(id)).filter(wantsLoading));
  } catch {
    // Away, or too busy: what is due stays so. The live mark says that the server is away.
    for (const id of ids) due.set(id, began);
    rest = RETRY_MS;
  }
  loading = false;
  rest = began + Math.max(pause, rest, WAITED * (performance.now() - began)) * (1 + Math.random() * SPREAD);
  for (const id of ids) {
    rested.set(id, rest);
    if (due.get(id)) due.set(id, rest);
  }
  schedule();
};

// A script may forbid it, while something is held in the hand; it then asks for a reload itself.
const wantsLoading = (part) => part?.dataset.live !== undefined && part.dispatchEvent(new CustomEvent("live:load", { bubbles: true, cancelable: true }));

const addressOf = (part) => `${window.pendesk.addressOf(part)}#${part.id}`;
const tagOf = (part, address) => (tags.get(part.id)?.[0] === address ? tags.get(part.id)[1] : "0");

const loadParts = async (parts) => {
  if (!parts.length) return;
  const addresses = parts.map(addressOf);
  const known = parts.map((part, number) => tagOf(part, addresses[number]));
  const answer = await fetch(`/live?${new URLSearchParams(addresses.map((address) => ["part", address]))}`, { headers: { "HX-Request": "true", "If-None-Match": `"${known}"` } });
  if (answer.status === 401) return location.reload();
  pause = 1000 * Number(answer.headers.get("Live-Pause") ?? 1);
  if (answer.status === 304) return;
  if (!answer.ok) throw new Error(answer.statusText);
  const fresh = answer.headers.get("ETag").split('"')[1].split(",");
  const contents = await answer.json();
  for (const [number, content] of contents.entries()) {
    if (!content) continue;
    await put(parts[number], addresses[number], contents[content.sameAs] ?? content, fresh[number]);
    mark(parts[number]);
  }
};

const put = async (part, address, { html, error }, tag) => {
  tags.delete(part.id);
  if (error) return window.pendesk.showToast(error.message, { bad: true });
  if (!part.isConnected || !wantsLoading(part)) return;
  const has = address === addressOf(part) && hasAllOf(html);
  if (!has) return due.set(part.id, 0);
  await window.htmx.swap({ sourceElement: part, target: part, select: part.dataset.select, swap: part.dataset.swap ?? "outerMorph", text: html, isLive: true });
  tags.set(part.id, [address, tag]);
};

// What is marked as the same must be there; else all of it is loaded.
const hasAllOf = (html) => [...html.matchAll(/ id="([^"]+)" data-same/g)].every(([, id]) => document.getElementById(id));

const receive = (changes) => {
  for (const topic of changes.topics.filter((each) => each.startsWith("action:"))) recent.set(topic.slice(7), Date.now());
  // The server names a record once, by the noun that says most.
  const objects = changes.topics.map((each) => each.replace(/^\w+:/, "object:"));
  expect(new Set(["any", "all", ...changes.topics, ...objects]), soon());
  document.dispatchEvent(new CustomEvent("live:changes", { detail: changes }));
};

// What has just changed is marked for a second; without motion where that is wanted.
const mark = (part) => {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  for (const element of [part, ...part.querySelectorAll("[data-marks]")]) {
    const at = recent.get(element.dataset.marks);
    recent.delete(element.dataset.marks);
    if (Date.now() - at < MARK_MS) flash(element, still);
  }
};

const flash = (element, still) => {
  if (element.getAnimations().some((animation) => animation.id === "changed")) return;
  const colour = getComputedStyle(document.documentElement).getPropertyValue("--ring");
  const marked = { outline: `2px solid ${colour}`, outlineOffset: "1px" };
  const frames = still ? [marked, marked] : [marked, { outline: "2px solid transparent", outlineOffset: "1px" }];
  element.animate(frames, { duration: 1000, easing: "ease-in", id: "changed" });
};

const listen = (message) => {
  if (message.state) show(message.state);
  if (message.changes) receive(message.changes);
  if (message.activity) expect(new Set(["activity", "all"]), soon());
  if (message.reload) expect(null, soon(SPREAD_RELOAD_MS));
};

// A claim runs out without an event, and so does an agent call for the first time: look again now and then.
setInterval(() => {
  const now = performance.now();
  for (const { id, dataset } of document.querySelectorAll("[data-every]")) {
    if (!due.has(id) && now - (asked.get(id) ?? 0) >= 1000 * dataset.every) due.set(id, now);
  }
  schedule();
}, LOOK_MS);

document.addEventListener("visibilitychange", schedule);
document.addEventListener("done", () => expect(null, 0)); // what the reader did is shown at once
// A script has changed the page itself: what is there is not what the tags say.
document.addEventListener("live:reload", () => {
  tags.clear();
  expect(null, 0);
}, true);
// Nor is it where something else was loaded into it.
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (ctx.isLive || ctx.swap === "none") return;
  for (const id of tags.keys()) {
    const part = document.getElementById(id);
    if (!part || part.contains(ctx.sourceElement) || ctx.sourceElement.contains(part)) tags.delete(id);
  }
});

// A page that the browser kept and shows again has missed what happened meanwhile.
addEventListener("pageshow", (event) => event.persisted && listen({ reload: true }));

document.addEventListener("pendesk:ready", () => {
  window.htmx.registerExtension("same", { htmx_before_morph_node: (_, { newNode }) => newNode.dataset?.same === undefined });
  const { stream, seq, reader, tag } = document.body.dataset;
  if (!stream) return;
  for (const part of document.querySelectorAll("[data-live]")) tags.set(part.id, [addressOf(part), tag]);
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
