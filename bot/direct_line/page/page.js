// The page: a conversation is begun or taken up again, shown, and exchanged for another.
import { focusSendBox, show } from "./chat.js";
import { begin, current, forget, listed, resume, take } from "./conversations.js";
import { showList } from "./conversation_list.js";
import { words } from "./service.js";

const notice = document.getElementById("notice");
let asked = null;
let hasModel = false;
let isLost = false; // whether the notice says that the bot can't be reached, which a later look may find

function tell(text) {
  isLost = false;
  document.getElementById("loading").hidden = true;
  notice.querySelector("p").textContent = text;
  notice.hidden = false;
}

// Of several conversations that are asked for in a row, the last one is shown, whichever comes last.
async function exchange(coming) {
  asked = coming;
  const conversation = await coming;
  if (asked !== coming) return;
  if (!conversation) return tell(words.page_ended);
  notice.hidden = true;
  take(conversation);
  show(conversation, () => tell(words.page_ended));
}

// A reload takes the conversation up again; a service that was restarted knows nothing of it.
async function start() {
  const kept = current();
  return (kept && await resume(kept)) || begin();
}

// After a restart of the bot the whole page is loaded anew, since it knows the process that it came from.
function startAgain() {
  forget(current()?.conversationId);
  location.reload();
}

// Where nothing has been asked yet, the conversation is as good as a new one.
async function beginAnew() {
  if (!notice.hidden) return startAgain();
  const shown = current();
  if (!shown || listed().some(one => one.conversationId === shown.conversationId)) await exchange(begin());
  focusSendBox();
}

// The model is tried after the start, and by each question. What is wrong with it is shown until it answers.
let watching;
async function watchModel() {
  clearTimeout(watching);
  const facts = await fetch("/readyz").then(response => response.json()).catch(() => ({}));
  const problem = facts["model problem"];
  const element = document.getElementById("model");
  element.textContent = (words[problem] || "").replace("{model}", facts.model);
  element.hidden = !problem;
  hasModel = Boolean(facts.model);
  if (hasModel && facts["model answers"] !== "yes") watching = setTimeout(watchModel, problem ? 10000 : 1000);
}

function pressTheme() {
  const dark = document.documentElement.dataset.theme === "dark";
  document.getElementById("theme").setAttribute("aria-pressed", String(dark));
}

const unreachable = () => tell(words.page_unreachable);

document.getElementById("theme").addEventListener("click", toggleTheme);
document.getElementById("again").addEventListener("click", () => beginAnew().catch(unreachable));
notice.querySelector("button").addEventListener("click", startAgain);
// Web Chat tries to connect again for a long time, and says nothing meanwhile.
addEventListener("looked", ({ detail: isThere }) => {
  if (!isThere && notice.hidden) {
    unreachable();
    isLost = true;
  } else if (isThere && isLost) {
    notice.hidden = true;
    isLost = false;
  }
});
addEventListener("themechange", pressTheme);
addEventListener("modelchange", watchModel);
addEventListener("activity", ({ detail: { type, from } }) => {
  if (!hasModel || type !== "message" || from.role !== "bot") return;
  clearTimeout(watching);
  watching = setTimeout(watchModel, 300);
});
pressTheme();
watchModel();
if (window.WebChat) exchange(start()).catch(unreachable);
else tell(words.page_no_web_chat);
showList({
  open: kept => exchange(resume(kept)).catch(unreachable),
  begin: () => exchange(begin()).catch(unreachable),
  fail: unreachable,
});
