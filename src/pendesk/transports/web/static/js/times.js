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

// As format_elapsed of templating.py does.
const lengths = [[86400, "d"], [3600, "h"], [60, "min"]];
const elapsed = (seconds) => {
  const [unit, name] = lengths.find(([size]) => seconds >= size) ?? [1, "s"];
  return `${Math.max(0, Math.floor(seconds / unit))} ${name}`;
};

// The reader's own time of day, with the date where that is another one.
const clockTime = (at, now) => {
  const time = at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return at.toDateString() === new Date(now).toDateString() ? time : `${at.toLocaleDateString([], { day: "numeric", month: "short" })}, ${time}`;
};

const countdown = (seconds) => {
  if (seconds <= 0) return "expired";
  const hours = Math.floor(seconds / 3600);
  const parts = [Math.floor((seconds % 3600) / 60), Math.floor(seconds % 60)].map((element) => String(element).padStart(2, "0"));
  return (hours ? [hours, ...parts] : parts).join(":");
};

const show = (kind, textOf) => {
  for (const element of document.querySelectorAll(`time[data-${kind}]`)) {
    const text = textOf(Date.parse(element.dateTime));
    if (element.textContent !== text) element.textContent = text;
  }
};

const updateTimes = () => {
  const now = Date.now() + ahead;
  show("relative", (at) => howLong((now - at) / 1000));
  show("elapsed", (at) => elapsed((now - at) / 1000));
  show("clock", (at) => clockTime(new Date(at), now));
  show("until", (at) => countdown((at - now) / 1000));
};

document.addEventListener("pendesk:ready", () => {
  const text = Date.parse(document.body.dataset.now);
  if (text) ahead = text - Date.now();
  if (Math.abs(ahead) < 2000) ahead = 0;
  updateTimes();
  setInterval(updateTimes, 1000);
  document.addEventListener("htmx:after:swap", updateTimes); // what came is as the server renders it
});
