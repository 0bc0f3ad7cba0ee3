// Models that run on this machine: they are offered, used by one click, and left by another.
import { element, words } from "./service.js";

const ROUTE = "/local/models";
const GET_ONE = "https://ollama.com/download";
const bar = document.getElementById("models");
let found = {}; // by use: the model's title, and whether it is used
let hinted = null; // the answer below which stands what a model would add

async function look() {
  const response = await fetch(ROUTE).catch(() => null);
  found = response?.ok ? await response.json() : {};
  render();
}

async function choose(use, isUsed) {
  for (const button of document.querySelectorAll("[data-model]")) button.disabled = true;
  await fetch(`${ROUTE}/${use}`, { method: isUsed ? "DELETE" : "PUT" }).catch(() => null);
  await look();
  dispatchEvent(new Event("modelchange"));
}

function writeButton(use, { title, used }) {
  const text = words[`page_${use}_${used ? "leave" : "choose"}`].replace("{name}", title);
  const button = element("button", { type: "button", "data-model": use }, text);
  button.addEventListener("click", () => choose(use, used));
  return button;
}

function writeRow([use, model]) {
  const said = words[model.used ? `page_${use}_used` : "page_model_offered"].replace("{name}", model.title);
  return element("p", {}, element("span", {}, said), writeButton(use, model));
}

function render() {
  const focused = bar.contains(document.activeElement) && document.activeElement.dataset.model;
  bar.replaceChildren(...Object.entries(found).map(writeRow));
  bar.hidden = !bar.children.length;
  if (focused) bar.querySelector(`[data-model="${focused}"]`)?.focus();
  // Hints that are on the page before the models are known render themselves once their class is defined.
  for (const hint of document.querySelectorAll("model-hint:defined")) hint.render();
}

// Below the first answer that shows passages: what a model would make of them, and how to get one.
class ModelHint extends HTMLElement {
  connectedCallback() {
    hinted ??= this.dataset.answer;
    this.render();
  }

  render() {
    const { writing } = found;
    this.hidden = hinted !== this.dataset.answer || Boolean(writing?.used);
    if (this.hidden) return;
    const link = () => element("a", { href: GET_ONE, target: "_blank", rel: "noopener noreferrer" }, words.page_model_get);
    this.replaceChildren(element("span", {}, words.page_model_adds), " ", writing ? writeButton("writing", writing) : link());
  }
}

addEventListener("conversationshown", () => { hinted = null; });
look().then(() => customElements.define("model-hint", ModelHint));
