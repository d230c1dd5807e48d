// A term's line is its title. A pointer sees it by hovering; focus and touch see it here.

const GAP_PX = 6;
const line = () => document.getElementById("term-line");

const hideTerm = () => {
  const wasOpen = line()?.matches(":popover-open") ?? false;
  if (wasOpen) line().hidePopover();
  return wasOpen;
};

const showTerm = (term) => {
  line().textContent = term.title;
  line().showPopover();
  const { left, bottom } = term.getBoundingClientRect();
  line().style.left = `${Math.max(GAP_PX, Math.min(left, innerWidth - line().offsetWidth - GAP_PX))}px`;
  line().style.top = `${bottom + GAP_PX}px`;
};

document.addEventListener("click", (event) => {
  const term = event.target.closest("[data-term]");
  hideTerm();
  if (term) showTerm(term);
});
document.addEventListener("focusin", (event) => event.target.matches("[data-term]:focus-visible") && showTerm(event.target));
document.addEventListener("focusout", (event) => event.target.matches("[data-term]") && hideTerm());
document.addEventListener("scroll", hideTerm, true);

window.pendesk.hideTerm = hideTerm;
