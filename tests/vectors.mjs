// Judges vectors in Node. Each line of the input is a JSON object and is answered by a line: one with `text` by
// its normal HTML in each engine, one with `answer` by what the example in examples/javascript makes of it.

import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [engines, example, normal] = process.argv.slice(2);
const load = createRequire(`${engines}/`);
const imported = name => import(pathToFileURL(load.resolve(name)));
const { render } = await import(pathToFileURL(example));
const { normalHTML } = await import(pathToFileURL(normal));
const [{ micromark }, { gfm, gfmHtml }] = await Promise.all([imported('micromark'), imported('micromark-extension-gfm')]);
const commonmark = load('commonmark');
const MarkdownIt = load('markdown-it-14');

const markdownIt = new MarkdownIt({ html: true, linkify: true });
markdownIt.linkify.set({ fuzzyLink: true });
const WITH_GFM = { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true, allowDangerousProtocol: true };
const ENGINES = {
  'markdown-it': text => markdownIt.render(text),
  'micromark': text => micromark(text, WITH_GFM),
  'commonmark.js': text => new commonmark.HtmlRenderer().render(new commonmark.Parser().parse(text))
};

function read(text, bare) {
  return Object.fromEntries(Object.entries(ENGINES).map(([name, write]) => [name, normalHTML(text, write, { bare })]));
}

for await (const line of createInterface({ input: process.stdin })) {
  const { answer, text, bare } = JSON.parse(line);
  console.log(JSON.stringify(answer ? render(answer) : read(text, bare)));
}
