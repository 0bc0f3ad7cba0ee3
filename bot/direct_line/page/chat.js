// Web Chat with one conversation, which can be exchanged for another.
import { followStep, middlewares, rememberFolds } from "./answer.js";
import { drawBadges, keepClicks } from "./badges.js";
import { note } from "./conversations.js";
import { stopAtQuestion } from "./scroll.js";
import { DOMAIN, locale, words } from "./service.js";

const EXPIRED = 3, FAILED = 4; // DirectLineJS, ConnectionStatus.ExpiredToken and FailedToConnect
const chat = document.getElementById("chat");
const stop = document.getElementById("stop");
let render = () => {};
let store = null;

// Where the page does not speak Web Chat's language, its send box keeps the words that it has.
function chatWords(strings) {
  const ask = locale.split("-")[0] === document.documentElement.lang ? words.page_ask : strings.TEXT_INPUT_PLACEHOLDER;
  return { ...strings, TEXT_INPUT_PLACEHOLDER: ask, TEXT_INPUT_ALT: ask };
}

export function focusSendBox() {
  chat.querySelector("[data-id='webchat-sendbox-input']")?.focus();
}

// An answer is under way while the last that the bot said is typing: dots, or the text so far.
function follow(conversation, activity) {
  const { type, from, text, timestamp } = activity;
  if (from.role === "bot") showStop(type === "typing");
  else if (type === "message" && text && timestamp) note(conversation, text, timestamp);
  document.getElementById("loading").hidden = true;
  followStep(activity);
  dispatchEvent(new CustomEvent("activity", { detail: activity }));
}

// What other modules have to say with a question goes into its channelData.
function post(action) {
  const { activity } = action.payload, said = {};
  if (activity.type === "message") dispatchEvent(new CustomEvent("posting", { detail: said }));
  return { ...action, payload: { ...action.payload, activity: { ...activity, channelData: { ...activity.channelData, ...said } } } };
}

function showStop(shown) {
  if (!shown) stop.ariaDisabled = null;
  // A person who pressed it by keyboard would lose their place.
  if (!shown && document.activeElement === stop) focusSendBox();
  stop.hidden = !shown;
}

// Show a conversation; `ended` is called where the service knows it no longer.
export function show(conversation, ended) {
  const { token, conversationId, user, again } = conversation;
  const directLine = WebChat.createDirectLine({
    domain: DOMAIN, token, conversationStartProperties: { locale }, ...(again && { conversationId }),
  });
  showStop(false);
  dispatchEvent(new Event("conversationshown"));
  followStep({ type: "message", from: { role: "bot" } });
  const shown = store = WebChat.createStore({}, () => next => action => {
    const done = next(action.type === "DIRECT_LINE/POST_ACTIVITY" ? post(action) : action);
    if (action.type === "DIRECT_LINE/INCOMING_ACTIVITY" && store === shown) follow(conversation, action.payload.activity);
    return done;
  });
  directLine.connectionStatus$.subscribe(status => {
    if (store !== shown) return;
    chat.dataset.connection = status;
    if (status === EXPIRED || status === FAILED) {
      showStop(false);
      ended();
    }
  });
  render = () => WebChat.renderWebChat({
    // Another key is another Web Chat: React keeps nothing of the one before.
    key: conversationId, directLine, store, userID: user, locale, overrideLocalizedStrings: chatWords,
    styleOptions: chatStyle(document.documentElement.dataset.theme), ...middlewares,
  }, chat);
  render();
}

stop.addEventListener("click", () => {
  if (stop.ariaDisabled) return;
  stop.ariaDisabled = "true";
  store.dispatch({ type: "WEB_CHAT/SEND_EVENT", payload: { name: "stop" } });
});
addEventListener("themechange", () => render());
addEventListener("edit", ({ detail: text }) => {
  store?.dispatch({ type: "WEB_CHAT/SET_SEND_BOX", payload: { text } });
  focusSendBox();
});
addEventListener("ask", ({ detail: text }) => store?.dispatch({ type: "WEB_CHAT/SEND_MESSAGE", payload: { text } }));
rememberFolds(chat);
stopAtQuestion(chat);
drawBadges(chat);
keepClicks(chat);
