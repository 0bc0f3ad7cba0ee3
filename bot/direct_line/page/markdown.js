// An answer or a conversation as Markdown with footnotes: the service writes it, and it is copied or saved.
import { announce, call, request, words } from "./service.js";

// Throws where the service does not give the text away.
async function read({ token, conversationId, title }, answer) {
  const query = new URLSearchParams(answer ? { answer } : { title: title || "" });
  const response = await request("GET", `/page/conversations/${conversationId}/markdown?${query}`, token);
  if (!response) throw new Error("not copied");
  return response.text();
}

// Whether it was copied.
export async function copy(conversation, answer) {
  try {
    const text = read(conversation, answer);
    // Safari lets a page write after a request only where it has promised the text before.
    const blob = text.then(written => new Blob([written], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
    announce(words.page_copied);
    return true;
  } catch {
    announce(words.page_not_copied);
    return false;
  }
}

export async function save(conversation, answer) {
  try {
    const text = await read(conversation, answer);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/markdown" }));
    link.download = `${fileName(conversation.title)}.md`;
    link.click();
    URL.revokeObjectURL(link.href);
    announce(words.page_saved);
    return true;
  } catch {
    announce(words.page_not_saved);
    return false;
  }
}

// Also of a conversation that was not opened for longer than its token is good for.
export async function freshToken(conversation) {
  const fresh = await call("POST", "/tokens/refresh", conversation.token).catch(() => null);
  return { ...conversation, token: fresh?.token || conversation.token };
}

// Without what Windows allows in no name.
function fileName(title) {
  return (title || "").replace(/[\\/:*?"<>|\u0000-\u001f]+/g, " ").replace(/\s+/g, " ").replace(/^[\s.]+|[\s.]+$/g, "").slice(0, 80).trim() || words.page_conversation;
}
