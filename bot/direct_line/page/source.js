// On a wide window a badge opens its document beside the answer, at the cited words. Else Web Chat's dialog has the passage.
import { streamOf } from "./answer.js";
import { focusSendBox } from "./chat.js";
import { element, words } from "./service.js";

const CONTROL = ".webchat__render-markdown__citation, .webchat__link-definitions__list-item-box--as-button";
const NUMBER = ".webchat__link-definitions__badge";
const VIEW = /\]\((\S+)\)$/; // the link at the end of a passage
const wide = matchMedia("(min-width: 1100px)");
const chat = document.getElementById("chat"), panel = document.getElementById("source");
const answers = new Map(); // the claims of each answer
let shown = null; // the source that is shown: its answer, and its number

function find(control) {
  const answer = control.closest(".webchat__basic-transcript__activity")?.querySelector("[data-stream]")?.dataset.stream;
  const number = (control.querySelector(NUMBER) ?? control).textContent.trim();
  const claim = answers.get(answer)?.find(one => String(one.position) === number);
  return { key: `${answer} ${number}`, number, name: claim?.appearance?.name, address: viewOf(claim?.appearance?.text ?? "") };
}

// Whatever host a link names, only a document of this bot is shown.
function viewOf(text) {
  const url = new URL(VIEW.exec(text)?.[1] ?? "", location.origin);
  return url.pathname.startsWith("/documents/") && url.searchParams.has("view") ? url.pathname + url.search + url.hash : null;
}

const controls = () => [...chat.querySelectorAll(CONTROL)];

function mark() {
  for (const control of controls()) control.ariaCurrent = shown && find(control).key === shown ? "true" : null;
}

function open(control, { key, number, name, address }) {
  const frame = element("iframe", { src: address, title: name });
  // The mark in the document takes the focus. Where there is none, the document does.
  frame.addEventListener("load", () => {
    panel.ariaBusy = null;
    const document = frame.contentDocument; // none of a file that is shown as it is, and has no origin
    document?.defaultView.addEventListener("keydown", leave);
    if (!document?.getElementById("cited")) frame.focus();
  });
  panel.querySelector("h2").textContent = `${words.page_source} ${number}`;
  panel.querySelector("a").href = address;
  panel.querySelector("iframe")?.remove();
  panel.append(frame);
  panel.ariaBusy = "true";
  shown = key;
  change(true);
  control.scrollIntoView({ block: "nearest" }); // its line has moved
}

function close() {
  if (!shown) return;
  const hadFocus = panel.contains(document.activeElement);
  const from = controls().find(one => find(one).key === shown);
  panel.querySelector("iframe").remove();
  shown = null;
  change(false);
  if (!hadFocus) return;
  if (from) from.focus();
  else focusSendBox();
}

function change(isOpen) {
  panel.hidden = !isOpen;
  mark();
  dispatchEvent(new CustomEvent("sourcechange", { detail: isOpen }));
}

function leave(event) {
  if (event.key === "Escape" && !event.defaultPrevented) close();
}

addEventListener("activity", ({ detail: activity }) => {
  const citation = activity.entities?.find(one => one["@type"] === "Message")?.citation;
  if (citation) answers.set(streamOf(activity), [citation].flat());
});
chat.addEventListener("click", event => {
  const control = wide.matches && event.target.closest(CONTROL);
  const source = control && find(control);
  if (!source?.address) return;
  event.preventDefault();
  event.stopPropagation(); // before Web Chat opens its dialog
  open(control, source);
}, true);
panel.addEventListener("keydown", leave);
panel.querySelector("button").addEventListener("click", close);
wide.addEventListener("change", close);
addEventListener("documentsshown", close);
addEventListener("conversationshown", () => {
  close();
  answers.clear();
});
