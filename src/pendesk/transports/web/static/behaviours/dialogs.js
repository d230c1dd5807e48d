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

document.addEventListener("htmx:confirm", (event) => {
  const { ctx, issueRequest, dropRequest } = event.detail;
  event.preventDefault();
  const dialog = document.getElementById("confirm");
  document.getElementById("confirm-text").textContent = ctx.confirm;
  dialog.returnValue = "no";
  dialog.showModal();
  dialog.addEventListener("close", () => (dialog.returnValue === "yes" ? issueRequest() : dropRequest()), { once: true });
});
