// The conversations of this browser: the one of this tab, and a list of all in which something was asked.
import { call, words } from "./service.js";

const CURRENT = "conversation", LISTED = "conversations";
const MOST = 100; // as many as the service keeps
const LONGEST = 80;

// [{ conversationId, token, user, title, at }], the newest first.
export function listed() {
  const kept = JSON.parse(localStorage.getItem(LISTED) || "{}");
  // A service that was started again knows none of them.
  return kept.service === words.service ? kept.items : [];
}

function keep(items) {
  localStorage.setItem(LISTED, JSON.stringify({ service: words.service, items: items.slice(0, MOST) }));
  dispatchEvent(new Event("conversationschange"));
}

export function current() {
  return JSON.parse(sessionStorage.getItem(CURRENT) || "null");
}

export function take(conversation) {
  sessionStorage.setItem(CURRENT, JSON.stringify(conversation));
  dispatchEvent(new Event("conversationschange"));
}

export async function begin() {
  const user = `user-${crypto.randomUUID()}`;
  const { token, conversationId } = await call("POST", "/tokens/generate", null, { user: { id: user } });
  return { token, conversationId, user };
}

// Null where the service knows the conversation no longer; it is then left out of the list.
export async function resume(kept) {
  const { conversationId, user } = kept;
  const fresh = await call("POST", "/tokens/refresh", kept.token);
  const behind = Number.MAX_SAFE_INTEGER % 1e15;
  const known = fresh && await call("GET", `/conversations/${conversationId}/activities?watermark=${behind}`, fresh.token);
  if (!known) return forget(conversationId);
  keep(listed().map(one => one.conversationId === conversationId ? { ...one, token: fresh.token } : one));
  return { token: fresh.token, conversationId, user, again: true };
}

function shorten(text) {
  // Behind a control that turns the writing (UAX #9), a title would be read in another order.
  const straight = text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "");
  return [...straight.replace(/\s+/g, " ").trim()].slice(0, LONGEST).join("");
}

// What was asked: the first question is the title, and the last one says how new the conversation is.
export function note(conversation, question, at) {
  const items = listed();
  const known = items.find(one => one.conversationId === conversation.conversationId);
  if (known && known.at >= at) return;
  const title = known?.title || shorten(question);
  const { conversationId, token, user } = conversation;
  keep([{ ...known, conversationId, token, user, title, at }, ...items.filter(one => one !== known)]
    .sort((one, other) => (one.at < other.at ? 1 : -1)));
}

export function rename(conversationId, title) {
  const written = shorten(title);
  keep(listed().map(one => one.conversationId === conversationId && written ? { ...one, title: written } : one));
}

export function forget(conversationId) {
  if (current()?.conversationId === conversationId) sessionStorage.removeItem(CURRENT);
  keep(listed().filter(one => one.conversationId !== conversationId));
  return null;
}
