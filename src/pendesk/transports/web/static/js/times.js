// "3m ago" stays true while the page is open, by the server's clock.

const units = [[31536000, "y"], [2592000, "mo"], [604800, "w"], [86400, "d"], [3600, "h"], [60, "m"]];
let ahead = 0; // of this machine's clock

const howLong = (seconds) => {
  const size = Math.abs(seconds);
  if (size < 45) return seconds < 0 ? "soon" : "just now";
  const [unit, name] = units.find(([element]) => size >= element) ?? [60, "m"];
  const text = `${Math.max(1, Math.round(size / unit))}${name}`;
  return seconds < 0 ? `in ${text}` : `${text} ago`;
};

const countdown = (seconds) => {
  if (seconds <= 0) return "expired";
  const hours = Math.floor(seconds / 3600);
  const parts = [Math.floor((seconds % 3600) / 60), Math.floor(seconds % 60)].map((element) => String(element).padStart(2, "0"));
  return (hours ? [hours, ...parts] : parts).join(":");
};

const updateTimes = () => {
  const now = Date.now() + ahead;
  for (const element of document.querySelectorAll("time[data-relative]")) {
    const text = howLong((now - Date.parse(element.dateTime)) / 1000);
    if (element.textContent !== text) element.textContent = text;
  }
  for (const element of document.querySelectorAll("time[data-until]")) {
    element.textContent = countdown((Date.parse(element.dateTime) - now) / 1000);
  }
};

document.addEventListener("DOMContentLoaded", () => {
  const text = Date.parse(document.body.dataset.now);
  if (text) ahead = text - Date.now();
  if (Math.abs(ahead) < 2000) ahead = 0;
  updateTimes();
  setInterval(updateTimes, 1000);
});
