"""A sentence of which something could not be read says so where it is lost, and is no answer."""

from __future__ import annotations

import io
import zipfile

import pytest

from bot.retrieval.answer.form import is_template
from bot.retrieval.document import LOST
from bot.retrieval.files import read
from bot.retrieval.passages.markdown import write_passage
from bot.retrieval.passages.split import split_passages

OFFICE = "http://schemas.openxmlformats.org"
WORD = (
    f'xmlns:w="{OFFICE}/wordprocessingml/2006/main" xmlns:a="{OFFICE}/drawingml/2006/main" '
    f'xmlns:wp="{OFFICE}/drawingml/2006/wordprocessingDrawing" xmlns:pic="{OFFICE}/drawingml/2006/picture" '
    'xmlns:v="urn:schemas-microsoft-com:vml"'
)
OPEN = 'xmlns:{0}="urn:oasis:names:tc:opendocument:xmlns:{1}:1.0" '
ODT = (
    "".join(OPEN.format(*names) for names in (("office", "office"), ("text", "text"), ("draw", "drawing")))
    + 'xmlns:xlink="http://www.w3.org/1999/xlink"'
)
PICTURE = "<a:graphic><a:graphicData><pic:pic/></a:graphicData></a:graphic>"


def package(**parts: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name.replace("__", "/") + ".xml", part)
    return packed.getvalue()


def word(inner: str) -> bytes:
    """A paragraph of Word with something in it that is no text."""
    words = "".join(f"<w:r>{one}</w:r>" for one in ("<w:t>It costs </w:t>", inner, "<w:t> euros.</w:t>"))
    return package(word__document=f"<w:document {WORD}><w:body><w:p>{words}</w:p></w:body></w:document>")


def open_document(inner: str, **parts: str) -> bytes:
    """The same of OpenDocument."""
    body = f"<text:p>It costs {inner} euros.</text:p>"
    content = f"<office:document-content {ODT}><office:body><office:text>{body}</office:text></office:body>"
    return package(content=f"{content}</office:document-content>", **parts)


LOSSES = {
    "a picture in Word": ("a.docx", word(f"<w:drawing><wp:inline>{PICTURE}</wp:inline></w:drawing>")),
    "a formula of old": ("a.docx", word("<w:object><v:shape style='width:9pt'><v:imagedata/></v:shape></w:object>")),
    "a formula in a field": ("a.docx", word(r"<w:instrText> EQ \f(250,4) </w:instrText>")),
    "an unknown element": ("a.docx", word("<w:new><w:r><w:t>900</w:t></w:r></w:new>")),
    "an object that is not there": ("a.odt", open_document('<draw:object xlink:href="Object 1"/>')),
    "an object that is broken": ("a.odt", open_document('<draw:object xlink:href="Object"/>', Object__content="<")),
    "a picture in OpenDocument": (
        "a.odt", open_document('<draw:frame text:anchor-type="as-char"><draw:image/></draw:frame>')),
    "an equation in Rich Text": ("a.rtf", rb"{\rtf1 It costs {\mmath{\*\moMath{\mr 9}}} euros.\par}"),
    "a picture in Rich Text": ("a.rtf", rb"{\rtf1 It costs {\*\shppict{\pict 01}}{\nonshppict{\pict 01}} euros.}"),
    "a picture on a page": ("a.html", b'<p>It costs <img src="a.png" alt="C=9"> euros.</p>'),
}  # fmt: skip


@pytest.mark.parametrize(("name", "data"), LOSSES.values(), ids=LOSSES)
def test_a_sentence_of_which_something_is_lost_is_no_answer(name: str, data: bytes) -> None:
    [passage] = split_passages(read(data, name), name, "english")
    assert passage.text == f"It costs {LOST} euros."
    assert is_template(passage.text)
    assert write_passage(passage) == "It costs … euros."


WHOLE = {
    "a picture beside the words": ("a.docx", word(f"<w:drawing><wp:anchor>{PICTURE}</wp:anchor></w:drawing>")),
    "a field with its result": ("a.docx", word("<w:instrText> REF a </w:instrText>")),
    "a frame beside the words": (
        "a.odt", open_document('<draw:frame text:anchor-type="char"><draw:image/></draw:frame>')),
    "an ornament": ("a.html", b'<p>It costs <img src="a.png" alt=""> euros.</p>'),
    "a picture behind a line": ("a.html", b"<p><img src=a.png>It costs euros. <img src=b.png></p>"),
    "a floating shape": ("a.rtf", rb"{\rtf1 It costs {\shp{\*\shpinst{\sv{\pict 01}}}{\shprslt{\pict 01}}}euros.}"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "data"), WHOLE.values(), ids=WHOLE)
def test_what_stands_beside_the_words_is_no_loss(name: str, data: bytes) -> None:
    [passage] = split_passages(read(data, name), name, "english")
    assert " ".join(passage.text.split()) == "It costs euros."


def test_signs_of_the_font_symbol_are_read() -> None:
    costs = "".join(
        f'<w:sym w:font="Symbol" w:char="{number}"/>' for number in ("F0A3", "F0B1", "00B5", "F061")
    )
    assert (
        read(word(f'{costs}<w:sym w:font="Wingdings" w:char="F0FC"/>'), "a.docx").text
        == "It costs ≤±µα euros.\n\n"
    )
