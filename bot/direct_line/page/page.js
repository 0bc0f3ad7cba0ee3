// One conversation on the page: begun or taken up again, shown, and started anew when it has ended.
(() => {
  "use strict";
  const DOMAIN = `${location.origin}/v3/directline`;
  const KEPT = "conversation";
  const words = JSON.parse(document.getElementById("words").textContent);
  // Web Chat's languages that are written from right to left; the page is not made for them.
  const locale = /^(ar|he)\b/i.test(navigator.language) ? "en-US" : navigator.language;
  const EXPIRED = 3, FAILED = 4; // DirectLineJS, ConnectionStatus.ExpiredToken and FailedToConnect
  const chat = document.getElementById("chat");
  const stop = document.getElementById("stop");

  async function call(method, path, token, body) {
    const headers = { ...(token && { Authorization: `Bearer ${token}` }), ...(body && { "Content-Type": "application/json" }) };
    const response = await fetch(DOMAIN + path, { method, headers, body: body && JSON.stringify(body) });
    return response.ok ? response.json() : null;
  }

  // A reload takes the conversation up again; a service that was restarted knows nothing of it.
  async function conversation() {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) || "null");
    if (kept) {
      const fresh = await call("POST", "/tokens/refresh", kept.token);
      if (fresh) return { ...kept, token: fresh.token, again: true };
    }
    const user = `user-${crypto.randomUUID()}`;
    const { token, conversationId } = await call("POST", "/tokens/generate", null, { user: { id: user } });
    const begun = { token, conversationId, user };
    sessionStorage.setItem(KEPT, JSON.stringify(begun));
    return begun;
  }

  // Where the page does not speak Web Chat's language, its send box keeps the words that it has.
  function chatWords(strings) {
    const ask = locale.split("-")[0] === document.documentElement.lang ? words.page_ask : strings.TEXT_INPUT_PLACEHOLDER;
    return { ...strings, TEXT_INPUT_PLACEHOLDER: ask, TEXT_INPUT_ALT: ask };
  }

  function notice(text) {
    const element = document.getElementById("notice");
    element.querySelector("p").textContent = text;
    element.hidden = false;
  }

  // An answer is under way while the last that the bot said is typing: dots, or the text so far.
  function follow({ type, from }) {
    if (from.role === "bot") showStop(type === "typing");
  }

  function showStop(shown) {
    if (!shown) stop.ariaDisabled = null;
    // A person who pressed it by keyboard would lose their place.
    if (!shown && document.activeElement === stop) chat.querySelector("[data-id='webchat-sendbox-input']")?.focus();
    stop.hidden = !shown;
  }

  // The model is tried after the start. What is wrong with it is shown until it answers.
  async function watchModel() {
    const facts = await fetch("/readyz").then(response => response.json()).catch(() => ({}));
    const problem = facts["model problem"];
    const element = document.getElementById("model");
    element.textContent = words[problem] || "";
    element.hidden = !problem;
    if (facts.model && facts["model answers"] !== "yes") setTimeout(watchModel, problem ? 10000 : 1000);
  }

  function startAgain() {
    sessionStorage.removeItem(KEPT);
    location.reload();
  }

  async function show() {
    const { token, conversationId, user, again } = await conversation();
    const directLine = WebChat.createDirectLine({
      domain: DOMAIN, token, conversationStartProperties: { locale }, ...(again && { conversationId }),
    });
    directLine.connectionStatus$.subscribe(status => {
      chat.dataset.connection = status;
      if (status === EXPIRED || status === FAILED) {
        notice(words.page_ended);
        showStop(false);
      }
    });
    const store = WebChat.createStore({}, () => next => action => {
      const done = next(action);
      if (action.type === "DIRECT_LINE/INCOMING_ACTIVITY") follow(action.payload.activity);
      return done;
    });
    stop.addEventListener("click", () => {
      if (stop.ariaDisabled) return;
      stop.ariaDisabled = "true";
      store.dispatch({ type: "WEB_CHAT/SEND_EVENT", payload: { name: "stop" } });
    });
    const render = () => WebChat.renderWebChat({
      directLine, store, userID: user, locale, overrideLocalizedStrings: chatWords,
      styleOptions: chatStyle(document.documentElement.dataset.theme),
    }, chat);
    addEventListener("themechange", render);
    render();
  }

  function pressTheme() {
    const dark = document.documentElement.dataset.theme === "dark";
    document.getElementById("theme").setAttribute("aria-pressed", String(dark));
  }

  document.getElementById("theme").addEventListener("click", toggleTheme);
  document.getElementById("again").addEventListener("click", startAgain);
  document.querySelector("#notice button").addEventListener("click", startAgain);
  addEventListener("themechange", pressTheme);
  pressTheme();
  watchModel();
  if (window.WebChat) show().catch(() => notice(words.page_unreachable));
  else notice(words.page_no_web_chat);
})();
