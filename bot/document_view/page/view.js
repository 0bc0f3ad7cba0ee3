// The bar above a document: back, colours, and the way to the cited words.
(() => {
  "use strict";
  // A page that is opened at words is opened there again when it is reloaded.
  if (new URLSearchParams(location.search).get("view")) history.scrollRestoration = "manual";
  const byId = id => document.getElementById(id);
  // Beside an answer the page around it has the way back, the colours, and a way to this one in a tab.
  if (parent !== window) document.documentElement.dataset.framed = "";

  function pressTheme() {
    byId("theme").setAttribute("aria-pressed", String(document.documentElement.dataset.theme === "dark"));
  }

  // A tab of its own is closed, so that the conversation beside it is seen again.
  function goBack(event) {
    event.preventDefault();
    if (history.length > 1) {
      history.back();
      return;
    }
    close();
    setTimeout(() => location.assign("/"), 300);
  }

  // The way to the cited words is offered where they are not on the screen.
  const seen = new IntersectionObserver(([{ isIntersecting }]) => { byId("to-mark").hidden = isIntersecting; });

  window.watchCited = () => {
    seen.disconnect();
    if (byId("cited")) seen.observe(byId("cited"));
  };

  // Shows the cited words, and puts the focus on them for screen readers.
  window.showCited = () => {
    const cited = byId("cited");
    if (!cited) return;
    watchCited();
    cited.scrollIntoView({ block: "center" });
    cited.focus({ preventScroll: true });
  };

  byId("back").addEventListener("click", goBack);
  byId("theme").addEventListener("click", toggleTheme);
  byId("to-mark").addEventListener("click", () => (window.showPageOfCited || showCited)());
  addEventListener("themechange", pressTheme);
  pressTheme();
})();
