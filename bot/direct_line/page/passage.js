// The dialog with a passage shows the cited sentence. In a folder's passages only that is bold.
const CITED = "dialog[open] .webchat__citation-modal-dialog__body strong";

let shown = null;

function showCited() {
  const cited = document.querySelector(CITED);
  if (cited === shown) return;
  shown = cited;
  cited?.scrollIntoView({ block: "center" });
}

if (document.documentElement.dataset.source === "folder") {
  new MutationObserver(showCited).observe(document.body, { childList: true, subtree: true, attributeFilter: ["open"] });
}
