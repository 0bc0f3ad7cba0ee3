// The panel with the documents: a column beside the conversation, and a drawer where there is no room for it.
import { choose as chooseDocuments, locale, remove, say, subscribe } from "./documents.js";
import { announce } from "./drop.js";
import { element } from "./service.js";

const KEPT = "documents";
const find = id => document.getElementById(id);
const panel = find("documents"), toggle = find("documents-toggle"), filter = find("documents-filter");
const list = find("documents-list"), chosen = find("documents-chosen"), skipped = find("documents-skipped"), progress = find("documents-progress");
const wide = matchMedia("(min-width: 1200px)");
const sizes = ["byte", "kilobyte", "megabyte"].map(unit => new Intl.NumberFormat(locale, {
  style: "unit", unit, unitDisplay: unit === "byte" ? "long" : "short", maximumFractionDigits: unit === "megabyte" ? 1 : 0,
}));
const times = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
const dates = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
const rows = new Map();
let shown = null, wasBusy = false;

function writeSize(bytes) {
  const step = bytes < 1000 ? 0 : bytes < 1e6 ? 1 : 2;
  return sizes[step].format(bytes / 1000 ** step);
}

function writeTime(when) {
  return (when.toDateString() === new Date().toDateString() ? times : dates).format(when);
}

function writeFacts(file) {
  const facts = [writeSize(file.size), file.passages];
  if (file.indexed) facts.push(say("indexed", { when: writeTime(new Date(file.indexed)) }));
  return element("p", { class: "facts" }, facts.join(" · "));
}

function writeTags(file) {
  const tags = element("p", { class: "tags" });
  if (file.label) {
    const label = element("span", { class: "tag label" }, file.label.name);
    if (file.label.color) label.style.setProperty("--label", file.label.color);
    tags.append(label);
  }
  if (file.added) tags.append(element("span", { class: "tag" }, say("added_by_you")));
  return tags;
}

function writeRemoval(file) {
  const name = say("remove", { name: file.added });
  const button = element("button", { type: "button", class: "plain remove", title: name, "aria-label": name });
  button.innerHTML = '<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M4 6h12M8 6V4h4v2M6 6l1 10h6l1-10"/></svg>';
  button.addEventListener("click", async () => {
    button.disabled = true;
    const done = await remove(file.added);
    if (done) announce(say("removed", { name: file.added }));
    else announce("", say("not_removed", { name: file.added }));
    (filter.hidden ? find("documents-close") : filter).focus();
  });
  return button;
}

function writeRow(file, format, ...about) {
  const sign = element("span", { class: "format", "aria-hidden": "true" }, format.slice(0, 4).toUpperCase());
  return element("li", {}, sign, element("div", { class: "about" }, ...about), ...(file.added ? [writeRemoval(file)] : []));
}

function writeDocument(file) {
  const title = element("a", { href: file.url, target: "_blank", rel: "noopener", title: file.path }, file.title);
  const format = element("span", { class: "hidden" }, ` ${file.format.toUpperCase()}`);
  const row = writeRow(file, file.format, title, format, writeFacts(file), writeTags(file));
  const box = element("input", { type: "checkbox", value: file.path, "aria-label": say("ask_only", { title: file.title }) });
  row.prepend(element("label", { class: "tick" }, box));
  return row;
}

function renderChosen({ documents, chosen: paths }) {
  const isPart = paths.length > 0, count = document.querySelector(".asked .count");
  for (const box of list.querySelectorAll(".tick input")) box.checked = paths.includes(box.value);
  const text = isPart ? say("chosen", { done: paths.length, total: documents.length }) : say("choose");
  list.classList.toggle("choosable", documents.length > 1 || isPart);
  chosen.hidden = documents.length < 2 && !isPart;
  chosen.querySelector("button").hidden = !isPart;
  count.classList.toggle("chosen", isPart);
  if (isPart) count.textContent = text;
  const said = chosen.querySelector("[role=status]");
  if (said.textContent !== text) said.textContent = text;
}

function writeSkipped(file) {
  const name = element("p", { class: "name", title: file.path }, file.name);
  return writeRow(file, "!", name, element("p", { class: "facts" }, file.reason));
}

