// What is saved as a view is what the address asks for now: filters change it without a new page.

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-opens]")?.dataset.opens !== "saved-views") return;
  const query = new URL(document.body.dataset.pageUrl, location.href).search;
  for (const input of document.querySelectorAll("#saved-views [name=query]")) input.value = query;
});
