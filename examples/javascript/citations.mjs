// Renders an answer of the numbered dialect as Web Chat's text: `render({text, references})` is {text, problems}. The rules are SPEC.md's.
const WORDS = 'doc(?:ument)?s?|sources?|ref(?:erence)?s?|(?:ref_)?id|cit(?:e|ations?)|dok(?:umente?)?|quellen?|réf(?:érences?)?|documentos?|fuentes?|referencias?';
const PLACES = 'pp?|s|(?:page|line|ligne|línea)s?|[ck]ap(?:itel|ítulo)?|ch(?:ap(?:ter|itre)?)?|se[ck](?:tion|ción)?|fig|tab(?:le|leau|elle|la)|abschnitt|[sz]ei[tl]en?|pág(?:ina)?s?';
const NUMBER = `(?:(?:(?:${WORDS})[ \\t]*[.:]?[ \\t]*#?[ \\t]*)?\\p{Nd}{1,9}(?:#(?:[^,;\\[\\]\\s]|;(?![ \\t])){1,100})?|\\^\\p{Nd}{1,9}\\^)`; // M1 M6 M8
const ITEM = `(${NUMBER})(?:[ \\t]*[-–—][ \\t]*(${NUMBER}))?`; // M4
const MARKER = new RegExp(`^[ \\t]*(?<items>${ITEM}(?:[ \\t]*(?:[,;&]|\\b(?:and|und|et|y)\\b)[ \\t]*${ITEM})*)[ \\t]*` + // M2
  `(?:[,;:]?[ \\t]*(?<place>(?:(?:${PLACES})(?![\\p{L}\\p{N}_])\\.?|§)[^\\[\\]†]{1,60}))?(?:†[^\\[\\]]{0,100})?[ \\t]*$`, 'iu'); // M5 M7
const FENCE = '^(?<fence>`{3,}|~{3,})[ \\t]*(?<info>[\\w+#-]*)[^`\\n]*(?:\\n(?<block>[^]*?))??(?:\\n {0,3}\\k<fence>+[ \\t]*$|(?![^]))';
const INDENTED = '(?<=^\\s*\\n)(?<!^(?:[-+*]|\\d+[.)]) .*\\n\\s*\\n)(?<indented>(?:(?: {4}|\\t).*(?:\\n|(?![^])))+)';
const HTML = '(?<=^\\s*\\n) {0,3}<(?:[!?]|\\/?(?!br ?\\/?>|(?:a|b|code|em|i|img|span|strong)\\b.*>.*\\S)[a-z][\\w-]*[\\s\\/>])[^]*?(?=\\n[ \\t]*\\n|(?![^]))';
const DEFINITION = '(?<=^(?:\\s*| {0,3}\\[[^\\]]+\\]:.*)\\n) {0,3}\\[[^\\]\\n]+\\]:.*';
const FORMULA = '\\$\\$(?<sum>[^$]{1,1000})\\$\\$|\\\\(?:\\((?<math>.{1,1000}?)\\\\\\)|\\[(?!\\d+\\\\)(?<display>.{1,1000}?)\\\\\\])'; // D6
const LINK = '(?<image>!?)\\[(?<words>(?:[^\\[\\]]|\\[[^\\[\\]]*\\])*)\\]\\(\\s*(?<url><[^<>]*>|[^\\s()<](?:[^\\s()]|\\([^\\s()]*\\))*)(?:\\s+"[^"]*")?\\s*\\)';
const BRACKETS = '(?:\\[\\s*(?=\\[)|【\\s*(?=【)|［\\s*(?=［))(?<group>(?:[\\[【［][^\\[\\]【】［］]+[\\]】］][\\s,;]*)+)[\\]】］]|(?:\\[(?<one>[^\\[\\]]{1,120})\\])|【(?<wide>[^】]{1,120})】|［(?<full>[^］]{1,120})］';
const TURNS = '(?:\\\\ue20\\d)*(?:filecite|cite)?(?:(?:\\\\ue20\\d)*turn\\d+[a-z]+\\d+)+(?:\\\\ue20\\d)*'; // M12
const OWN = `(?<own>\\ue200[^\\ue200\\ue201]{0,400}\\ue201|(?<![\\w/.\\\\=&?#%~+-])${TURNS}(?![\\w/(\\\\]|\\.\\w)|:contentReference\\[oaicite:\\d+\\]\\{index=\\d+\\}` +
  `|【\\d+:\\d+†[^】]{0,100}】|[\\[【](?:oaicite:\\d+|${TURNS})[\\]】]|##\\d+\\$\\$(?!\\$))`;
