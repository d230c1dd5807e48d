// Comments on a passage: the words that a comment quotes are marked in the text, and words that are selected can be
// quoted. Both are found by what they say: Markdown signs and the kind of blanks between words do not count.

const SIGNS = /[\s*_`~#>|[\]()!\\-]/;
const GAP_PX = 10;

// The letters that count, each with its place in the text.
const bare = (text) => {
  const letters = [];
  const places = [];
  for (let at = 0; at < text.length; at++) {
    if (SIGNS.test(text[at])) continue;
    letters.push(text[at]);
    places.push(at);
  }
  return { letters: letters.join(""), places };
};

const occurrences = (text, passage) => {
  const positions = [];
  for (let at = text.indexOf(passage); passage && at >= 0; at = text.indexOf(passage, at + 1)) positions.push(at);
  return positions;
};

const nearest = (places, share) =>
  places.reduce((best, at) => (best === null || Math.abs(at - share) < Math.abs(best - share) ? at : best), null);

const textNodes = (element) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes = [];
  let length = 0;
  while (walker.nextNode()) {
    nodes.push({ node: walker.currentNode, start: length });
    length += walker.currentNode.data.length;
  }
  return nodes;
};

const pointAt = (nodes, at) => {
  const { node, start } = nodes.findLast((text) => text.start <= at);
  return [node, Math.min(at - start, node.data.length)];
};

const rangeOf = (prose, source, comment) => {
  const rendered = bare(prose.textContent);
  const passage = bare(comment.dataset.passage).letters;
  const before = bare(source.slice(0, Number(comment.dataset.start))).letters.length;
  const share = (before / Math.max(1, bare(source).letters.length)) * rendered.letters.length;
  const at = nearest(occurrences(rendered.letters, passage), share);
  if (at === null) return null;
  const nodes = textNodes(prose);
  const range = document.createRange();
  range.setStart(...pointAt(nodes, rendered.places[at]));
  range.setEnd(...pointAt(nodes, rendered.places[at + passage.length - 1] + 1));
  return range;
};

const ranges = new Map();

const paint = () => {
  const prose = document.querySelector("[data-passages]");
  ranges.clear();
  if (prose) {
    const source = prose.closest(".editable").dataset.source;
    for (const comment of document.querySelectorAll(".comment:not(.resolved)")) {
      const range = comment.dataset.passage ? rangeOf(prose, source, comment) : null;
      if (range) ranges.set(comment.id, range);
    }
  }
  if ("highlights" in CSS) CSS.highlights.set("quoted", new Highlight(...ranges.values()));
  align();
};

// Beside the words they are about, one below the other.
const align = () => {
  const list = document.querySelector(".comments");
  if (!list) return;
  const beside = matchMedia("(min-width: 1181px)").matches;
  let bottom = 0;
  for (const comment of list.children) comment.style.marginTop = "";
  for (const comment of beside ? list.children : []) {
    const range = ranges.get(comment.id);
    const top = comment.getBoundingClientRect().top;
    const target = range?.getBoundingClientRect().top ?? top;
    if (target > Math.max(top, bottom) + GAP_PX) comment.style.marginTop = `${target - top}px`;
    bottom = comment.getBoundingClientRect().bottom;
  }
};

const point = (comment) => {
  const range = comment && ranges.get(comment.id);
  if (!("highlights" in CSS)) return;
  if (range) CSS.highlights.set("pointed", new Highlight(range));
  else CSS.highlights.delete("pointed");
};

for (const event of ["focusin", "mouseover"]) {
  document.addEventListener(event, ({ target }) => document.querySelector("[data-passages]") && point(target.closest?.(".comment")));
}

document.addEventListener("pendesk:ready", paint);
document.addEventListener("htmx:after:swap", paint);
addEventListener("resize", align);

// Quoting: the selection, as it stands in the Markdown.
const selected = () => {
  const prose = document.querySelector("[data-passages]");
  const selection = getSelection();
  if (!prose || !selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  return prose.contains(range.commonAncestorContainer) ? { prose, range } : null;
};

const passageOf = ({ prose, range }) => {
  const source = prose.closest(".editable").dataset.source;
  const until = document.createRange();
  until.selectNodeContents(prose);
  until.setEnd(range.startContainer, range.startOffset);
  const passage = bare(range.toString()).letters;
  const markdown = bare(source);
  const share = (bare(until.toString()).letters.length / Math.max(1, bare(prose.textContent).letters.length)) * markdown.letters.length;
  const at = nearest(occurrences(markdown.letters, passage), share);
  return at === null ? "" : withSigns(source, markdown.places[at], markdown.places[at + passage.length - 1] + 1);
};

// A sign that is opened within the words is closed with them, and the other way round.
const withSigns = (source, from, to) => {
  const isOdd = (sign) => "*_`~".includes(sign) && (source.slice(from, to).split(sign).length - 1) % 2 === 1;
  while (to < source.length && isOdd(source[to])) to++;
  while (from > 0 && isOdd(source[from - 1])) from--;
  return source.slice(from, to);
};

const quote = (passage) => {
  const form = document.getElementById("comment-form");
  const quotation = form.querySelector("[data-quote]");
  const field = form.querySelector("[data-passage-field]");
  field.value = passage;
  field.disabled = !passage;
  quotation.textContent = passage;
  quotation.hidden = form.querySelector("[data-unquote]").hidden = !passage;
  form.querySelector("textarea").placeholder = passage ? "Comment on the selected text" : "Comment on the whole document";
};

document.addEventListener("selectionchange", () => {
  const button = document.querySelector("[data-quotes]");
  if (!button) return;
  const selection = selected();
  button.hidden = !selection;
  if (!selection) return;
  const { right, top } = selection.range.getBoundingClientRect();
  button.style.left = `${Math.min(right + 6, innerWidth - 120)}px`;
  button.style.top = `${Math.max(8, top - 34)}px`;
});

document.addEventListener("mousedown", (event) => event.target.closest("[data-quotes]") && event.preventDefault());

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-unquote]")) quote("");
  if (!event.target.closest("[data-quotes]")) return;
  const selection = selected();
  const passage = selection ? passageOf(selection) : "";
  if (selection && !passage) window.pendesk.showToast("This selection cannot be quoted. Select a shorter passage.", { bad: true });
  quote(passage);
  getSelection().removeAllRanges();
  const form = document.getElementById("comment-form");
  form.scrollIntoView({ block: "nearest" });
  form.querySelector("textarea").focus();
});

// The key for commenting takes the selection along.
document.addEventListener("focusin", ({ target }) => {
  const selection = target.matches?.("#comment-form textarea") && selected();
  if (selection) quote(passageOf(selection));
});

document.addEventListener("done", ({ detail }) => detail.operation === "add_comment" && quote(""));
