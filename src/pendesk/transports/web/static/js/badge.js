// The tab shows on every page what waits in the inbox: a mark on its icon, and how many before its title.

const icon = document.querySelector("link[rel=icon]");
const plain = icon?.getAttribute("href");

const show = () => {
  const count = document.querySelector("#sidebar [data-inbox-count]")?.textContent;
  const title = document.title.replace(/^\(\d+\) /, "");
  document.title = count ? `(${count}) ${title}` : title;
  const href = count ? icon?.dataset.waiting : plain;
  if (icon && icon.getAttribute("href") !== href) icon.setAttribute("href", href);
};

document.addEventListener("pendesk:ready", show);
document.addEventListener("htmx:after:swap", () => setTimeout(show)); // the title of what was loaded is set after it
