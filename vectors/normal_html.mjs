// Normal HTML, as SPEC.md describes it. `write` is an engine of CommonMark 0.31 with GFM's tables, strikethrough and
// autolinks: it gets Markdown and returns HTML. `bare` is for Teams, whose badges have no definitions.
const BLOCK = /\s*(<\/?(?:p|ul|ol|li|h[1-6]|pre|blockquote|table|thead|tbody|tr|th|td|hr|br)\b[^>]*>)\s*/g;

export function normalHTML(text, write, { bare = false } = {}) {
  const badges = Array.from({ length: 20 }, (_, at) => `[${at + 1}]: cite:${at + 1}\n`);
  let html = bare ? linkBadges(write(text)) : write(`${badges.join('')}\n${text}`);
  html = html.replaceAll(' />', '>').replace(/<(\/?)s>/g, '<$1del>').replace(/ style="text-align: ?([a-z]+);?"/g, ' align="$1"');
  html = html.replace(/<\/a>\u200b/g, '</a>\0').replace(/\u200b<a href="cite:/g, '\0<a href="cite:');
  html = once(html.replaceAll('\u200b', '').replaceAll('\0', '\u200b'));
  return html.split(/(<pre>[^]*?<\/pre>)/).map(normalPart).join('').trim();
}

function linkBadges(html) {
  const parts = html.split(/(<code[^]*?<\/code>)/);
  return parts.map((part, at) => (at % 2 ? part : part.replace(/\[([0-9]+)\]/g, '<a href="cite:$1">$1</a>'))).join('');
}

function once(html) {
  const depth = { em: 0, strong: 0 };
  return html.replace(/<(\/?)(em|strong)>/g, (tag, closes, name) => ((closes ? --depth[name] : depth[name]++) ? '' : tag));
}

function normalPart(html, at) {
  if (at % 2) return html.replace(/\s+<\/code><\/pre>$/, '</code></pre>');
  const shown = html.replace(/<code>\s*<\/code>/g, ' ').replace(/<p>\s*<\/p>/g, ' ').replace(/\s+/g, ' ');
  return shown.trim() && shown.replace(BLOCK, '$1');
}
