// Files: dropped, pasted or chosen; with progress, and as a picture in the text where they were pasted into one.

const { make, showToast, changed } = window.pendesk;

// Where files belong that are dropped or pasted anywhere on the page.
const pageTarget = () => document.querySelector("[data-uploads]")?.dataset.uploads;

const sendFile = (address, file, onProgress) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", address);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = (event) => onProgress(event.loaded / event.total);
    request.onload = () => {
      const response = JSON.parse(request.responseText || "{}");
      if (request.status < 300) resolve(response);
      else reject(new Error(response.error?.message ?? "The file was rejected."));
    };
    request.onerror = () => reject(new Error("The server cannot be reached. The file was not uploaded."));
    request.send(file);
  });

window.pendesk.sendFile = sendFile;

const upload = (file, target, onProgress) => {
  const address = new URL(target, location.href);
  address.searchParams.set("name", file.name || `pasted-${Date.now()}.${file.type.split("/")[1] ?? "bin"}`);
  if (file.type) address.searchParams.set("media_type", file.type.split(";")[0]);
  return sendFile(address, file, onProgress);
};

const insert = (text, words) => {
  text.setRangeText(words, text.selectionStart, text.selectionEnd, "end");
  text.dispatchEvent(new Event("input", { bubbles: true }));
};

const send = async (file, target, list, text) => {
  const bar = make("progress", { max: "1", value: "0", "aria-label": `Uploading ${file.name}` });
  const line = make("li", { class: "upload" }, make("span", {}, file.name || "Pasted image"), bar);
  list?.append(line);
  try {
    const attachment = await upload(file, target, (part) => (bar.value = part));
    if (text) insert(text, `![${attachment.name.replace(/[[\]]/g, "")}](/files/${attachment.pid})\n`);
    else showToast(`${attachment.name} attached.`);
    changed();
  } catch (problem) {
    showToast(problem.message, { bad: true });
  } finally {
    line.remove();
  }
};

const sendAll = (files, target, list, text = null) =>
  [...files].reduce((last, file) => last.then(() => send(file, target, list, text)), Promise.resolve());

const sendToPage = (files, text = null) => sendAll(files, pageTarget(), document.getElementById("uploads"), text);

const holdsFiles = (transfer) => pageTarget() && [...(transfer?.types ?? [])].includes("Files");

document.addEventListener("dragover", (event) => {
  if (!holdsFiles(event.dataTransfer)) return;
  event.preventDefault();
  document.body.classList.add("dropping");
});

document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) document.body.classList.remove("dropping");
});

document.addEventListener("drop", (event) => {
  document.body.classList.remove("dropping");
  if (!holdsFiles(event.dataTransfer)) return;
  event.preventDefault();
  sendToPage(event.dataTransfer.files, event.target.closest?.("form.editor textarea"));
});

document.addEventListener("paste", (event) => {
  const files = event.clipboardData?.files ?? [];
  if (!files.length || !pageTarget()) return;
  event.preventDefault();
  sendToPage(files, event.target.closest?.("form.editor textarea"));
});

document.addEventListener("change", (event) => {
  const input = event.target;
  if (!input.matches("[data-files]")) return;
  // An input that names an address has its own files; they are listed in what stands beside it.
  if (input.dataset.files) sendAll(input.files, input.dataset.files, input.closest("label").nextElementSibling);
  else sendToPage(input.files);
  input.value = "";
});
