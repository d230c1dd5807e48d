// On narrow screens the rail slides in over the page.

const toggle = (open) => {
  const rail = document.getElementById("rail");
  rail?.classList.toggle("open", open);
  const button = document.querySelector("[data-toggles-rail]");
  button?.setAttribute("aria-expanded", String(rail?.classList.contains("open") ?? false));
};

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-toggles-rail]")) toggle();
  else if (!event.target.closest("#rail")) toggle(false);
});

// A live update writes the rail's attributes anew.
document.addEventListener("htmx:before:swap", () => {
  const open = document.getElementById("rail")?.classList.contains("open");
  if (open) document.addEventListener("htmx:after:swap", () => toggle(true), { once: true });
});

window.pendesk.closeRail = () => {
  const open = document.getElementById("rail")?.classList.contains("open") ?? false;
  if (open) toggle(false);
  return open;
};