const TAG = '(?<breaks>[ \\t]*(?:<br ?\\/?>[ \\t]*\\n?[ \\t]*)+)|<su(?<sub>b|p)>(?<small>[-−+=()\\d]{1,20})<\\/su\\k<sub>>|(?<beside><su[bp]>(?=[\\[【［])|(?<=[\\]】］]|\\]\\([^()\\s<>]*\\))<\\/su[bp]>)'; // D5
const TOKEN = new RegExp(`${FENCE}|${INDENTED}|(?<typed>${HTML}|${DEFINITION})|(?<code>(?<ticks>(?<!\`)\`+(?!\`))(?:[^|\\n]|\\\\\\|)*?(?:[^\`|\\n]|\\\\\\|)\\k<ticks>(?!\`))` +
  `|${OWN}|${FORMULA}|\\\\(?<escaped>[!-/:-@[-\`{-~])|(?<entity>&(?:#\\d{1,7}|#x[\\da-f]{1,6}|[a-z][a-z\\d]*);)|${LINK}|${BRACKETS}|${TAG}`, 'gimu');
const SIGNS = /[`[\]{}<⟬⟭@]|(?<!~)~(?!~)|~(?=~~)|(?<=~)~(?=~)|(?<=~~)~|&(?=[#a-z])|\$(?=\$)|(?<=\$)\$|:(?=\/\/)|\/(?=\/)|(?<=www)\.|(?<=\S)\.(?=\p{L})/giu;
const entity = sign => `&#${sign.codePointAt(0)};`, escape = text => text.replace(SIGNS, entity); // D7; `*`, `_`, `|` and pairs of `~` stay the markup that they were
const literal = text => escape(text).replace(/[*_|~\\]|^[ \t]*(?=[-#>+=:])[^]/gm, one => entity(one.trimStart())), digits = number => number.match(/\p{Nd}+/u)[0].normalize('NFKC');
function safeUrl(url) { // D2
  const [, scheme, site, rest] = /^(https?):\/\/([^/?#@]*)(?=[/?#]|$)(.*)$/is.exec(url?.trim()) ?? [];
  if (!scheme || url.length > 4096 || /[\0-\x1f\x7f-\x9f\\]|%(?:00|0[ad])/i.test(url) || !URL.canParse(`http://${site}`)) return;
  const port = /:\d+$/.exec(site)?.[0] ?? '', host = new URL(`http://${site}`).hostname + port;
  const encode = sign => Array.from(new TextEncoder().encode(sign), byte => `%${byte.toString(16).toUpperCase().padStart(2, 0)}`).join('');
  const behind = rest.replace(/%(?![\da-f]{2})/gi, '%25').replace(/[^\w\-.~:/?#@!$&'*+,;=%]/gu, encode).replace(/&(#?\w+);/g, '&$1%3B');
  return /^[\w.:-]+$/.test(host) ? `${scheme.toLowerCase()}://${host}${behind}` : undefined;
}
const decode = text => { try { return decodeURIComponent(text); } catch { return text; } };
function findSources(references) { // P2
  const names = new Map(), files = new Map(), key = url => (safeUrl(url) ?? url).replace(/([?&])utm_source=[^&#]*&?/, '$1').replace(/[?&/]*(?:#?:~:.*)?$/, '');
  for (const [index, one] of references.entries()) {
    const spellings = [`${one.id}`, ...(one.url ? [one.url, key(one.url)] : [])];
    const source = names.get(spellings.find(name => names.has(name))) ?? { ...one, index };
    Object.assign(source, { ...one, ...source, page: one.page === source.page ? one.page : undefined });
    for (const name of spellings) if (!names.has(name)) names.set(name, source);
    const called = [one.name ?? '', `${one.id}`, /\/([^/?#]*)(?:[?#]|$)/.exec(one.url?.replace(/^.*:\/\/[^/]*/, '') ?? '')?.[1] ?? '']; // M11
    const isFile = name => /^[^/\\[\]]+\.[a-z][a-z\d]{0,7}$/i.test(name) && !/\.(?:com|edu|gov|net|org)$/i.test(name);
    for (const name of [...one.aliases ?? [], ...called.map(decode).filter(isFile)]) if (/\D/.test(name)) for (const at of [name, `${name}#page=${one.page}`]) files.set(at, files.get(at) ?? source);
  }
  return (name, { other } = {}) => names.get(name) ?? (name.includes('://') ? names.get(key(name)) : undefined) ?? (other ? files.get(name) : undefined);
}
function titleOf({ id, name, url, page, last_page: last, place = {}, accessed, ordinal, at }, link) { // D3
  const clean = text => text.replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, one => (/\s/.test(one) ? ' ' : '')).normalize('NFC')
    .replace(/(^|[\s([{“‘«—–-])"/g, '$1“').replace(/"/g, '”').replace(/\s+/g, ' ').trim();
  const site = /^(?:[a-z][a-z\d+.-]*:\/\/|(?=www\.|[^\s/]+\.[a-z]+\/|\S+\.(?:com|edu|gov|net|org)$))([^\s/?#]+)\S*$/i;
  const named = clean(name ?? ''), said = site.exec(named)?.[1].toLowerCase().replace(/^www\./, ''), host = link && new URL(link).host;
  const own = !link || !said || said === host.replace(/^www\./, ''), part = /^(?!https?:)[a-z][a-z\d+.-]*:\/(?:.*\/)?([^/?#]+)/i.exec(url);
  const known = (own && named) || host || clean(part?.[1] ?? `${ordinal ? `Document ${at}` : id}`);
  const range = (one, several, first, end) => (end > first ? `, ${several} ${first}–${end}` : first ? `, ${one} ${first}` : '');
  const rows = (place.sheet ? `, sheet ${place.sheet}` : '') + range(place.kind, `${place.kind}s`, place.first, place.last);
  const day = /^\d{4}-\d\d-\d\d/.exec(accessed), where = (page ? range('p.', 'pp.', page, last) : rows) + (day ? `, accessed ${day}` : '');
  const room = 119 - where.length, cut = known.lastIndexOf(' ', room);
  return known.length <= room + 1 ? known + where : `${known.slice(0, cut < (room >> 1) ? room : cut).trimEnd()}…${where}`;
}
function readOwn(own, cite) { // M12
  const [kind, first = ''] = own.replace(/^\ue200|\ue201$/g, '').split('\ue202'), strings = [...own.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, one]) => one);
  const words = /^(?:url|navlist)$/.test(kind) ? first : kind === 'entity' ? strings[1] : /^\ue200(?!cite|filecite|image)/.test(own) ? strings.filter(one => !/^turn\d|:\/\//.test(one)).join(', ') : '';
  const ids = kind === 'entity' ? [] : [own.slice(1, -1), ...own.match(/turn\d+[a-z]+\d+|oaicite:\d+|\d+:\d+(?=†)|(?<=†)[^\]】]+|##\d+/g) ?? []];
  return [literal(words ?? ''), cite([], { ids })].filter(Boolean).join(' ') || '\u0004';
}
function write(text, cite, out = '', behind = 0) { // D5
  for (const { 0: whole, index, groups: of } of text.matchAll(TOKEN)) {
    const insides = of.group?.match(/[^[\]【】［］]+(?=[\]】］])/g) ?? [of.one ?? of.wide ?? of.full ?? ''], formula = of.sum ?? of.math ?? of.display;
    const block = of.fence ? of.block ?? '' : of.indented?.replace(/^(?: {4}|\t)/gm, '').trimEnd(), above = text.slice(0, index);
    let shown = (of.own && readOwn(of.own, cite)) || (insides[0] && cite(insides)) || (/†/.test(of.wide) && '\u0004') || of.code || (of.entity ? of.entity.replace(/^&#(?:x0*20(?:2[a-e]|6[6-9])|0*82(?:3[4-8]|9[4-7]));/i, '') : of.escaped ? entity(of.escaped) : literal(whole));
    if (of.small) shown = of.small.replace(/./g, sign => [...(of.sub === 'b' ? '₋₋₊₌₍₎₀₁₂₃₄₅₆₇₈₉' : '⁻⁻⁺⁼⁽⁾⁰¹²³⁴⁵⁶⁷⁸⁹')]['-−+=()0123456789'.indexOf(sign)]);
    const isEnd = of.breaks && (/(?:\n\s*\n|\|)\s*$/.test(above) || /^\s*(?:\||$|\n)/.test(text.slice(index + whole.length)));
    if (of.breaks || of.beside) shown = of.beside || isEnd ? '' : /\n\|.*$/.test(above) ? ' · ' : '  \n';
    const ticks = '`'.repeat(Math.max(3, ...(block?.match(/`+/g) ?? []).map(run => run.length + 1))); if (block !== undefined) shown = `${ticks}${of.info ?? ''}\n${block}\n${ticks}\n`;
    const badges = [], move = (typed, inside) => (badges[badges.push(cite([inside], { all: true })) - 1] ? '' : typed), kept = formula?.replace(/\s*\[([^[\]]*)\]/g, move); // D6, as text
    if (formula) shown = `${literal(of.sum ? `$$${kept}$$` : whole[1] + kept + whole.at(-1))}\u0003${badges.join('')}`;
    if (of.url && !of.image) { // N4
      const url = of.url.replace(/^<|>$/g, ''), number = [of.words.replace(/^\[(.*)\]$/s, '$1')], tail = whole.lastIndexOf('](');
      const noted = /^(?:[a-z][a-z\d+.-]*:|\/\/|www\.)/i.test(url) ? '' : cite(number), own = cite(number, { url }), year = /^\d{4,}$/.test(number) ? `${number} ` : '';
      shown = (own && year + own) || (noted ? noted + literal(whole.slice(tail + 1)) : entity('[') + write(of.words, cite) + literal(whole.slice(tail)));
    }
    [out, behind] = [out + escape(text.slice(behind, index)) + shown + (of.typed ? '\n' : ''), index + whole.length];
  }
  return out + escape(text.slice(behind));
}
const splitRow = line => line.trim().replace(/^\||(?<!\\)\|$/g, '').split(/(?<!\\)\|/), isOpen = cell => cell.split('`').length % 2 === 0;
function mendRows(text, above = '', width = 0, isFenced = false) { // D5: cells that a `|` in code has divided are one, and the last cell has the rest
  return text.split('\n').map(line => {
    const cells = splitRow(line), isRule = /^ {0,3}\|?(?:[ \t]*:?-+:?[ \t]*(?:\||$))+$/.test(line) && splitRow(above).length === cells.length;
    [above, width, isFenced] = [line, isRule ? cells.length : line.trim() && width, isFenced !== /^ {0,3}(?:`{3}|~{3})/.test(line)];
    if (!width || isRule || isFenced || cells.length <= width) return line;
    while (cells.length > width && !cells.at(-1).trim()) cells.pop();
    for (let at; cells.length > width && (at = cells.findIndex(isOpen)) in cells.slice(1);) cells.splice(at, 2, cells.slice(at, at + 2).join('\\|'));
    const rest = cells.slice(width - 1).map(cell => cell.trim()).join(' \\| ');
    return `|${[...cells.slice(0, width - 1), rest].join('|')}|`;
  }).join('\n');
}
export function render({ text, references = [] }) {
  const problems = [], cited = [], over = new Set(), find = findSources(references), report = (code, path = '$.text') => problems.push({ code, path });
  const cite = (insides, { all, url, ids } = {}) => {
    const parts = insides.map(inside => MARKER.exec(inside)?.groups), [, base, at] = /^([^#]*)#(?:.*&)?page=([1-9]\d{0,5})(?![^&:])/.exec(url ?? insides[0]?.trim()) ?? [];
    const id = !url && insides.length === 1 && !parts[0] && /^(?![xX]$|\^).*\p{L}/u.test(insides[0].trim()) && insides[0].trim(), other = name => find(name, { other: true });
    const found = (ids?.map(one => (one.startsWith('##') ? find('0') && find(one.slice(2)) : other(one))) ?? [id && (other(id) ?? (base && other(base)))]).filter(Boolean), unknown = [];
    const named = found.length, linked = url && (find(url) ?? (base && find(base)));
    for (const [, first, last] of parts.flatMap(part => [...(part?.items ?? '').matchAll(new RegExp(ITEM, 'giu'))])) {
      const low = +digits(first), high = last ? +digits(last) : low; if (high < low || high - low >= 50) return '';
      const known = n => (last ? [`${n}`] : [first, first.replace(/(?<=\p{Nd})#.*/u, ''), digits(first), `${n}`]).map(find).find(Boolean);
      for (let n = low; n <= high; n++) (known(n) ? found : unknown).push(known(n) ?? n);
    }
    if ((parts.includes(undefined) && !named) || (url && (linked !== found[0] || !linked)) || (all && unknown[0])) return '';
    if (unknown.some(n => n < 1000) && references.length) report('unknown-reference'); // N3
    for (const one of found) if (!cited.includes(one) && cited.push(one) > 20 && cited.pop() && over.size < over.add(one).size) report('too-many-citations'); // P1 P3
    const badges = [...new Set(found)].filter(one => cited.includes(one)).map(one => `\u0001${cited.indexOf(one) + 1}\u0002`).join('');
    const page = (url ? !find(url) && at : named ? at : parts.length === 1 && /^\D*\d+#page=([1-9]\d{0,5})$/i.exec(parts[0].items)?.[1]); // M8 M11
    const place = parts.map(part => part?.place?.trim()).filter(Boolean).join('; ') || (page && `p. ${page}`);
    return found.length && ([badges, unknown.length && literal(`[${unknown.join(', ')}]`), place && literal(`(${place})`)].filter(Boolean).join(' ') || '\u0004');
  };
  const body = write(`\n\n${mendRows(text).replace(/(?<=[`~<$])[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff\u202a-\u202e\u2066-\u2069]+(?=[`~!?/$])/g, '\u200b').replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff\u202a-\u202e\u2066-\u2069]/g, '')}`, cite).replace(/[ \t]*\u0004(?=[\s.,;:!?)\]}]|$)|\u0004/g, '').trim()
    .replace(/(?<=[!)\u0002\u0003])(?=\u0001)|(?<=\u0002)(?=[(:])/g, '\u200b').replace(/[\u0001-\u0003]/g, sign => ' []'[sign.charCodeAt(0)] ?? ''); // D4
  if (references.length && !cited.length) report('nothing-cited');
  const definitions = cited.map((source, at) => { // D1 D2
    const link = safeUrl(source.url), title = titleOf({ ...source, at: at + 1 }, link).replace(/&(?=#?\w{1,32};)/g, '&amp;');
    if (source.url && !link) report('url-dropped', `$.references[${source.index}].url`);
    const isPDF = link && source.page && !link.includes('#') && (source.media_type === 'application/pdf' || /\.pdf$/i.test(new URL(link).pathname));
    const url = link ? link + (isPDF ? `#page=${source.page}` : '') : `cite:${cited.slice(0, at + 1).filter(one => !safeUrl(one.url)).length}`;
    return `[${at + 1}]: ${url} "${title.replace(/\\/g, '&#92;').replace(/"/g, '&quot;')}"`;
  });
  return { text: [body, definitions.join('\n')].filter(Boolean).join('\n\n'), problems };
}
