// The page was kept when another theme may have been chosen: put that right before anything is painted.
const theme = document.cookie.match(/(?:^|; )pendesk_theme=(\w+)/)?.[1];
if (theme) document.documentElement.dataset.theme = theme;

// Then ask until the server answers, and show what was wanted: the address is still that of the page.
const RETRY_MS = 2000;
const poll = async () => {
  const answer = await fetch("/api/v1/health", { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) setTimeout(poll, RETRY_MS);
  else if (location.pathname === "/offline") location.replace("/");
  else location.reload();
};
setTimeout(poll, RETRY_MS);
