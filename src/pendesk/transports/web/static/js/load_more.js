// data-more="#part" on a link to the same page with more in that part: taken by a click, and by itself as soon as it is
// scrolled to or walked to. Without a script it is a plain link.

const AHEAD = "300px";
let focusAfter = null; // the item before the focused link: the focus moves to the item after it

const loadMore = (link) => {
  if (link.hasAttribute("aria-busy")) return;
  link.setAttribute("aria-busy", "true");
  if (link === document.activeElement) focusAfter = link.closest("li").previousElementSibling?.id;
  window.pendesk.showMore(link.dataset.more, link.getAttribute("href"));
};

const observer = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) loadMore(entry.target);
}, { rootMargin: AHEAD, scrollMargin: AHEAD });

const watch = () => {
  observer.disconnect();
  for (const link of document.querySelectorAll("[data-more]")) observer.observe(link);
};

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-more]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  loadMore(link);
});

document.addEventListener("htmx:after:swap", () => {
  const next = focusAfter && document.getElementById(focusAfter)?.nextElementSibling?.querySelector("[data-item]:not([data-more])");
  if (next) {
    focusAfter = null;
    next.focus();
  }
  watch();
});
document.addEventListener("pendesk:ready", watch);
