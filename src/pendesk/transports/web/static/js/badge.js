// The tab's icon shows on every page whether the inbox has items.

const icon = document.querySelector("link[rel=icon]");
const plain = icon?.getAttribute("href");

const show = () => {
  const waiting = icon && document.querySelector("#sidebar [data-inbox-count]");
  const href = waiting ? icon.dataset.waiting : plain;
  if (icon && icon.getAttribute("href") !== href) icon.setAttribute("href", href);
};

document.addEventListener("DOMContentLoaded", show);
document.addEventListener("htmx:after:swap", show);
