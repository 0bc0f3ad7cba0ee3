"""The numbers of lists that do not begin with 1: Web Chat 4.18.1 drops a list's first number."""

from __future__ import annotations

import pytest

from citations import Answer, channel, cite, render
from tests.normal_html import normal_html
from tests.streams import events, watch

STEPS = "1. Stop it:\n```\nstop\n```\n2. Copy it.\n3. Start it:\n\n   - here\n   - or there\n\n```\nstart\n```\n0) Ask."

WEB_CHAT = """
1. Stop it:

```
stop
```

2&#46; Copy it.

3&#46; Start it:

- here
- or there

```
start
```

0&#46; Ask.
"""


def shown(channel_id: str, text: str) -> str:
    return normal_html(render(cite(Answer(text=text)), channel(channel_id)).text, ())


def test_web_chat_shows_the_numbers_as_words() -> None:
    assert shown("webchat", STEPS) == normal_html(WEB_CHAT, ())


@pytest.mark.parametrize("channel_id", ["msteams", "email"])
def test_other_clients_count_from_the_first_number(channel_id: str) -> None:
    assert shown(channel_id, STEPS) == normal_html(STEPS, ())


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        (
            "7. ```\n   code\n   ```\n8.\n9. # A heading",
            "7&#46;\n\n```\ncode\n```\n\n8&#46;\n\n9&#46;\n\n# A heading",
        ),
        ("> 2. two\n> 3. three", "> 2&#46; two\n>\n> 3&#46; three"),
        ("- so:\n\n  4. four", "- so:\n\n  4&#46; four"),
        ("3. - [ ] do it\n", "3&#46;\n\n- [ ] do it"),
        ("2. **two**\n3. [x] three", "2&#46; **two**\n\n3&#46;\n\n[x] three"),
        ("0. \u00a0", "0&#46;"),
        ("1. one\n1. two\n", "1. one\n2. two"),
    ],
)
def test_what_an_item_holds_stands_below_its_number(typed: str, written: str) -> None:
    assert shown("webchat", typed) == normal_html(written, ())


def test_a_stream_shows_the_numbers_as_the_whole_answer_does() -> None:
    answer = Answer(text=STEPS)
    watched = watch("webchat", events(answer, list(STEPS)), answer)
    assert watched.final.text == render(cite(answer), channel("webchat")).text
    # None is shown as an item of a list that Web Chat would count from 1.
    assert not [one.text for one in watched.interims if "<ol start" in normal_html(one.text, ())]
