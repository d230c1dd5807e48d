// A page for when the server cannot be reached. Browsers allow it on https and on this machine only.
navigator.serviceWorker?.register("/static/offline-worker.js", { scope: "/" });
