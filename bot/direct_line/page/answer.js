// What the page adds to an answer: the buttons below it, whether its list of sources is folded, and what
// the bot is doing before there is one.
import { isName } from "./badges.js";
import { current, listed } from "./conversations.js";
import { copy, save } from "./markdown.js";
import { element, words } from "./service.js";

const ICONS = {
  copy: "M7 7V4.500A1.500 1.500 0 0 1 8.500 3h7A1.500 1.500 0 0 1 17 4.500v7a1.500 1.500 0 0 1-1.500 1.500H13M4.500 7h7A1.500 1.500 0 0 1 13 8.500v7a1.500 1.500 0 0 1-1.500 1.500h-7A1.500 1.500 0 0 1 3 15.500v-7A1.500 1.500 0 0 1 4.500 7z",
  save: "M10 3v9.500m0 0L6.500 9m3.500 3.500L13.500 9M3.500 13.500v2A1.500 1.500 0 0 0 5 17h10a1.500 1.500 0 0 0 1.500-1.500v-2",
  done: "M4 10.500l4 4 8-9",
  edit: "M13.300 4.200a1.700 1.700 0 0 1 2.500 2.500L7.500 15 4 16l1-3.500zM11.500 6l2.500 2.500",
};
const FOLDED = "folded";

// React 16's element: Web Chat's bundle does not give away the function that makes them.
function reactElement(type, props, ...children) {
  return { $$typeof: Symbol.for("react.element"), type, key: null, ref: null, props: { ...props, children }, _owner: null };
}

const icon = name => `<svg viewBox="0 0 20 20" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;

class AnswerActions extends HTMLElement {
  connectedCallback() {
    const { answer } = this.dataset;
    this.replaceChildren(
      this.#button("copy", words.page_copy_answer, conversation => copy(conversation, answer)),
      this.#button("save", words.page_save_answer, conversation => save(conversation, answer)),
    );
  }

  #button(name, label, act) {
    const button = element("button", { type: "button", title: label, "aria-label": label });
    button.innerHTML = icon(name);
    button.addEventListener("click", async () => {
      const { conversationId, token } = current();
      const known = listed().find(one => one.conversationId === conversationId);
      const done = await act({ conversationId, token, title: known?.title });
      button.classList.toggle("failed", !done);
      if (!done) return;
      button.innerHTML = icon("done");
      setTimeout(() => { button.innerHTML = icon(name); }, 2000);
    });
    return button;
  }
}

// Below a question: of which documents alone it was asked, and a button to ask it in other words.
class QuestionActions extends HTMLElement {
  connectedCallback() {
    const { question, documents } = this.dataset;
    const button = element("button", { type: "button", title: words.page_edit, "aria-label": words.page_edit });
    button.innerHTML = icon("edit");
    button.addEventListener("click", () => dispatchEvent(new CustomEvent("edit", { detail: question })));
    this.replaceChildren(...(documents ? [element("span", {}, words.page_asked_only.replace("{name}", () => documents))] : []), button);
  }
}

// What the bot is doing, beside Web Chat's dots.
class BotStep extends HTMLElement {
  static step = "";

  static say(text) {
    BotStep.step = text;
    for (const shown of document.querySelectorAll("bot-step")) shown.textContent = text;
    document.getElementById("step").textContent = text;
  }

  connectedCallback() {
    this.textContent = BotStep.step;
  }
}

customElements.define("answer-actions", AnswerActions);
customElements.define("question-actions", QuestionActions);
customElements.define("bot-step", BotStep);

// Web Chat 4.18 shows dots for an informative update, and not its text.
const PATIENCE = 15000; // milliseconds after which a step is said to take long
let patience, last = "";
export function followStep({ type, text, from, channelData }) {
  if (from.role !== "bot" || (type === "typing" && !text)) return;
  const step = type === "typing" && channelData?.streamType === "informative" ? text : "";
  if (step === last) return; // a status that is written again is read out again
  last = step;
  clearTimeout(patience);
  BotStep.say(step);
  if (step) patience = setTimeout(() => BotStep.say(`${step} ${words.page_still_waiting}`), PATIENCE);
}

// What an answer has in common with the pieces that came before it.
export const streamOf = ({ id, channelData }) => channelData?.streamId ?? id;

// An answer from encrypted sources says that it may not be copied.
function mayCopy({ type, from, entities, channelData }) {
  const graph = (entities || []).find(one => one["@type"] === "Message");
  const isFinal = type === "message" && channelData?.streamType !== "streaming";
  return isFinal && from.role === "bot" && [graph?.keywords].flat().includes("AllowCopy");
}

// Passages that are shown without a clear answer are what a model would read.
const isUnsure = ({ type, from, channelData }) => type === "message" && from.role === "bot" && channelData?.answerKind === "unsure";

function questionActions({ text, channelData }) {
  const names = [channelData?.documents ?? []].flat().map(path => String(path).split("/").at(-1));
  return reactElement("question-actions", { "data-question": text, "data-documents": names.join(", ") });
}

export const middlewares = {
  activityStatusMiddleware: () => next => args => {
    const status = next(args);
    const { activity } = args;
    if (!activity.text) return status;
    if (activity.from.role === "user") return reactElement("div", { className: "question-foot" }, status, questionActions(activity));
    const actions = mayCopy(activity) && reactElement("answer-actions", { "data-answer": activity.id });
    const foot = reactElement("div", { className: "answer-foot", "data-stream": streamOf(activity) }, status, actions);
    return isUnsure(activity) ? reactElement("div", {}, reactElement("model-hint", { "data-answer": activity.id }), foot) : foot;
  },
  typingIndicatorMiddleware: () => next => args => {
    const dots = next(args);
    return dots && reactElement("div", { className: "bot-at-work" }, dots, reactElement("bot-step", { "aria-hidden": "true" }));
  },
};

// A list that is folded folds those that come after it, and one that is opened opens them; a click on its
// header is also a key on it. Before any click, a list is folded where the passages above it have their names.
export function rememberFolds(chat) {
  const LIST = "details.webchat__link-definitions";
  const isFolded = list => {
    const chosen = localStorage.getItem(FOLDED);
    return chosen ? chosen === "yes" : [...list.parentElement.querySelectorAll(".webchat__render-markdown p")].some(isName);
  };
  chat.addEventListener("click", ({ target }) => {
    const list = target.closest(`${LIST} > summary`)?.parentElement;
    if (list) localStorage.setItem(FOLDED, list.open ? "yes" : "no");
  });
  new MutationObserver(changes => {
    for (const node of changes.flatMap(change => [...change.addedNodes])) {
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      for (const list of [node, ...node.querySelectorAll(LIST)]) if (list.matches(LIST) && isFolded(list)) list.open = false;
    }
  }).observe(chat, { childList: true, subtree: true });
}
