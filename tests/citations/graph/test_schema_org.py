"""The Schema.org message as JSON: its shape and its order."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from citations.graph.schema_org import (
    BlankNode,
    Claim,
    CreativeWork,
    DefinedTermSet,
    DigitalDocument,
    DislikeAction,
    LikeAction,
    Message,
    Project,
    SoftwareSourceCode,
    to_json,
)
from tests.schema_org_messages import FULL, absent

FULL_JSON = """\
{
  "@context": "https://schema.org",
  "@id": "",
  "@type": "Message",
  "citation": [
    {
      "@id": "_:c1",
      "@type": "Claim",
      "appearance": {
        "@type": "DigitalDocument",
        "abstract": "An abstract...",
        "dateModified": "2024-03-01",
        "editor": "William Wong",
        "encodingFormat": "text/markdown",
        "name": "A name",
        "text": "A text",
        "url": "https://example.com/1",
        "usageInfo": {
          "@id": "_:s1",
          "@type": "CreativeWork",
          "additionalType": "https://copilotstudio.microsoft.com/sensitivity-labels/v1",
          "description": "A description",
          "keywords": [
            "EncryptedContent",
            "encrypted-content"
          ],
          "name": "Confidential",
          "pattern": {
            "@type": "DefinedTermSet",
            "inDefinedTermSet": "https://www.w3.org/TR/css-color-4/",
            "name": "color",
            "termCode": "orange"
          }
        }
      },
      "claimInterpreter": {
        "@type": "Project",
        "slogan": "Surfaced with AI",
        "url": "https://example.com/ai"
      },
      "position": "1"
    }
  ],
  "isBasedOn": {
    "@type": "SoftwareSourceCode",
    "programmingLanguage": "sparql",
    "text": "SELECT ?x\\nWHERE {}"
  },
  "keywords": [
    "AIGeneratedContent"
  ],
  "potentialAction": [
    {
      "@id": "urn:answer:a1#like",
      "@type": "LikeAction",
      "actionStatus": "PotentialActionStatus"
    },
    {
      "@id": "urn:answer:a1#dislike",
      "@type": "DislikeAction",
      "actionStatus": "PotentialActionStatus"
    }
  ],
  "type": "https://schema.org/Message",
  "usageInfo": {
    "@id": "_:s1"
  }
}"""


def test_every_property_in_the_order_of_the_documentation() -> None:
    assert json.dumps(to_json(FULL), indent=2) == FULL_JSON


def test_the_least_message() -> None:
    assert json.dumps(to_json(Message())) == (
        '{"@context": "https://schema.org", "@id": "", "@type": "Message", "type": "https://schema.org/Message"}'
    )


words = st.text(min_size=1, max_size=5)
maybe = st.none() | words
labels = st.builds(
    CreativeWork,
    id=maybe,
    description=maybe,
    keywords=st.lists(words, max_size=2).map(tuple),
    name=words,
    pattern=st.none() | st.builds(DefinedTermSet, term_code=words),
)
usage = st.none() | labels | st.builds(BlankNode, words)
documents = st.builds(
    DigitalDocument,
    abstract=maybe,
    date_modified=maybe,
    editor=maybe,
    encoding_format=maybe,
    name=maybe,
    text=maybe,
    url=maybe,
    usage_info=usage,
)
claims = st.builds(
    Claim,
    id=words,
    appearance=documents,
    claim_interpreter=st.none() | st.builds(Project, slogan=maybe, url=maybe),
    position=st.integers(1, 20).map(str) | st.integers(1, 20),
)
messages = st.builds(
    Message,
    citation=st.lists(claims, max_size=3).map(tuple),
    is_based_on=st.none() | st.builds(SoftwareSourceCode, programming_language=maybe, text=words),
    keywords=st.lists(words, max_size=2).map(tuple),
    potential_action=st.lists(
        st.builds(LikeAction, id=maybe) | st.builds(DislikeAction, id=maybe), max_size=2
    ).map(tuple),
    usage_info=usage,
)


@given(messages)
def test_nothing_absent_is_written(message: Message) -> None:
    assert not absent({key: value for key, value in to_json(message).items() if key != "@id"})
