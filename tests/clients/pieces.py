"""The pieces that hostile answers are made of."""

from __future__ import annotations

from typing import Final

EVIL: Final = "https://evil.example/"
MARKERS: Final = (
    "[1]", "[1]", "[1]", "[2]", "[1][2]", "[1, 2]", "[1-2]", "[9]", "[n](1)", "[Report](file-2)", "[a](x.pdf)", "【1】", "［2］",
    "[doc1]", "[2024]", "[^1]", "[[1]]", "[1](noted)", "[1]:", "![1]", "\\[1]", "\\[1\\]", "[ 1 ]", "[1][]", "[x][1]", "[1,p. 3]",
    "[the *plan*](file-2)", "[![x](y)](file-2)", "[a [1] b](file-2)", "[file-2]", "[file-2#page=3]", "[1](a.pdf#page=2)", "turn0search0", "【4:0†source】", "【【1】】",
    f'\ue200entity\ue202["a","![x]({EVIL}i.png)"]\ue201', f"\ue200url\ue202[x]({EVIL})\ue202{EVIL}\ue201", '\ue200x\ue202["\\u202e<b>\\n# [1]: `"]\ue201', "\ue200cite\ue202file-2\ue201",
    ":contentReference[oaicite:0]{index=0}", "##0$$", "\ue200entity\ue202[",
)  # fmt: skip
LIVE_PIECES: Final = (
    f"![x]({EVIL}i.png)", f"[x]({EVIL})", f"[1]({EVIL})", f"[(1)]({EVIL})", f'[x]({EVIL} "t")', "![x][r]", "[x][r]", "[r]", f"<img src={EVIL}i.png>",
    f'<img src="{EVIL}i.png">', f"<a href={EVIL}>1</a>", "<b>", "</b>", "<br>", "<br/>", "<br />\n", "<BR>1. ", "<br>- ", "<sup>", "</sup>", "<sup>2</sup>", "<sub>1</sub>", "<sup>[1]</sup>", "<sup>[1](a.pdf)</sup>", "<!-- x -->", "<!--", "-->", "<?x?>", "<!X>", "<![CDATA[x]]>",
    "<script>", "</script>", "<style>", "<textarea>", "<details>", f"<{EVIL}>", "<a@evil.example>", "<mailto:a@evil.example>", "<x:y>",
    f"[x](<{EVIL}>)", f"[x](\n{EVIL})", "[x](live.example)", "[x](https://live.example/a)", "[1](https://live.example/a)", "[x](/a)", "[x](#a)", "[x]()",
    "[x](javascript:alert(1))", "[x](cite:1)", "[1](cite:1)", "[x](data:text/html,x)", "[x](<>)", "[x](a(b)c)", "[x](a\\)b)",
)  # fmt: skip
TAILS: Final = (
    f"]({EVIL}", "](", "](<", f"](<{EVIL}", f']({EVIL} "', f"]({EVIL} (", "][", "]:", "]()", "](`", f"]({EVIL}`)`", "](a\nb)", "](a 'b",
    "](\\", "](&", "](<a\n", "](a b)", "](a<b>)", "][r](", "](]", "](a(b", f"]({EVIL}\n", '](a "b\n\nc")', "]\n(x)", "] (x)", "]\u200b(x)", "](\u200b",
)  # fmt: skip
ADDRESSES: Final = (
    EVIL, "http://evil.example", "https://evil.example/a_(b).", "https://evil.example/a[1]", "www.evil.example", "www.evil.example/x?y=1&z=2.",
    "WWW.EVIL.EXAMPLE", "evil.com", "evil.com/x", "a@evil.example", "a.b+c@evil.com", "mailto:a@evil.example", "xmpp:a@evil.example/x", "//evil.example", "//localhost/x",
    "ftp://evil.example", "tel:+1", "sip:a@evil.example", "HTTPS://EVIL.EXAMPLE", "https&#58;//evil.example", "https&colon;//evil.example", "https:&#47;/evil.example",
    "www&#46;evil.example", "www&period;evil.example", "a&#64;evil.example", "a&commat;evil.example", "https\\://evil.example", "www\\.evil.example", "a\\@evil.example",
    "https:/\\/evil.example", "https://evil.example,", "https://evil.example!", "https://evil.example)", "https://evil.example&gt;", "https://evil.example**", "(https://evil.example)",
    "https://evil.example](x)", "*www.evil.example*", "_www.evil.example_", "~www.evil.example~", "www.evil.example\u200b", "https://é.example", "http://evil", "https://1.2.3.4/", "192.168.0.1",
    "https://evil.example|", "https://user:pass@evil.example/", "1www.evil.example", "https://evil.example/`", "http://a.b-c_d.ef", "evil.пример", "www.点.中国",
)  # fmt: skip
ENTITIES: Final = (
    "&lt;", "&gt;", "&#60;", "&#x3c;", "&LT;", "&lbrack;", "&#91;", "&#x5B;", "&rsqb;", "&#93;", "&lpar;", "&#40;", "&rpar;", "&#41;", "&grave;", "&#96;", "&excl;", "&#33;", "&colon;",
    "&#58;", "&sol;", "&#47;", "&commat;", "&#64;", "&period;", "&#46;", "&bsol;", "&#92;", "&lcub;", "&#123;", "&quot;", "&NewLine;", "&#10;", "&#13;", "&Tab;", "&#9;", "&nbsp;", "&amp;",
    "&amp;lt;", "&#0;", "&#xD800;", "&#x110000;", "&lt", "&#60", "&", "&ZeroWidthSpace;", "&verbar;", "&#124;", "&dollar;", "&num;", "&gt;&gt;", "&ast;", "&lowbar;",
)  # fmt: skip
ATTRIBUTES: Final = (
    '{aria-label="Verified"}', "{aria-label=Verified}", "{aria-label}", '{ aria-label="x" }', '{ARIA-LABEL="x"}', '⟬aria-label="x"⟭', "⟬aria-label=x⟭", "⟬aria-label⟭", "⟬.x⟭", "⟬#x⟭",
    '{aria-label="', '"}', "⟬", "⟭", "{", "}", '{aria-label="a\nb"}', "{aria-label='x'}", '{aria-label="⟬"}', '{aria-\nlabel="x"}', '&#123;aria-label="x"}', '{aria&#45;label="x"}',
    '{\u200baria-label="x"}', '{\naria-label="x"\n}', '{aria-label=""}', '\\{aria-label="x"}', "{href=https://evil.example}", '⟬aria-label="x" aria-label="y"⟭', '{aria-label="`"}',
    '{aria-label="[1]"}', "\n{aria-label=x}", " {aria-label=x}", '{aria-label="x"}{aria-label="y"}', "{aria-label=`x`}", "⟬⟬aria-label=x⟭⟭", "{{aria-label=x}}",
)  # fmt: skip
WIDGETS: Final = (
    "```html-widget\n{}\n```",
    "\n~~~ HTML-Widget x\n{}\n~~~\n",
    "``` html-widget\n",
    "> ```html-widget\n",
    "```html&#45;widget\n",
    "```html\\-widget\n",
)
"""What Teams runs as an app in ``extendedmarkdown``."""
MATH: Final = (
    "$$", "\\(", "\\)", "\\[", "\\]", "$", "$$x$$", "\\(x\\)", "\\[x\\]", "$$\n", "\n$$", "\\$$", "$$$$", "$$\\href{https://evil.example}{x}$$", "\\\\(", "$$\\undefined <img src=x>$$",
    "$x$", "$5 to $10", "$`x`$", "\\$x$", "\\[\\undefined `<img src=x>`\\]", "\\( `<img src=x>` \\)", "$$ \\x `<a href=x>` $$", "\\[\n", "\n\\]",
)  # fmt: skip
ODDITIES: Final = (
    "\ufeff", "\u200b", "\u200c", "\u200d", "\u2060", "\xad", "\u202e", "\u2066", "\x00", "\x0b", "\x0c", "\x1b", "\x85", "\xa0", "\u2028", "\u2029", "\u3000", "\ufffd", "\ufe0f", "\u180e", "\u115f",
    "\U000e0041", "\ud800", "\udc00", "\ue000", "\ufffe", "\r", "\r\n", "\n\r", "\t", "\u1680", "\u2003", "\u0301", "\u0600", "\u034f", "￼", "\u061c",
)  # fmt: skip
DEFINITIONS: Final = (
    f"[r]: {EVIL}d", f"[1]: {EVIL}d", f"[2]: <{EVIL}d> 't'", f"[r]:\n{EVIL}d", f'[r]: {EVIL}d "t\nu"', f'[r]: {EVIL}d "t', f"[r\n]: {EVIL}d", "[r]:", "[r]: <", f"[R]: {EVIL}D", f"[1\\]: {EVIL}d",
    f"[^1]: {EVIL}d", "[^1]: a note", "[^1]: a note [x](https://evil.example)", f"[x]: {EVIL}d\n    {EVIL}phish", f"[x]: {EVIL}d\n\t![x]({EVIL}i.png)", f"[r]: {EVIL}d\n===", f"[r]: {EVIL}d\n- x", f"[r]: {EVIL}d\t",
    f"[r]: {EVIL}d\n[s]: {EVIL}e\n\t[x]({EVIL})", f"[`]: {EVIL}d`", f"[r]: {EVIL}d 't' x", f"[１]: {EVIL}d", "*[HTML]: x", f"[r]: {EVIL}d |\n-|-", f"[\u00df]: {EVIL}d", f"[SS]: {EVIL}d",
)  # fmt: skip
WORDS: Final = (
    "word", "The sky", " ", " ", " ", ".", ",", ": ", "**", "*", "_", "__", "~~", "~", "\\", "\\\\", "!", "!", "[", "]", "(", ")", "<", ">", "|", '"', "'", "é", "日本", "👩‍🔬", "1", "-", "+", "#", "=", "x", "a.b", "@",
    ":", "/", "//", "&", ";", "\n", "\n", "  \n", "\\\n", "`", "``", "<x", "x>", "[ ]", "[x]", "[sic]", "(see)", "`code`", "`` ` ``", "`a`", "``` `` ",
)  # fmt: skip
STARTS: Final = (
    "> ", ">", "- ", "* ", "+ ", "1. ", "2) ", "10. ", "- [ ] ", "    ", "\t", "  ", "   ", " ", "# ", "###### ", ">\t", "-\t", "1.\t", ">     ", "-     ", "-      ", "> > ", "- - ", "> - ", "- > ", "|", "| ", "\ufeff", "\u200b",
    "\x0b", "\xa0", "0. ", "1234567890. ", "-\n  ", ">\n", "* * ", "- \t",
)  # fmt: skip
LINES: Final = (
    "", "", "===", "---", "- -", "***", "-", "=", "```", "````", "~~~", "```x", "``` `", "~~~ `", "<div>", "</div>", "<pre>", "</pre>", "<!--", "-->", "<x>", "</x>", "-|-", "|-|-|", ":-:", "|-", "--|--|--", "| - | - |", "-|", "$$", "\\[", "\\]",
    "<script>", "<style>", "<?", "<![CDATA[", "]]>", "<a", "<b", "    ", "\t", "# ", "#", "  ", "\x0c", "\xa0", "    ```", "   ```", "> ```", "- ```",
)  # fmt: skip


