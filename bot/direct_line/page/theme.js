// Before anything is painted: the colours that were chosen here, or else the system's.
(() => {
  "use strict";
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => localStorage.getItem("theme");
  const apply = () => {
    document.documentElement.dataset.theme = chosen() || (system.matches ? "dark" : "light");
    dispatchEvent(new Event("themechange"));
  };
  window.toggleTheme = () => {
    localStorage.setItem("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    apply();
  };
  system.addEventListener("change", apply);
  addEventListener("storage", apply); // chosen in another tab, or in the page around this document
  apply();
})();
