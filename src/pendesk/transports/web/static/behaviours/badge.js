// The tab's icon tells whether something waits for people, on whatever page one is.

const icon = document.querySelector("link[rel=icon]");
const plain = icon?.getAttribute("href");

const show = () => {
  const waiting = icon && document.querySelector("#rail [data-needs]");
  const wanted = waiting ? icon.dataset.waiting : plain;
  if (icon && icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
};

document.addEventListener("DOMContentLoaded", show);
document.addEventListener("htmx:after:swap", show);
