"""Shows a document in the browser, opened at the cited words.

``page`` has the route's answers. ``rendered_document`` has a child process render a document with
``document``: as sanitized HTML, in which ``mark`` marks words.
``pdf_library`` has pdf.js, which draws the pages of a PDF in the browser. ``page/`` has the page's own files.

Nothing is imported here, so that a child process loads ``document`` and what it needs, and no more.
"""
