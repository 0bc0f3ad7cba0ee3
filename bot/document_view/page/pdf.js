// The pages of a PDF, drawn by pdf.js, with the cited words marked in the text above them.
const settings = JSON.parse(document.getElementById("settings").textContent);
const byId = id => document.getElementById(id);
const main = document.querySelector("main");
const MOST_SEARCHED = 400; // pages that are searched for the words, where they are not on theirs
const WIDEST = 900; // pixels of a page at first
const NEAR = "800px"; // how far below and above the screen pages are drawn
const LEAST = 0.6; // the share of words that must be found where not all of them are
const SLACK = 160; // letters between the beginning and the end of words, such as a page's footer

let pdfjs, pdf, sheets = [], zoom = 1, fit = 1, current = 1, cited = [], texts = new Map();

function fail(error) {
  if (error) console.warn(error);
  const status = byId("status");
  status.textContent = settings.failed;
  status.hidden = false;
}

function firstPage() {
  const asked = Number(new URLSearchParams(location.hash.slice(1)).get("page"));
  return Number.isInteger(asked) ? Math.min(Math.max(asked, 1), pdf.numPages) : 1;
}

// ---- The sheets: all have their place at once, and those near the screen are drawn.

class Sheet {
  constructor(number) {
    this.number = number;
    this.element = document.createElement("section");
    this.element.className = "sheet";
    this.element.dataset.page = number;
    this.element.setAttribute("aria-label", settings.page.replace("{page}", number).replace("{count}", pdf.numPages));
    this.drawing = null;
  }

  resize(size) {
    this.size = size;
    const scale = fit * zoom;
    this.element.style.width = `${Math.floor(size.width * scale)}px`;
    this.element.style.height = `${Math.floor(size.height * scale)}px`;
    this.element.style.setProperty("--total-scale-factor", scale);
  }

  async draw() {
    if (this.drawing) return this.drawing;
    const drawing = (this.drawing = this.drawOnce().catch(error => this.drawing === drawing && console.warn(error)));
    return drawing;
  }

  async drawOnce() {
    const scale = fit * zoom;
    const page = await pdf.getPage(this.number);
    const viewport = page.getViewport({ scale });
    this.resize(page.getViewport({ scale: 1 }));
    const canvas = document.createElement("canvas");
    const ratio = Math.min(devicePixelRatio || 1, Math.sqrt(16e6 / (viewport.width * viewport.height)));
    canvas.width = Math.floor(viewport.width * ratio);
    canvas.height = Math.floor(viewport.height * ratio);
    canvas.setAttribute("aria-hidden", "true");
    const text = document.createElement("div");
    text.className = "text";
    const layer = new pdfjs.TextLayer({ textContentSource: await page.getTextContent(), container: text, viewport });
    const task = (this.task = page.render({ canvas, viewport, transform: [ratio, 0, 0, ratio, 0, 0] }));
    // A scan may take seconds to draw. The marks do not wait for it.
    this.element.classList.add("drawing");
    task.promise.then(
      () => this.element.classList.remove("drawing"),
      error => this.task === task && console.warn(error),
    );
    await layer.render();
    if (this.task !== task) return;
    this.items = layer.textDivs;
    this.strings = layer.textContentItemsStr;
    this.element.replaceChildren(canvas, text);
    this.mark();
  }

  clear() {
    this.task?.cancel();
    this.hadFocus ||= this.element.contains(document.activeElement);
    this.drawing = this.task = this.items = null;
    this.element.replaceChildren();
  }

  // A line of the page is an element with one text. Parts of it get marks.
  mark() {
    const spans = cited.flatMap(one => one.spans).filter(span => span.page === this.number);
    const named = new Set();
    let offset = 0;
    this.strings.forEach((string, index) => {
      const letters = fold(string).length;
      const parts = spans
        .map(span => ({ ...span, start: Math.max(span.start - offset, 0), end: Math.min(span.end - offset, letters) }))
        .filter(part => part.start < part.end)
        .sort((one, other) => one.start - other.start);
      offset += letters;
      if (parts.length && this.items[index]) this.items[index].replaceChildren(...markParts(string, parts, named));
    });
    if (spans.length) watchCited();
    // A mark that is drawn anew, in another size, has the focus that the one before had.
    if (this.hadFocus && document.activeElement === document.body) byId("cited")?.focus({ preventScroll: true });
    this.hadFocus = false;
  }
}

