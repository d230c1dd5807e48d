// On narrow screens the sidebar slides in over the page.

const toggle = (open) => {
  const sidebar = document.getElementById("sidebar");
  sidebar?.classList.toggle("open", open);
  const button = document.querySelector("[data-toggles-sidebar]");
  button?.setAttribute("aria-expanded", String(sidebar?.classList.contains("open") ?? false));
};

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-toggles-sidebar]")) toggle();
  else if (!event.target.closest("#sidebar")) toggle(false);
});

// A live update rewrites the attributes of the sidebar.
document.addEventListener("htmx:before:swap", () => {
  const open = document.getElementById("sidebar")?.classList.contains("open");
  if (open) document.addEventListener("htmx:after:swap", () => toggle(true), { once: true });
});

window.pendesk.closeSidebar = () => {
  const open = document.getElementById("sidebar")?.classList.contains("open") ?? false;
  if (open) toggle(false);
  return open;
};
