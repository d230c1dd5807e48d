// The tab where one is can be out of sight, where there is no room for all.

document.addEventListener("DOMContentLoaded", () => {
  for (const here of document.querySelectorAll(".tabs [aria-current]")) {
    const tabs = here.parentElement;
    tabs.scrollLeft = here.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - here.offsetWidth) / 2;
  }
});
