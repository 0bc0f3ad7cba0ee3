// What the page shows before the first question: what can be asked, or how documents come here.
import { focusSendBox } from "./chat.js";
import { subscribe } from "./documents.js";
import { element } from "./service.js";

const start = document.getElementById("start");
const questions = document.getElementById("start-questions");
const empty = document.getElementById("start-empty");
const PAUSE = 50; // milliseconds
let isNew = false, hasBegun = false; // whether there is a greeting alone, and whether anything was asked
let state = null;

function ask(question, byKeyboard) {
  begin();
  dispatchEvent(new CustomEvent("ask", { detail: question }));
  if (byKeyboard) focusSendBox(); // a touch would open the keyboard of a phone
}

function writeQuestion(question) {
  const button = element("button", { type: "button" }, element("span", {}, question));
  button.addEventListener("click", event => ask(question, event.detail === 0));
  return element("li", {}, button);
}

function render() {
  if (!state) return;
  const isEmpty = state.complete && !state.documents.length && !state.reading.length && !state.waiting;
  start.hidden = !isNew || !(isEmpty || state.questions.length);
  empty.hidden = !isEmpty;
  questions.hidden = isEmpty;
  start.setAttribute("aria-labelledby", isEmpty ? "start-empty-title" : "start-title");
  const asked = [...questions.querySelectorAll("button")].map(button => button.textContent);
  if (asked.join("\n") !== state.questions.join("\n")) questions.querySelector("ul").replaceChildren(...state.questions.map(writeQuestion));
  const formats = document.getElementById("start-formats");
  if (formats.children.length !== state.formats.length) {
    formats.replaceChildren(...state.formats.map(format => element("li", {}, format)));
  }
}

function begin() {
  isNew = false;
  hasBegun = true;
  render();
}

addEventListener("conversationshown", () => {
  isNew = hasBegun = false;
  render();
});
addEventListener("activity", ({ detail: { type, from } }) => {
  if (type !== "message") return;
  if (from.role === "user") begin();
  // A conversation that is taken up again comes whole: the greeting, and at once the first question.
  else if (!hasBegun) setTimeout(() => { isNew = !hasBegun; render(); }, PAUSE);
});
subscribe(now => {
  state = now;
  render();
});
