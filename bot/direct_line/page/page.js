// One conversation on the page: begun or taken up again, shown, and started anew when it has ended.
(() => {
  "use strict";
  const DOMAIN = `${location.origin}/v3/directline`;
  const KEPT = "conversation";
  const ENDED = "This conversation has ended, because the bot was started again.";
  const UNREACHABLE = "The bot can't be reached. Is it still running?";
  const NO_WEB_CHAT = "Web Chat could not be loaded. Without npm on this computer it needs the internet.";
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

  function notice(words) {
    const element = document.getElementById("notice");
    element.querySelector("p").textContent = words;
    element.hidden = false;
  }

  // An answer is under way while the last that the bot said is typing: dots, or the text so far.
  function follow({ type, from }) {
    if (from.role === "bot") showStop(type === "typing");
  }

  function showStop(shown) {
    if (!shown) stop.ariaDisabled = null;
    // Whoever pressed it by keyboard would be left nowhere.
    if (!shown && document.activeElement === stop) chat.querySelector("[data-id='webchat-sendbox-input']")?.focus();
    stop.hidden = !shown;
  }

  function startAgain() {
    sessionStorage.removeItem(KEPT);
    location.reload();
  }

  async function show() {
    const { token, conversationId, user, again } = await conversation();
    const directLine = WebChat.createDirectLine({ domain: DOMAIN, token, ...(again && { conversationId }) });
    directLine.connectionStatus$.subscribe(status => {
      chat.dataset.connection = status;
      if (status === EXPIRED || status === FAILED) {
        notice(ENDED);
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
      directLine, store, userID: user, locale: "en-US", overrideLocalizedStrings: chatWords,
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
  if (window.WebChat) show().catch(() => notice(UNREACHABLE));
  else notice(NO_WEB_CHAT);
})();
