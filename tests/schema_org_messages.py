"""A message with every property that the graph has."""

from __future__ import annotations

from citations.graph.schema_org import (
    LABEL_TYPE,
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
)

FULL = Message(
    citation=(
        Claim(
            id="_:c1",
            appearance=DigitalDocument(
                abstract="An abstract...",
                date_modified="2024-03-01",
                editor="William Wong",
                encoding_format="text/markdown",
                name="A name",
                text="A text",
                url="https://example.com/1",
                usage_info=CreativeWork(
                    id="_:s1",
                    additional_type=LABEL_TYPE,
                    description="A description",
                    keywords=("EncryptedContent", "encrypted-content"),
                    name="Confidential",
                    pattern=DefinedTermSet(term_code="orange"),
                ),
            ),
            claim_interpreter=Project(slogan="Surfaced with AI", url="https://example.com/ai"),
            position="1",
        ),
    ),
    is_based_on=SoftwareSourceCode(programming_language="sparql", text="SELECT ?x\nWHERE {}"),
    keywords=("AIGeneratedContent",),
    potential_action=(LikeAction(id="urn:answer:a1#like"), DislikeAction(id="urn:answer:a1#dislike")),
    usage_info=BlankNode("_:s1"),
)


def absent(value: object) -> bool:
    """Whether ``null``, an empty string or an empty array stands anywhere in it."""
    if isinstance(value, dict):
        return any(absent(item) for item in value.values())
    return value in (None, "", []) or (isinstance(value, list) and any(map(absent, value)))
