// Forms that call operations: what was refused is said at the form, what is done is said in a toast.
// Typed text stays: nothing is swapped, the form is only emptied after success.

const icon = (name) => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${document.body.dataset.icons}#${name}`);
  svg.append(use);
  return svg;
};

const showToast = (text, { bad = false, undo = null } = {}) => {
  const toast = document.createElement("div");
  toast.className = `toast ${bad ? "bad" : "good"}`;
  const words = document.createElement("span");
  words.textContent = text;
  toast.append(icon(bad ? "circle-alert" : "check"), words);
  if (undo) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button small";
    button.textContent = "Undo";
    button.onclick = () => {
      toast.remove();
      undo();
    };
    toast.append(button);
  }
  document.getElementById("toasts").append(toast);
  setTimeout(() => toast.remove(), bad || undo ? 8000 : 4000);
};

const messageOf = (text) => {
  try {
    return JSON.parse(text).error.message;
  } catch {
    return "The server sent an unexpected response. Reload the page.";
  }
};

// Call an operation as a form would. Resolves to null, or to the words of the refusal.
const post = async (operation, fields) => {
  const body = new URLSearchParams(Object.entries(fields).filter(([, value]) => value != null));
  try {
    const answer = await fetch(`/do/${operation}`, { method: "POST", body, headers: { "HX-Request": "true" } });
    if (!answer.ok) return messageOf(await answer.text());
    const advisory = JSON.parse(answer.headers.get("HX-Trigger") ?? "{}").done?.advisory;
    if (advisory) showToast(advisory);
    return null;
  } catch {
    return "The server cannot be reached. Nothing was changed.";
  }
};

Object.assign(window.pendesk, { icon, showToast, post });

const problemOf = (form) => form?.querySelector("[data-problem]") ?? (form?.id ? document.querySelector(`[data-problem="${form.id}"]`) : null);

document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  const slot = problemOf(ctx.sourceElement.closest("form"));
  if (slot) slot.hidden = true;
});

document.addEventListener("htmx:response:error", ({ detail: { ctx } }) => {
  const message = messageOf(ctx.text);
  const slot = problemOf(ctx.sourceElement.closest("form"));
  if (!slot) return showToast(message, { bad: true });
  slot.textContent = message;
  slot.hidden = false;
});

document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
  // A live element that cannot load now loads again when the stream is back; the live mark says so meanwhile.
  if (ctx?.sourceElement.matches("form")) showToast("The server cannot be reached. Nothing was changed.", { bad: true });
});

document.addEventListener("done", ({ target, detail }) => {
  if (detail.message) showToast(detail.message);
  const form = target.closest?.("form");
  form?.reset();
  form?.closest("dialog")?.close();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.target.closest?.("form")?.requestSubmit();
});
