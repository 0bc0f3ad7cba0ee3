// Where the conversation stands after a question: the question at the top, and the beginning of the reply.
// Web Chat scrolls to the end of what comes. Here it stops at the question, until a person scrolls.
const GAP = 12; // pixels above the question
const QUESTION = ".webchat__bubble--from-user";
const MOVES = ["wheel", "touchmove", "keydown", "pointerdown"];

export function stopAtQuestion(chat) {
  let asked = false; // whether a question waits for a reply that no person has scrolled yet
  const clamp = ({ target }) => {
    if (!asked || !(target instanceof Element) || !target.querySelector(QUESTION)) return;
    const question = [...target.querySelectorAll(QUESTION)].at(-1);
    const top = target.scrollTop + question.getBoundingClientRect().top - target.getBoundingClientRect().top - GAP;
    if (target.scrollTop > top + 1) target.scrollTop = top;
  };
  chat.addEventListener("scroll", clamp, { capture: true });
  for (const move of MOVES) {
    chat.addEventListener(move, event => {
      if (!event.target.closest("form, [class*=send-box]")) asked = false;
    }, { capture: true, passive: true });
  }
  addEventListener("conversationshown", () => { asked = false; });
  addEventListener("activity", ({ detail: { type, from } }) => {
    if (from.role === "user" && type === "message") asked = true;
  });
}