/** The row of a file is made anew only where something of it has changed, so that the focus stays in it. */
function row(key, file, write) {
  const text = JSON.stringify(file);
  const before = rows.get(key);
  if (before?.text === text) return before.row;
  const made = write(file);
  rows.set(key, { text, row: made });
  return made;
}

function fill(parent, children) {
  const focused = document.activeElement;
  if (children.length === parent.children.length && children.every((child, at) => child === parent.children[at])) return;
  parent.replaceChildren(...children);
  if (parent.contains(focused)) focused.focus({ preventScroll: true });
}

function render(state) {
  shown = state;
  const words = filter.value.toLocaleLowerCase(locale).split(/\s+/).filter(Boolean);
  const matches = file => {
    const text = [file.title, file.path, file.name, file.format, file.label?.name].join(" ").toLocaleLowerCase(locale);
    return words.every(word => text.includes(word));
  };
  const files = state.documents.filter(matches), others = state.skipped.filter(matches);
  fill(list, files.map(file => row(file.path, file, writeDocument)));
  fill(skipped.querySelector("ul"), others.map(file => row(`! ${file.path} ${file.reason}`, file, writeSkipped)));
  skipped.hidden = !others.length;
  skipped.querySelector(".count-of").textContent = others.length;
  filter.hidden = state.documents.length + state.skipped.length < 2;
  const none = state.complete && !files.length && !others.length && !state.reading.length && !state.waiting;
  find("documents-matches").textContent = none ? say(words.length ? "no_match" : "empty") : "";
  for (const count of document.querySelectorAll(".documents-count")) count.textContent = state.documents.length;
  document.querySelector(".asked .count").textContent = state.count;
  renderChosen(state);
  renderProgress(state);
}

function renderProgress(state) {
  const left = state.reading.length + state.waiting;
  const total = state.read + left;
  progress.hidden = !left;
  const bar = progress.querySelector("progress");
  bar.max = total || 1;
  bar.value = state.read;
  const text = say("read_so_far", { done: state.read, total });
  progress.querySelector("p").textContent = state.stalled ? `${text}. ${say("stalled")}` : text;
  fill(progress.querySelector("ul"), state.reading.map(name => row(`… ${name}`, name, text => element("li", {}, text))));
  // A screen reader hears the beginning and the end, and not each file.
  if (Boolean(left) !== wasBusy) find("documents-state").textContent = left ? text : say("all_read");
  wasBusy = Boolean(left);
}

function show(open, focus = true) {
  const modal = open && !wide.matches;
  panel.hidden = !open;
  toggle.setAttribute("aria-expanded", String(open));
  panel.role = modal ? "dialog" : "complementary";
  panel.ariaModal = modal ? "true" : null;
  for (const other of document.querySelectorAll("body > header, #conversations, main")) other.inert = modal;
  if (focus && modal) find("documents-close").focus();
  else if (focus && !open) toggle.focus();
}

function choose(open) {
  if (open) dispatchEvent(new Event("documentsshown"));
  if (wide.matches) localStorage.setItem(KEPT, open ? "open" : "closed");
  show(open);
}

toggle.addEventListener("click", () => choose(panel.hidden));
find("documents-close").addEventListener("click", () => choose(false));
panel.addEventListener("keydown", event => {
  if (event.key === "Escape" && !wide.matches) choose(false);
});
document.addEventListener("pointerdown", event => {
  if (!panel.hidden && !wide.matches && !panel.contains(event.target)) choose(false);
});
const fit = () => show(wide.matches && find("source").hidden && localStorage.getItem(KEPT) !== "closed", false);
wide.addEventListener("change", fit);
addEventListener("sourcechange", fit);
list.addEventListener("change", ({ target }) => chooseDocuments(paths => target.checked ? paths.add(target.value) : paths.delete(target.value)));
chosen.querySelector("button").addEventListener("click", () => {
  chooseDocuments(paths => paths.clear());
  list.querySelector(".tick input")?.focus();
});
filter.addEventListener("input", () => shown && render(shown));
toggle.hidden = false;
fit();
subscribe(render);
