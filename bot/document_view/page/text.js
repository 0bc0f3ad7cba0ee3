// A document of text is complete when the page is.
showCited();
