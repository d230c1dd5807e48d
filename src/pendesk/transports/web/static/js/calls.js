// What scripts call the server with, and what they make of pasted lists.

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

// Call an operation with fields that may repeat: its data, or why it was refused.
const send = async (operation, pairs) => {
  try {
    const answer = await fetch(`/do/${operation}`, {
      method: "POST",
      body: new URLSearchParams(pairs),
      headers: { "HX-Request": "true" },
    });
    if (answer.ok) return { data: JSON.parse(answer.headers.get("HX-Trigger") ?? '{"done": {}}').done };
    return { error: (await answer.json()).error };
  } catch {
    return { error: { message: "The server cannot be reached. Your text is kept in this browser: save again in a moment." } };
  }
};

const fragment = async (address, fields) => {
  const answer = await fetch(address, { method: "POST", body: new URLSearchParams(fields), headers: { "HX-Request": "true" } });
  return answer.ok ? await answer.text() : "";
};

const changed = (data = {}) => document.body.dispatchEvent(new CustomEvent("done", { detail: data, bubbles: true }));

const showError = (error) => error && window.pendesk.showToast(error.message, { bad: true });

// The items of a text of several lines: blank lines and the marks of lists are no part of them. depth: how far it is indented.
const LIST_MARK = /^(?:[-*+•]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+)/;
const itemsOfText = (text) =>
  text
    .split(/\r?\n/)
    .map((line) => line.replaceAll("\t", "    "))
    .map((line) => ({ depth: line.search(/\S/), text: line.trim().replace(LIST_MARK, "") }))
    .filter((item) => item.text && item.depth >= 0);

// What was pasted, where it makes more than one item.
const pastedItems = (event) => {
  const items = itemsOfText(event.clipboardData?.getData("text/plain") ?? "");
  return items.length > 1 ? items : null;
};

Object.assign(window.pendesk, { make, send, fragment, changed, showError, itemsOfText, pastedItems });
