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

export function glueBadges(chat) {
  new MutationObserver(() => chat.querySelectorAll(BADGE).forEach(glue)).observe(chat, { childList: true, subtree: true });
}
