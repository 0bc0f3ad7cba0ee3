"""Renders Word documents with mammoth, which reads structure and no layout."""

from __future__ import annotations

import io
from base64 import b64encode
from typing import Any, Final

import mammoth

from ..languages import LANGUAGES

_STYLES: Final = "\n".join(
    (
        *(f"p[style-name='{word}'] => h1:fresh" for word in LANGUAGES.words_of("office", "titles")),
        *(
            f"p[style-name='{word} {level}'] => h{level}:fresh"
            for word in LANGUAGES.words_of("office", "headings")
            for level in range(1, 7)
        ),
        "p[style-name='Source Code'] => pre:separator('\\n')",
        "p[style-name='HTML Preformatted'] => pre:separator('\\n')",
        "p[style-name='Quote'] => blockquote > p:fresh",
        "p[style-name='Intense Quote'] => blockquote > p:fresh",
    )
)
"""The styles that mammoth does not know by itself."""
_PICTURES: Final = 4_000_000
"""Bytes of all pictures of a document; further ones are left out."""


def render_word(data: bytes) -> str:
    """The HTML of a DOCX file that :func:`bot.retrieval.files.docx.read` could read, not sanitized yet."""
    pictures = _Pictures()
    result = mammoth.convert_to_html(
        io.BytesIO(data), style_map=_STYLES, convert_image=mammoth.images.img_element(pictures.embed)
    )
    html: str = result.value
    return html


class _Pictures:
    """Embeds pictures as data URLs until they are too large in all."""

    def __init__(self) -> None:
        self._remaining = _PICTURES

    def embed(self, image: Any) -> dict[str, str]:
        """The attributes of a picture; none where it is too large, or not inside the document."""
        try:
            with image.open() as opened:
                data: bytes = opened.read(self._remaining + 1)
        except (OSError, KeyError, ValueError):
            return {}
        if len(data) > self._remaining:
            return {}
        self._remaining -= len(data)
        return {"src": f"data:{image.content_type};base64,{b64encode(data).decode('ascii')}"}
