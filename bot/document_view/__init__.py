"""This package shows a document in the browser, opened at the cited words.

``page`` has the route's answers. ``renderings`` renders documents and keeps the last of them. ``pdf_library``
has pdf.js, which draws the pages of a PDF in the browser. ``page/`` has the page's own files.
"""

from __future__ import annotations

from .page import DocumentView, add_document_view
from .pdf_library import PdfLibrary

__all__ = ["DocumentView", "PdfLibrary", "add_document_view"]
