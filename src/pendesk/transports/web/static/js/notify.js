// Browser notifications, for those who asked for them in this browser: only of what waits for a person, and only while
// no page of ours is looked at. Several tabs show one, since they give it the same tag.

const KEY = "pendesk notify";
const droppedWhileOthersWait = (row) => row.data.dependents && ["Dropped, and others wait for it", `${row.data.dependents.join(", ")}: ${row.data.reason}`];
const mentionsReader = (row) => row.data.mentions?.includes(document.body.dataset.reader) && ["You were mentioned", row.data.body];
const NOTIFICATIONS = {
  "clarification.asked": (row) => ["Question from an agent", row.data.question],
  "action.submitted": (row) => ["Ready for review", row.data.summary],
  "action.resubmitted": (row) => ["Resubmitted for review", row.data.summary],
  "submission.received": () => ["Guest request", ""],
  "comment.added": mentionsReader,
  "comment.edited": mentionsReader,
  "action.dropped": droppedWhileOthersWait,
  "action.moved": droppedWhileOthersWait,
};
const can = () => "Notification" in window;
const on = () => can() && Notification.permission === "granted" && localStorage.getItem(KEY) === "yes";

const showState = () => {
  const box = document.querySelector("[data-notifies]");
  if (!box) return;
  box.checked = on();
  box.disabled = !can() || Notification.permission === "denied";
  document.querySelector("[data-notifies-why]").hidden = !box.disabled;
};

document.addEventListener("live:changes", ({ detail: { events } }) => {
  if (!on() || document.visibilityState === "visible") return;
  for (const row of events.filter((row) => NOTIFICATIONS[row.kind]?.(row) && row.actorId !== document.body.dataset.reader)) {
    const [title, body] = NOTIFICATIONS[row.kind](row);
    const notification = new Notification(title, { body, tag: `pendesk ${row.seq}`, icon: "/static/pendesk.svg" });
    notification.onclick = () => {
      window.focus();
      location.assign("/");
    };
  }
});

document.addEventListener("change", async (event) => {
  if (!event.target.matches("[data-notifies]")) return;
  if (event.target.checked) await Notification.requestPermission();
  localStorage.setItem(KEY, event.target.checked && Notification.permission === "granted" ? "yes" : "no");
  showState();
});
document.addEventListener("pendesk:ready", showState);
