// The one stream of a browser. As a shared worker it serves every tab; as a plain worker, the page that started it.
// A tab names the event at which its page was rendered, and gets everything after that.

const RECENT_MESSAGES = 1000;
const SLEPT_MS = 15000;
const TICK_MS = 5000;
const ports = new Set();
let source = null;
let state = "connecting";
let last = -1; // the newest event that was heard of
let first = 0; // what came after this one is in `recent`
let recent = []; // messages of several events each
let failures = 0;
let ticked = Date.now();

const broadcast = (message) => ports.forEach((port) => port.postMessage(message));

const setState = (next) => {
  if (state === next) return;
  const wasAway = state === "offline" || state === "reconnecting";
  state = next;
  broadcast({ state });
  // What was asked for while the server was away has failed: ask once more.
  if (next === "connected" && wasAway) broadcast({ reload: true });
};

const receive = (event) => {
  const changes = JSON.parse(event.data);
  if (changes.seq <= last) return;
  last = changes.seq;
  recent.push(changes);
  if (recent.length > RECENT_MESSAGES) first = recent.shift().seq;
  broadcast({ changes });
};

const open = () => {
  source?.close();
  source = new EventSource(`/api/v1/events?as=changes&after=${last}`);
  source.addEventListener("changes", receive);
  source.addEventListener("activity", () => broadcast({ activity: true }));
  source.addEventListener("ready", () => {
    failures = 0;
    setState("connected");
  });
  source.onerror = () => {
    if (source.readyState === EventSource.CONNECTING) return setState(failures++ < 3 ? "reconnecting" : "offline");
    setState("offline"); // the browser has given up, so we try again
    const mine = source;
    setTimeout(() => mine === source && open(), Math.min(30000, 1000 * 2 ** failures++));
  };
};

const join = (port, after) => {
  ports.add(port);
  port.postMessage({ state });
  if (source === null) {
    last = first = after;
    open();
  } else if (after < first) {
    port.postMessage({ reload: true });
  } else {
    for (const changes of recent.filter(({ seq }) => seq > after)) port.postMessage({ changes });
  }
};

const serve = (port) => {
  port.onmessage = ({ data }) => (data.bye ? ports.delete(port) : join(port, data.after));
};

// A machine that slept may hold a connection that is long dead: a new one catches up from the last event.
setInterval(() => {
  const slept = Date.now() - ticked > SLEPT_MS;
  ticked = Date.now();
  if (source !== null && slept) open();
}, TICK_MS);
addEventListener("online", () => source !== null && open());
addEventListener("offline", () => setState("offline"));

if ("SharedWorkerGlobalScope" in self) onconnect = ({ ports: [port] }) => serve(port);
else serve(self);
