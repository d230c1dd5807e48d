// The tab where one is can be out of sight, where there is no room for all.

document.addEventListener("pendesk:ready", () => {
  for (const current of document.querySelectorAll(".tabs [aria-current]")) {
    const tabs = current.parentElement;
    tabs.scrollLeft = current.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;
  }
});
