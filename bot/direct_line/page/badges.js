// A badge never begins a line: it stays with the end of the word before it, and with the badges that touch it.
const BADGE = ".webchat__render-markdown__pure-identifier";
const END = /[^\s\u200b]{0,20}[\s\u200b]*$/; // Web Chat puts U+200B on both sides of a badge

function glue(badge) {
  if (badge.closest(".with-badge")) return;
  badge.parentNode.normalize();
  const before = badge.previousSibling;
  if (before?.nodeType !== Node.TEXT_NODE) return;
  const together = document.createElement("span");
  together.className = "with-badge";
  badge.before(together);
  together.append(before.splitText(END.exec(before.data).index), badge);
  for (let next; (next = together.nextSibling) && (next.matches?.(BADGE) || /^\u200b+$/.test(next.data));) together.append(next);
}

// The name of a passage stands above it, with its badge: one emphasis, and nothing but a number behind it. That of
// a document stands above the list of its headings.
export function isName(paragraph) {
  const [name, ...others] = [...paragraph.childNodes].filter(one => one.textContent.replace(/[\s\u200b]/g, ""));
  if (name?.nodeName !== "EM") return false;
  if (!others.length) return paragraph.matches(":first-child:has(+ ul)");
  return Boolean(paragraph.querySelector(BADGE)) && /^[\d\s\u200b]+$/.test(others.map(one => one.textContent).join(""));
}

function draw(chat) {
  chat.querySelectorAll(BADGE).forEach(glue);
  for (const paragraph of chat.querySelectorAll(".webchat__render-markdown > p:has(> em:first-child)")) {
    paragraph.classList.toggle("source-name", isName(paragraph));
  }
}

export function drawBadges(chat) {
  new MutationObserver(() => draw(chat)).observe(chat, { childList: true, subtree: true });
}

// A click needs one element under the press and the release. While an answer comes, Web Chat draws it anew in
// between, and it may have moved. The one that took its place is the same, behind as many of its like.
export function keepClicks(chat) {
  const CONTROL = "a, button", STILL = 8, SOON = 200; // pixels, milliseconds
  const likes = control => [...chat.querySelectorAll(CONTROL)].filter(one => one.isEqualNode(control));
  let press = null, lost = null, timer;
  chat.addEventListener("pointerdown", ({ target, button, clientX, clientY }) => {
    const control = button ? null : target.closest(CONTROL);
    press = control && { control, clientX, clientY, place: likes(control).indexOf(control) };
  });
  chat.addEventListener("pointerup", ({ clientX, clientY }) => {
    if (!press) return;
    const { control, place } = press;
    const isStill = Math.hypot(clientX - press.clientX, clientY - press.clientY) <= STILL;
    press = null;
    if (control.isConnected || !isStill) return;
    lost = control;
    timer = setTimeout(() => { lost = null; likes(control)[place]?.click(); }, SOON);
  });
  // The browser's own click, right behind it, is on whatever is there now: a finger's may be the same, a mouse's is not.
  addEventListener("click", event => {
    if (!lost || !event.isTrusted) return;
    if (event.target.closest(CONTROL)?.isEqualNode(lost)) {
      clearTimeout(timer);
      lost = null;
    } else {
      event.preventDefault();
      event.stopPropagation();
    }
  }, true);
}
