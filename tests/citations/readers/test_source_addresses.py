"""What a source's URL becomes is the same whichever provider sends it, and what is dropped is a problem."""

from __future__ import annotations

from typing import Final

import pytest

from citations import channel, cite, render
from citations.readers import FORMATS
from tests.written_provider_answers import CITING

LINKS: Final = {
    "https://contoso.example/My File.pdf": "https://contoso.example/My%20File.pdf",
    "https://contoso.example/ä(1)?q=a b": "https://contoso.example/%C3%A4%281%29?q=a%20b",
}
DROPPED: Final = (
    "javascript:alert(1)",
    "s3://bucket/f.pdf",
    "https://[::1]/x",
    "https://e.com/a\\b",
    "//e.com/x",
)


@pytest.mark.parametrize("url", LINKS)
@pytest.mark.parametrize("provider", CITING)
def test_a_link_is_encoded(provider: str, url: str) -> None:
    rendering = render(cite(FORMATS[provider].read(CITING[provider](url))), channel("webchat"))
    assert f"\n[1]: {LINKS[url]} " in rendering.text
    assert [one.code for one in rendering.problems] == []


@pytest.mark.parametrize("url", DROPPED)
@pytest.mark.parametrize("provider", CITING)
def test_what_is_no_link_is_a_problem_that_names_the_reference(provider: str, url: str) -> None:
    rendering = render(cite(FORMATS[provider].read(CITING[provider](url))), channel("webchat"))
    assert "\n[1]: cite:1 " in rendering.text
    [dropped] = [one for one in rendering.problems if one.code == "url-dropped"]
    assert dropped.path == "$.references[0].url"
    assert repr(url)[1:-1] in dropped.message or url in dropped.message
