// data-more="#part" on a link to the same page with more in that part: taken by a click, and by itself as soon as it is
// scrolled to or walked to. Without a script it is a plain link.

const AHEAD = "300px";
let left = null; // what stood before the link that had the focus: the focus goes on after it

const take = (link) => {
  if (link.hasAttribute("aria-busy")) return;
  link.setAttribute("aria-busy", "true");
  if (link === document.activeElement) left = link.closest("li").previousElementSibling?.id;
  window.pendesk.showMore(link.dataset.more, link.getAttribute("href"));
};

const seen = new IntersectionObserver((entries) => {
  for (const each of entries) if (each.isIntersecting) take(each.target);
}, { rootMargin: AHEAD, scrollMargin: AHEAD });

const watch = () => {
  seen.disconnect();
  for (const link of document.querySelectorAll("[data-more]")) seen.observe(link);
};

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-more]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  take(link);
});

document.addEventListener("htmx:after:swap", () => {
  const next = left && document.getElementById(left)?.nextElementSibling?.querySelector("[data-item]:not([data-more])");
  if (next) {
    left = null;
    next.focus();
  }
  watch();
});
document.addEventListener("DOMContentLoaded", watch);
