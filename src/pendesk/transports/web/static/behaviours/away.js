// A page for when the server is away. Browsers allow it on https and on this machine only.
navigator.serviceWorker?.register("/static/away-worker.js", { scope: "/" });
