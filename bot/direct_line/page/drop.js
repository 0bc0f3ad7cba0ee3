// Files that are dropped on the page, or chosen in a dialog, are added to the documents.
import { add, say } from "./documents.js";

const overlay = document.getElementById("drop");
const news = document.querySelector("#news > div"); // what is shown in a live region is read out
const chooser = document.getElementById("chooser");
const PATIENCE = 8000; // milliseconds that a good message stays
let depth = 0, timer = 0;

/** Say what was done, and below it what failed, also to a screen reader. What failed stays until the next message. */
export function announce(done, failed = "") {
  clearTimeout(timer);
  news.querySelector(".done").textContent = done;
  news.querySelector(".failed").textContent = failed;
  news.hidden = false;
  if (!failed) timer = setTimeout(() => { news.hidden = true; }, PATIENCE);
}

async function take(files, folders = []) {
  const problems = folders.map(name => say("no_folders", { name }));
  const done = [];
  for await (const { text, failed } of add(files)) {
    (failed ? problems : done).push(text);
    announce(done.slice(-1).join(""), problems.join(" "));
  }
  // In the end every file is named.
  if (done.length > 1 || !files.length) announce(done.join(" "), problems.join(" "));
}

const hasFiles = event => event.dataTransfer?.types.includes("Files");

function leave() {
  depth = 0;
  overlay.hidden = true;
}

addEventListener("dragenter", event => {
  if (!hasFiles(event)) return;
  depth += 1;
  overlay.hidden = false;
});
addEventListener("dragover", event => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = "copy";
});
addEventListener("dragleave", event => {
  if (!hasFiles(event)) return;
  depth -= 1;
  if (depth <= 0) leave();
});
addEventListener("drop", event => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  leave();
  const files = [], folders = [];
  for (const item of event.dataTransfer.items) {
    const file = item.getAsFile();
    if (!file) continue;
    if (item.webkitGetAsEntry?.()?.isDirectory) folders.push(file.name);
    else files.push(file);
  }
  take(files, folders);
});
for (const button of document.querySelectorAll("[data-add-files]")) button.addEventListener("click", () => chooser.click());
chooser.addEventListener("change", () => {
  take([...chooser.files]);
  chooser.value = "";
});
news.querySelector("button").addEventListener("click", () => { news.hidden = true; });
