// "3m ago" stays true while the page is open, by the server's clock.

const units = [[31536000, "y"], [2592000, "mo"], [604800, "w"], [86400, "d"], [3600, "h"], [60, "m"]];
let ahead = 0; // of this machine's clock

const howLong = (seconds) => {
  const size = Math.abs(seconds);
  if (size < 45) return seconds < 0 ? "soon" : "just now";
  const [unit, name] = units.find(([each]) => size >= each) ?? [60, "m"];
  const told = `${Math.max(1, Math.round(size / unit))}${name}`;
  return seconds < 0 ? `in ${told}` : `${told} ago`;
};

const countdown = (seconds) => {
  if (seconds <= 0) return "expired";
  const hours = Math.floor(seconds / 3600);
  const parts = [Math.floor((seconds % 3600) / 60), Math.floor(seconds % 60)].map((each) => String(each).padStart(2, "0"));
  return (hours ? [hours, ...parts] : parts).join(":");
};

const tell = () => {
  const now = Date.now() + ahead;
  for (const each of document.querySelectorAll("time[data-relative]")) {
    const told = howLong((now - Date.parse(each.dateTime)) / 1000);
    if (each.textContent !== told) each.textContent = told;
  }
  for (const each of document.querySelectorAll("time[data-until]")) {
    each.textContent = countdown((Date.parse(each.dateTime) - now) / 1000);
  }
};

document.addEventListener("DOMContentLoaded", () => {
  const told = Date.parse(document.body.dataset.now);
  if (told) ahead = told - Date.now();
  if (Math.abs(ahead) < 2000) ahead = 0;
  tell();
  setInterval(tell, 1000);
});
