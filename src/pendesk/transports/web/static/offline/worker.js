// While the server is away, going to a page shows one that says so. That page and what it loads (KEPT, which assets.py
// writes before this) are all that is ever answered from here: no page, no data, no stream, so nothing can be old.

const CACHE = CACHED.join(" ");
const GATEWAY = [502, 504]; // what a proxy says while nobody is behind it

const keep = async () => {
  await (await caches.open(CACHE)).addAll(CACHED);
  await skipWaiting();
};

const forgetOlder = async () => {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
};

// The browser asks for a page while this worker starts.
const go = async ({ request, preloadResponse }) => {
  const answer = await preloadResponse.then((early) => early ?? fetch(request)).catch(() => null);
  return answer && !GATEWAY.includes(answer.status) ? answer : caches.match(CACHED[0]);
};

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(Promise.all([forgetOlder(), registration.navigationPreload?.enable()])));
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.destination === "document" && request.method === "GET") event.respondWith(go(event));
  else if (CACHED.includes(new URL(request.url).pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(request)));
  }
});