NAMES: Final = (
    "Handbook", "Handbook", None, "", 'A "quoted" name', "](https://evil.example)", "x\\", "`x", "<img src=x>", "[1]: x", "a\n\nb", "{aria-label=x}", "⟬aria-label=x⟭", "$$x$$", "\\[x\\]", "&lt;b&gt;", "www.evil.example",
    "https://evil.example", "a@evil.example", "x" * 130, "é\u202e", "\ufeff", "(1)", "[1]", "a|b", "a*b_c~d", "x&", "x&quot", "\\", "\\&quot;", "'x'", "!", "-", "# x", "> x", "```",
)  # fmt: skip
URLS: Final = (
    "https://good.example/1", "https://good.example/1", "https://good.example/2", "https://good.example/2", None, None, "javascript:x", "https://good.example/(a)[b]", "https://good.example/`*_~$",
    "https://good.example/?a=1&copy;=2&lt;", "https://münchen.example/ü", "https://good.example/a b", 'https://good.example/"x', "https://good.example/x\\", "https://good.example/<x>", "https://good.example/{aria-label=x}",
    "http://good.example", "https://good.example/\u200b", "https://good.example/⟬aria-label=x⟭", "https://good.example/%5B%zz", "https://good.example/#|", "//good.example", "https://good.example./", "https://[::1]/",
    "https://good.example/$$x$$", "https://GOOD.example/A", "https://good.example/&#41;", "https://xn--a.example/", "https://good.example/~~x~~", "https://good.example/__x__", "https://good.example/'",
)  # fmt: skip


CELLS: Final = (
    *WORDS,
    *LIVE_PIECES,
    *MARKERS,
    "`",
    "`",
    "\\|",
    "\\\\|",
    "`\\\\|`",
    "a",
    "`|`",
    *ATTRIBUTES[:8],
    *ADDRESSES[:8],
)


ANYTHING: Final = (
    *WORDS, *WORDS, *MARKERS, *MARKERS, *LIVE_PIECES, *LIVE_PIECES, *TAILS, *ADDRESSES, *ENTITIES, *ATTRIBUTES, *MATH, *WIDGETS, *ODDITIES, *("\n" + line + "\n" for line in LINES), *("\n\n" + line + "\n" for line in DEFINITIONS),
    *("\n" + start for start in STARTS), "`", "`", "``", "```", "|", "|", "\n\n", "\n",
)  # fmt: skip
