// data-opens="id" shows that dialog, data-closes hides the one it is in. Questions before a form is sent use one too.

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) {
    event.preventDefault();
    opener.closest("details.menu")?.removeAttribute("open");
    document.getElementById(opener.dataset.opens)?.showModal();
  }
  if (event.target.closest("[data-closes]")) event.target.closest("dialog").close();
  if (event.target.matches("dialog")) event.target.close(); // its backdrop
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

const answered = (dialog) =>
  new Promise((resolve) => {
    dialog.returnValue = "no";
    dialog.showModal();
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });

// The dialog is called what the button is called, and so is the button that confirms it.
const confirmed = (text, button) => {
  const name = button?.textContent.trim() || button?.getAttribute("aria-label") || "Confirm";
  for (const id of ["confirm-title", "confirm-yes"]) document.getElementById(id).textContent = name;
  document.getElementById("confirm-text").textContent = text;
  return answered(document.getElementById("confirm"));
};

Object.assign(window.pendesk, { answered, confirmed });

document.addEventListener("htmx:confirm", (event) => {
  const { ctx, issueRequest, dropRequest } = event.detail;
  event.preventDefault();
  confirmed(ctx.confirm, ctx.sourceElement.querySelector("[type=submit]")).then((yes) => (yes ? issueRequest() : dropRequest()));
});
