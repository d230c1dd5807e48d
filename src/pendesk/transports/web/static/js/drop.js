// Before actions are moved to Won't do: why, and what becomes of those that wait for them.

const NAMED = 10;

const dependentsOf = async (ref) => {
  try {
    const answer = await fetch(`/api/v1/actions/${ref}`);
    return answer.ok ? (await answer.json()).dependents.map((dependent) => dependent.refCode) : [];
  } catch {
    return []; // the inbox asks instead
  }
};

// Resolves to the fields of update_action, or to null.
const askDrop = async (refs) => {
  const dialog = document.getElementById("drop");
  const dependents = new Set((await Promise.all(refs.map(dependentsOf))).flat());
  const waiting = [...dependents].filter((ref) => !refs.includes(ref));
  const choice = dialog.querySelector("[data-dependents]");
  choice.hidden = choice.disabled = !waiting.length;
  const verb = waiting.length === 1 ? "action waits" : "actions wait";
  choice.querySelector("legend").textContent = `${waiting.length} ${verb} for ${refs.length === 1 ? "this" : "these"}: ${waiting.slice(0, NAMED).join(", ")}${waiting.length > NAMED ? "…" : ""}`;
  document.getElementById("drop-title").textContent = `Move ${refs.length === 1 ? refs[0] : `${refs.length} actions`} to Won't do`;
  const form = dialog.querySelector("form");
  form.reset();
  return (await window.pendesk.answered(dialog)) ? Object.fromEntries(new FormData(form)) : null;
};

Object.assign(window.pendesk, { askDrop });
