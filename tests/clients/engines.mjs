// The Markdown engines that clients have. Each line of the input is a JSON object with `texts`, and is
// answered by a line: for each text its distinct readings, and for each engine which of them is its own.

import { createInterface } from 'node:readline';
import { Parser } from 'commonmark';
import katex from 'katex';
import MarkdownIt12 from 'markdown-it-12';
import MarkdownIt13 from 'markdown-it-13';
import MarkdownIt14 from 'markdown-it-14';
import MarkdownIt8 from 'markdown-it-8';
import attributes from 'markdown-it-attrs';
import { lexer as lexer18 } from 'marked-18';
import { getDefaults, lexer as lexer4 } from 'marked-4';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mathFromMarkdown as dollarsFromMarkdown } from 'mdast-util-math';
import { gfm } from 'micromark-extension-gfm';
import { math as dollars } from 'micromark-extension-math';
import punycode from 'punycode.js';
import { ATTRIBUTES, MATH, attributesMarked, lineEndsRespected, math, mathFromMarkdown } from './web_chat.mjs';

// Engines that no client of ours has.
const OTHERS = process.argv.includes('others');
const CODE = '\u0000';
const BLOCK = '\n';

class Reading {
  links = [];
  images = [];
  html = [];
  labels = [];
  visible = '';

  link(text, href) {
    this.links.push([text, href ?? '', isBare(text, href ?? '')]);
  }

  written(badges) {
    return [
      this.links,
      this.images,
      this.html.map(tag => tag.slice(0, 100)),
      this.labels,
      badges ? (this.visible.match(/\[[0-9]+\]|\([0-9]+\)/g) ?? []) : []
    ];
  }
}

// Whether a link leads where its text says.
function isBare(text, href) {
  if (text === href) return true;
  if (!/[.:@/]|^www/i.test(text)) return false;
  const [said, goal] = [address(text), address(href)];
  return ['', 'http://', 'https://', 'mailto:'].some(scheme => scheme + said === goal);
}

