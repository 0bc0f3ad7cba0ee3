// The documents of the folder, as the bot lists them. Other modules of the page subscribe to changes.
import { words } from "./service.js";

const ROUTE = "/local/documents";
const BUSY = 700, IDLE = 8000, HIDDEN = 60000; // milliseconds between two looks
const LIVELY = 5000; // milliseconds after a change in which the bot may not have noticed it
const LONGEST = 60000; // milliseconds in which an added file is waited for
const language = document.documentElement.lang;
/** The browser's own variant of the page's language, such as de-CH, for numbers and dates. */
export const locale = navigator.language.startsWith(language) ? navigator.language : language;

const listeners = new Set();
const uploading = new Set(), unlisted = new Set(); // names of files on their way, and of those that are not in the list yet
const CHOSEN = "chosen documents";
const chosen = new Set(JSON.parse(sessionStorage.getItem(CHOSEN) || "[]"));
let listed = null, shown = "", timer = 0, asked = 0, changed = -LIVELY;

export const say = (key, fields = {}) => words[`page_${key}`].replace(/\{(\w+)\}/g, (_, name) => fields[name] ?? "");

/** Change the set of the paths of documents that alone are asked; where it is empty, all are. */
export function choose(change) {
  change(chosen);
  sessionStorage.setItem(CHOSEN, JSON.stringify([...chosen]));
  publish();
}

export function subscribe(listener) {
  listeners.add(listener);
  if (listed) listener(state());
}

/** What is listed, with the files that are on their way to the bot among those that are being read. */
function state() {
  const isReading = listed.reading.length + listed.waiting > 0;
  return { ...listed, chosen: [...chosen], read: isReading ? listed.read : 0, reading: [...uploading, ...listed.reading] };
}

function isRead(name) {
  return listed?.endings.some(ending => name.toLowerCase().endsWith(ending)) ?? true;
}

function publish() {
  if (!listed) return;
  const now = state();
  const text = JSON.stringify(now);
  if (text === shown) return;
  shown = text;
  for (const listener of listeners) listener(now);
}

export async function refresh() {
  clearTimeout(timer);
  const number = ++asked;
  const response = await fetch(ROUTE).catch(() => null);
  const body = response?.ok ? await response.json() : null;
  if (number !== asked) return; // a later look is under way
  dispatchEvent(new CustomEvent("looked", { detail: Boolean(response) }));
  if (body) listed = body;
  if (body?.complete && !body.reading.length && !body.waiting) {
    const there = new Set(body.documents.map(one => one.path));
    choose(paths => paths.forEach(path => there.has(path) || paths.delete(path)));
  } else publish();
  for (const { added } of [...listed?.documents ?? [], ...listed?.skipped ?? []]) unlisted.delete(added);
  const isAwaited = performance.now() - changed < (unlisted.size ? LONGEST : LIVELY);
  const busy = listed?.reading.length || listed?.waiting || uploading.size || isAwaited;
  timer = setTimeout(refresh, document.hidden ? HIDDEN : busy ? BUSY : IDLE);
}

/** Add files one after the other; yield a sentence about each. */
export async function* add(files) {
  if (!listed) await refresh();
  for (const file of files) if (isRead(file.name) && file.size) uploading.add(file.name);
  publish();
  for (const file of files) {
    const key = await send(file);
    uploading.delete(file.name);
    changed = performance.now();
    await refresh();
    yield { text: say(key, { name: file.name, limit: listed?.limit }), failed: !["added", "replaced"].includes(key) };
  }
}

async function send(file) {
  if (!isRead(file.name)) return "not_read";
  if (!file.size) return "file_empty";
  if (file.size > listed?.limit * 1e6) return "too_large";
  const response = await fetch(address(file.name), { method: "PUT", body: file }).catch(() => null);
  if (response?.ok) unlisted.add((await response.json()).name);
  if (response?.ok) return response.status === 200 ? "replaced" : "added";
  return { 413: "too_large", 415: "not_read" }[response?.status] ?? "not_added";
}

export async function remove(name) {
  const response = await fetch(address(name), { method: "DELETE" }).catch(() => null);
  changed = performance.now();
  await refresh();
  return Boolean(response?.ok);
}

function address(name) {
  return `${ROUTE}/${encodeURIComponent(name)}`;
}

addEventListener("posting", ({ detail: channelData }) => {
  if (chosen.size) channelData.documents = [...chosen];
});
document.addEventListener("visibilitychange", () => document.hidden || refresh());
refresh();