// The pieces of a line, of which some are marks. The first mark of each sentence has a name.
function* markParts(string, parts, named) {
  let behind = 0;
  for (const { start, end, number, isFirst } of parts) {
    const begin = Math.max(behind, position(string, start));
    const finish = Math.max(begin, behindSigns(string, position(string, end - 1) + 1));
    const mark = document.createElement("mark");
    mark.className = settings.kind;
    mark.textContent = string.slice(begin, finish);
    if (isFirst && !named.has(number)) {
      named.add(number);
      mark.id = number ? `cited-${number + 1}` : "cited";
      mark.tabIndex = -1;
      mark.setAttribute("role", "note");
      mark.setAttribute("aria-label", settings.mark);
    }
    yield string.slice(behind, begin);
    yield mark;
    behind = finish;
  }
  yield string.slice(behind);
}

// ---- The words: compared by their letters and digits, as bot/retrieval/view/mark.py does.

function fold(text) {
  return text.normalize("NFKD").toLowerCase().replaceAll("ß", "ss").replace(/[^\p{L}\p{N}]/gu, "");
}

// The offset of the letter behind so many others.
function position(text, letters) {
  let offset = 0;
  for (const character of text) {
    const length = fold(character).length;
    if (length > letters) return offset;
    letters -= length;
    offset += character.length;
  }
  return offset;
}

function behindSigns(text, offset) {
  return offset + /^[.,;:!?…)\]}"'”’»。！？、，；：」』）]*/u.exec(text.slice(offset))[0].length;
}

async function textOf(number) {
  if (!texts.has(number)) {
    const content = await (await pdf.getPage(number)).getTextContent();
    texts.set(number, fold(content.items.map(item => item.str ?? "").join("")));
  }
  return texts.get(number);
}

// Words may go on at the top of the next page.
async function findOn(number, words) {
  const here = await textOf(number);
  const next = number < pdf.numPages ? await textOf(number + 1) : "";
  const found = find(here + next, words);
  if (!found || found.start >= here.length) return null;
  const spans = [{ page: number, start: found.start, end: Math.min(found.end, here.length), isFirst: true }];
  if (found.end > here.length) spans.push({ page: number + 1, start: 0, end: found.end - here.length, isFirst: false });
  return spans;
}

function find(text, words) {
  const whole = text.indexOf(words);
  if (whole >= 0) return { start: whole, end: whole + words.length };
  const beginning = longest(words.length, length => text.includes(words.slice(0, length)));
  const end = longest(words.length, length => text.includes(words.slice(words.length - length)));
  const head = words.slice(0, beginning), tail = words.slice(words.length - end);
  if (beginning && end && beginning + end >= LEAST * words.length) {
    const start = text.indexOf(head), stop = text.indexOf(tail, start);
    if (stop >= 0 && stop - start <= words.length * 2 + SLACK) return { start, end: stop + end };
  }
  const part = beginning >= end ? head : tail;
  if (!words.length || part.length < LEAST * words.length) return null;
  const start = text.indexOf(part);
  return { start, end: start + part.length };
}

function longest(most, holds) {
  let least = 0;
  while (least < most) {
    const length = Math.ceil((least + most) / 2);
    if (holds(length)) least = length;
    else most = length - 1;
  }
  return least;
}

async function findCited(page) {
  const [answer] = await Promise.all([
    fetch(settings.words).then(response => (response.ok ? response.json() : { words: [] })),
    textOf(page),
    textOf(Math.min(page + 1, pdf.numPages)),
  ]);
  const others = Array.from({ length: Math.min(pdf.numPages, MOST_SEARCHED) }, (_, index) => index + 1);
  const order = [...new Set([page, page - 1, page + 1, ...others])].filter(one => one >= 1 && one <= pdf.numPages);
  for (const words of answer.words.map(fold).filter(Boolean)) {
    for (const number of order) {
      const spans = await findOn(number, words);
      if (!spans) continue;
      cited.push({ spans: spans.map(span => ({ ...span, number: cited.length })) });
      break;
    }
  }
}

// ---- Moving about.