// An address as a reader may compare it: decoded, in small letters, with the typewriter's quotes.
function address(text) {
  const decoded = text.replace(/(?:%[0-9a-f]{2})+/gi, run => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
  return decoded.replace(/xn--[a-z0-9+-]+/gi, label => {
    try {
      return punycode.toUnicode(label);
    } catch {
      return label;
    }
  }).replace(/[‘’]/g, "'").replace(/[“”]/g, '"').toLowerCase();
}

function readMarkdownIt(markdown, text) {
  const reading = new Reading();
  readTokens(markdown.parse(text, {}), reading);
  return reading;
}

function readTokens(tokens, reading) {
  let open = null;
  let inside = '';
  for (const token of tokens) {
    const label = token.attrs && token.attrGet('aria-label');
    if (label !== null) reading.labels.push(label);
    switch (token.type) {
      case 'inline':
        readTokens(token.children, reading);
        reading.visible += BLOCK;
        break;
      case 'text':
      case 'text_special':
        reading.visible += token.content;
        inside += token.content;
        break;
      case 'softbreak':
      case 'hardbreak':
        reading.visible += BLOCK;
        inside += ' ';
        break;
      case 'code_inline':
        reading.visible += CODE;
        inside += token.content;
        break;
      case 'link_open':
        open = token;
        inside = '';
        break;
      case 'link_close':
        reading.link(inside, open.attrGet('href'));
        break;
      case 'image':
        reading.images.push(token.attrGet('src'));
        break;
      case 'html_block':
      case 'html_inline':
        reading.html.push(token.content);
        break;
    }
  }
}

function readCommonmark(text) {
  const reading = new Reading();
  const walker = new Parser().parse(text).walker();
  let inside = null;
  for (let event = walker.next(); event; event = walker.next()) {
    const { node, entering } = event;
    switch (node.type) {
      case 'text':
        reading.visible += node.literal;
        if (inside !== null) inside += node.literal;
        break;
      case 'softbreak':
      case 'linebreak':
        reading.visible += BLOCK;
        if (inside !== null) inside += ' ';
        break;
      case 'code':
        reading.visible += CODE;
        if (inside !== null) inside += node.literal;
        break;
      case 'link':
        if (!entering) reading.link(inside, node.destination);
        inside = entering ? '' : null;
        break;
      case 'image':
        if (entering) reading.images.push(node.destination);
        break;
      case 'html_inline':
      case 'html_block':
        reading.html.push(node.literal);
        break;
      default:
        if (!entering && (node.type === 'paragraph' || node.type === 'heading')) reading.visible += BLOCK;
    }
  }
  return reading;
}

function readMarked(lexer, text) {
  const reading = new Reading();
  try {
    readMarkedTokens(lexer(text), reading);
  } catch {
    // marked 18 fails at some lists in quotes, and shows nothing then.
  }
  return reading;
}

function readMarkedTokens(tokens, reading) {
  for (const token of tokens) {
    switch (token.type) {
      case 'link':
        reading.link(token.text, token.href);
        break;
      case 'image':
        reading.images.push(token.href);
        break;
      case 'html':
      case 'tag':
        reading.html.push(token.raw);
        break;
      case 'codespan':
        reading.visible += CODE;
        continue;
      case 'escape':
      case 'text':
        if (!token.tokens) reading.visible += token.text;
        break;
      case 'paragraph':
      case 'heading':
        reading.visible += BLOCK;
        break;
    }
    for (const cells of token.type === 'table' ? [token.header, ...token.rows] : []) {
      for (const cell of cells) readMarkedTokens(cell.tokens, reading);
    }
    readMarkedTokens(token.items ?? token.tokens ?? [], reading);
  }
}

const GFM = gfmFromMarkdown();
const TRANSFORMS = GFM.flatMap(extension => extension.transforms ?? []);
const GFM_TREE = GFM.map(({ transforms, ...extension }) => extension);
const GFM_SYNTAX = gfm();
const PLAIN = {};
const WITH_GFM = { extensions: [GFM_SYNTAX], mdastExtensions: GFM_TREE };
// Stands in for Teams' `extendedmarkdown`: GFM, and mathematics between single dollars and double ones.
const WITH_DOLLARS = { extensions: [GFM_SYNTAX, dollars()], mdastExtensions: [...GFM_TREE, dollarsFromMarkdown()] };
const WITH_MATH = { extensions: [GFM_SYNTAX, math], mdastExtensions: [...GFM_TREE, mathFromMarkdown] };

// What remark-gfm makes links of after it has decoded the text; without it there is none.
const LITERAL = /https?:\/\/|www\.|@/i;

function transformed(tree) {
  for (const transform of TRANSFORMS) transform(tree);
  return tree;
}

function readTree(tree) {
  const reading = new Reading();
  const definitions = new Map();
  define(tree, definitions);
  walk(tree, reading, definitions);
  return reading;
}

// Formulas, and code that is an app, are as live as HTML.
function readExtended(text) {
  const tree = transformed(fromMarkdown(text, WITH_DOLLARS));
  const reading = readTree(tree);
  reading.html.push(...liveNodes(tree));
  return reading;
}

function* liveNodes(node) {
  if (node.type === 'math' || node.type === 'inlineMath') yield `formula ${node.value}`;
  if (node.type === 'code' && /^html-widget/i.test(node.lang ?? '')) yield node.lang;
  for (const child of node.children ?? []) yield* liveNodes(child);
}

function define(node, definitions) {
  if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node);
  for (const child of node.children ?? []) define(child, definitions);
}

function walk(node, reading, definitions) {
  switch (node.type) {
    case 'text':
      reading.visible += node.value;
      return;
    case 'break':
      reading.visible += BLOCK;
      return;
    case 'inlineCode':
      reading.visible += CODE;
      return;
    case 'image':
      reading.images.push(node.url);
      return;
    case 'imageReference':
      reading.images.push(definitions.get(node.identifier).url);
      return;
    case 'html':
      reading.html.push(node.value);
      return;
    case 'math':
      readMath(node.value, reading);
      return;
    case 'footnoteReference':
      reading.link(`[^${node.label}]`, '#footnote');
      return;
    case 'link':
      reading.link(textOf(node), node.url);
      break;
    case 'linkReference':
      reading.link(textOf(node), definitions.get(node.identifier).url);
      break;
  }
  for (const child of node.children ?? []) walk(child, reading, definitions);
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') reading.visible += BLOCK;
}

