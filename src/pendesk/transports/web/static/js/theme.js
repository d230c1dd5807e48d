// The choice lives in a cookie, which the server reads: the first paint is right and nothing flashes.

document.addEventListener("click", (event) => {
  const chosen = event.target.closest("[data-theme-choice]")?.dataset.themeChoice;
  if (!chosen) return;
  document.documentElement.dataset.theme = chosen;
  document.cookie = `pendesk_theme=${chosen}; path=/; max-age=31536000; samesite=lax`;
  for (const button of document.querySelectorAll("[data-theme-choice]")) {
    button.setAttribute("aria-pressed", String(button.dataset.themeChoice === chosen));
  }
});
