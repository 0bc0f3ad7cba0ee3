// The list of conversations: beside the chat, or on a narrow screen in a drawer above it.
import { current, forget, listed, rename } from "./conversations.js";
import { copy, freshToken, save } from "./markdown.js";
import { announce, element, words } from "./service.js";

const HIDDEN = "conversations-hidden";
const narrow = matchMedia("(max-width: 900px)");
const panel = document.getElementById("conversations");
const list = panel.querySelector("ul");
const toggle = document.getElementById("show-conversations");
const menu = document.getElementById("conversation-menu");
const question = document.getElementById("delete-conversation");
let chosen = null; // the conversation that the menu is about
let turnTo = {};

// `open` shows a conversation of the list, `begin` a new one, and `fail` that the bot is not reached.
export function showList(actions) {
  turnTo = actions;
  addEventListener("conversationschange", draw);
  addEventListener("storage", draw); // another tab
  narrow.addEventListener("change", arrange);
  addEventListener("sourcechange", arrange);
  panel.addEventListener("toggle", () => toggle.setAttribute("aria-expanded", String(isShown())));
  toggle.addEventListener("click", () => {
    if (narrow.matches) return; // it is the popover's own button
    panel.hidden = !panel.hidden;
    localStorage.setItem(HIDDEN, panel.hidden ? "yes" : "no");
    toggle.setAttribute("aria-expanded", String(isShown()));
  });
  for (const button of menu.querySelectorAll("button")) button.addEventListener("click", () => act(button.value));
  for (const button of question.querySelectorAll("button")) button.addEventListener("click", () => question.close(button.value));
  question.addEventListener("close", () => question.returnValue === "delete" && remove(chosen));
  arrange();
  draw();
}

function isShown() {
  return narrow.matches ? panel.matches(":popover-open") : !panel.hidden;
}

// Beside a source there is room for it on a very wide screen only; a person can open it there, too.
function arrange({ detail: isBesideSource } = {}) {
  panel.popover = narrow.matches ? "auto" : null;
  if (narrow.matches) toggle.setAttribute("popovertarget", panel.id);
  else toggle.removeAttribute("popovertarget");
  panel.hidden = !narrow.matches && (localStorage.getItem(HIDDEN) === "yes" || (isBesideSource === true && innerWidth < 1600));
  toggle.setAttribute("aria-expanded", String(isShown()));
}

function draw() {
  if (list.querySelector("input")) return; // a title is being written
  const here = current()?.conversationId;
  const items = listed();
  const focused = list.contains(document.activeElement) && document.activeElement.closest("li").dataset.conversation;
  list.replaceChildren(...items.map(one => row(one, one.conversationId === here)));
  if (!items.some(one => one.conversationId === here)) list.prepend(unasked());
  if (focused) find(focused)?.querySelector(".opener").focus();
}

function find(conversationId) {
  return list.querySelector(`[data-conversation="${CSS.escape(conversationId)}"]`);
}

// The conversation that is shown, in which nothing was asked yet.
function unasked() {
  return element("li", {}, element("span", { class: "opener", "aria-current": "true" }, words.page_new_conversation));
}

function row(conversation, isHere) {
  const { conversationId, title } = conversation;
  const opener = element("button", { type: "button", class: "opener", title, ...(isHere && { "aria-current": "true" }) }, title);
  opener.addEventListener("click", () => {
    if (narrow.matches) panel.hidePopover();
    if (!isHere) turnTo.open(conversation);
  });
  return element("li", { "data-conversation": conversationId }, opener, more(conversation));
}

function more(conversation) {
  const label = words.page_more.replace("{title}", conversation.title);
  const attributes = { type: "button", class: "more", title: label, "aria-label": label, popovertarget: menu.id };
  const button = element("button", attributes, "⋯");
  button.addEventListener("click", () => {
    chosen = conversation;
    const { bottom, right } = button.getBoundingClientRect();
    menu.style.top = `${Math.min(bottom + 4, innerHeight - 190)}px`;
    menu.style.left = `${Math.max(8, right - 224)}px`;
  });
  return button;
}

async function act(action) {
  menu.hidePopover();
  if (action === "rename") editTitle(chosen);
  else if (action === "delete") {
    question.querySelector("p").textContent = words.page_delete_which.replace("{title}", chosen.title);
    question.returnValue = ""; // Escape leaves the last one
    question.showModal();
  } else await (action === "copy" ? copy : save)(await freshToken(chosen));
}

function editTitle({ conversationId, title }) {
  const input = element("input", { value: title, "aria-label": words.page_title_of, maxlength: 80 });
  let done = false;
  const end = isKept => {
    if (done) return;
    done = true;
    input.remove();
    if (isKept) rename(conversationId, input.value);
    else draw();
    find(conversationId)?.querySelector(".opener").focus();
  };
  input.addEventListener("keydown", event => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault(); // Escape would close the drawer
    event.stopPropagation();
    end(event.key === "Enter");
  });
  input.addEventListener("blur", () => end(true));
  find(conversationId).replaceChildren(input);
  input.select();
  input.focus();
}

async function remove(conversation) {
  const { token } = await freshToken(conversation);
  const headers = { Authorization: `Bearer ${token}` };
  const url = `/page/conversations/${conversation.conversationId}`;
  const response = await fetch(url, { method: "DELETE", headers }).catch(() => null);
  // 403 and 404: the service knows it no longer, so it is deleted already.
  if (!response || response.status >= 500) return turnTo.fail();
  const wasHere = current()?.conversationId === conversation.conversationId;
  forget(conversation.conversationId);
  announce(words.page_deleted);
  (list.querySelector(".opener:is(button)") || toggle).focus();
  if (!wasHere) return;
  const [next] = listed();
  if (next) turnTo.open(next);
  else turnTo.begin();
}