function textOf(node) {
  if (node.type === 'break') return ' ';
  return node.value?.replace(/\n/g, ' ') ?? (node.children ?? []).map(textOf).join('');
}

// The main build, src/markdown/mathExtension/mathHtml.ts: what KaTeX refuses is written as it is.
function readMath(value, reading) {
  let html = value;
  try {
    html = katex.renderToString(value, { output: 'mathml', strict: 'ignore' });
  } catch {
    // Entities are decoded there, and tags are tags.
  }
  reading.visible += CODE;
  for (const tag of html.match(/<[A-Za-z/!?][^>]*/g) ?? []) {
    if (html === value || /^<(?:a|img|script|iframe)\b|\s(?:href|src|style|on\w+)\s*=/i.test(tag)) reading.html.push(tag);
  }
}

// Otherwise it writes addresses as entities, by chance.
const MARKED_4 = { ...getDefaults(), mangle: false };
const markdownIt = (MarkdownIt, html) => new MarkdownIt({ html, linkify: true });
const webChat = new MarkdownIt13({ html: true, linkify: true, typographer: true, xhtmlOut: true }).use(attributes, ATTRIBUTES);
const html12 = markdownIt(MarkdownIt12, true);
const html14 = markdownIt(MarkdownIt14, true);
const html8 = markdownIt(MarkdownIt8, true);
const plain12 = markdownIt(MarkdownIt12, false);
const plain14 = markdownIt(MarkdownIt14, false);

const ENGINES = [
  'webchat',
  'webchat-main',
  'markdown-it-12',
  'markdown-it-12-plain',
  'markdown-it-14',
  'markdown-it-14-plain',
  'commonmark.js',
  'micromark',
  'micromark-gfm',
  'remark-gfm',
  'teams-extended',
  'marked-4',
  'marked-18',
  ...(OTHERS ? ['markdown-it-8'] : [])
];

function* read(text) {
  const hasTag = text.includes('<');
  const respected = lineEndsRespected(text);
  yield readMarkdownIt(webChat, attributesMarked(respected));
  const withGfm = fromMarkdown(text, WITH_GFM);
  const github = readTree(withGfm);
  yield MATH.test(text) || respected !== text ? readTree(fromMarkdown(respected, WITH_MATH)) : github;
  const twelve = readMarkdownIt(html12, text);
  yield twelve;
  // Without "<", HTML is no matter.
  yield hasTag ? readMarkdownIt(plain12, text) : twelve;
  const fourteen = readMarkdownIt(html14, text);
  yield fourteen;
  yield hasTag ? readMarkdownIt(plain14, text) : fourteen;
  yield readCommonmark(text);
  const tree = fromMarkdown(text, PLAIN);
  yield readTree(tree);
  yield github;
  const remark = LITERAL.test(github.visible) ? readTree(transformed(withGfm)) : github;
  yield remark;
  yield /\$|html-widget/i.test(text) ? readExtended(text) : remark;
  yield readMarked(source => lexer4(source, MARKED_4), text);
  yield readMarked(lexer18, text);
  if (OTHERS) yield readMarkdownIt(html8, text);
  return tree;
}

function answer(text, badges) {
  const readings = [];
  const indices = new Map();
  const engines = [];
  const known = new Map();
  const reads = read(text);
  let step = reads.next();
  for (; !step.done; step = reads.next()) {
    let index = known.get(step.value);
    if (index === undefined) {
      const written = JSON.stringify(step.value.written(badges));
      index = indices.get(written);
      if (index === undefined) {
        index = readings.length;
        indices.set(written, index);
        readings.push(written);
      }
      known.set(step.value, index);
    }
    engines.push(index);
  }
  // Web Chat, src/markdown/private/iterateLinkDefinitions.ts: at the top level only.
  const definitions = step.value.children
    .filter(node => node.type === 'definition')
    .map(({ label, url, title }) => [label, url, title ?? '']);
  return `{"engines":${JSON.stringify(engines)},"readings":[${readings}],"definitions":${JSON.stringify(definitions)}}`;
}

console.log(JSON.stringify(ENGINES));
for await (const line of createInterface({ input: process.stdin })) {
  const { texts, badges } = JSON.parse(line);
  console.log(`[${texts.map(text => answer(text, badges))}]`);
}