function layOut() {
  const width = Math.min(main.clientWidth - 24, WIDEST);
  fit = width / sheets[0].size.width;
  for (const sheet of sheets) sheet.resize(sheet.size);
}

async function goTo(number) {
  current = Math.min(Math.max(number, 1), pdf.numPages);
  sheets[current - 1].element.scrollIntoView();
  showNumber();
}

function showNumber() {
  byId("page").value = current;
  byId("count").textContent = `/ ${pdf.numPages}`;
  byId("previous").disabled = current <= 1;
  byId("next").disabled = current >= pdf.numPages;
}

// What is in the middle of the screen stays there when the pages get another size.
function setZoom(value) {
  const middle = innerHeight / 2;
  const boxOf = sheet => sheet.element.getBoundingClientRect();
  const kept = sheets.find(sheet => boxOf(sheet).bottom >= middle) ?? sheets.at(-1);
  const before = boxOf(kept);
  const share = Math.max(0, (middle - before.top) / before.height);
  zoom = Math.min(Math.max(value, 0.5), 4);
  for (const sheet of sheets) sheet.clear();
  layOut();
  const after = boxOf(kept);
  scrollBy(0, after.top + share * after.height - middle);
  drawNear();
}

window.showPageOfCited = async () => {
  const [first] = cited;
  if (!first) return;
  const sheet = sheets[first.spans[0].page - 1];
  sheet.element.scrollIntoView();
  await sheet.draw();
  showCited();
};

function drawNear() {
  near.disconnect();
  for (const sheet of sheets) near.observe(sheet.element);
}

const near = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries) {
    const sheet = sheets[target.dataset.page - 1];
    if (isIntersecting) sheet.draw();
    else if (sheet.drawing) sheet.clear();
  }
}, { root: document, rootMargin: `${NEAR} 0px` }); // beside an answer, the document is a frame

// The page that is shown is the one that crosses the middle of the screen.
const seen = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries) if (isIntersecting) current = Number(target.dataset.page);
  showNumber();
}, { root: document, rootMargin: "-50% 0px -49% 0px" });

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
  const steps = { PageDown: 1, PageUp: -1 };
  if (event.key in steps) {
    event.preventDefault();
    goTo(current + steps[event.key]);
  }
}

async function show() {
  pdfjs = await import(`${settings.pdfjs}legacy/build/pdf.min.mjs`);
  pdfjs.GlobalWorkerOptions.workerSrc = `${settings.pdfjs}legacy/build/pdf.worker.min.mjs`;
  pdf = await pdfjs.getDocument({
    url: settings.file,
    cMapUrl: `${settings.pdfjs}cmaps/`, standardFontDataUrl: `${settings.pdfjs}standard_fonts/`,
    wasmUrl: `${settings.pdfjs}wasm/`, iccUrl: `${settings.pdfjs}iccs/`,
    // Nothing in a PDF runs: no forms of its own, no eval, no WebAssembly.
    enableXfa: false, isEvalSupported: false, useWasm: false, disableWorkerRendering: true,
  }).promise;
  const page = (current = firstPage());
  const size = (await pdf.getPage(page)).getViewport({ scale: 1 });
  sheets = Array.from({ length: pdf.numPages }, (_, index) => new Sheet(index + 1));
  for (const sheet of sheets) sheet.size = size;
  layOut();
  main.prepend(...sheets.map(sheet => sheet.element));
  await goTo(page);
  // The texts are asked for before the pages are drawn, which the same worker does.
  const finding = findCited(page).catch(error => console.warn(error));
  drawNear();
  for (const sheet of sheets) seen.observe(sheet.element);
  await finding;
  for (const sheet of sheets) if (sheet.items) sheet.mark();
  await showPageOfCited();
}

document.body.classList.add("pdf");
byId("previous").addEventListener("click", () => goTo(current - 1));
byId("next").addEventListener("click", () => goTo(current + 1));
byId("smaller").addEventListener("click", () => setZoom(zoom / 1.25));
byId("larger").addEventListener("click", () => setZoom(zoom * 1.25));
byId("page").addEventListener("change", event => goTo(Number.parseInt(event.target.value, 10) || current));
addEventListener("keydown", onKey);
let resizing;
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(() => sheets.length && setZoom(zoom), 200);
});
show().catch(fail).finally(() => { byId("opening").hidden = true; });
