"""JSON-LD expansion: what is lost, and that nothing is ever fetched."""

from __future__ import annotations

import socket
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.graph.schema_org import to_json
from citations.inspection.json_ld import ExpansionError, expand, lost_terms
from citations.inspection.terms import is_plain
from tests.depth import examples
from tests.schema_org_messages import FULL

ROOT: dict[str, Any] = {
    "@context": "https://schema.org",
    "@id": "",
    "@type": "Message",
    "type": "https://schema.org/Message",
}


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a JSON-LD document made somebody look up a host")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


def test_a_message_expands_to_both_of_its_types() -> None:
    (node,) = expand(ROOT | {"citation": {"@type": "Claim", "position": "1"}})
    # `type` is an alias of `@type` in Schema.org's context.
    assert node["@type"] == ["http://schema.org/Message", "https://schema.org/Message"]
    assert node["http://schema.org/citation"] == [
        {"@type": ["http://schema.org/Claim"], "http://schema.org/position": [{"@value": "1"}]}
    ]


def test_nothing_of_ours_is_lost() -> None:
    assert lost_terms(to_json(FULL), "$") == ()


NESTED = {"@type": "Claim", "appearance": {"@type": "DigitalDocument", "Url": "x"}}
LOST: list[tuple[dict[str, Any], list[str]]] = [
    ({"inLanguage": "en", "potentialAction": [{"@type": "LikeAction", "actionStatus": "x"}]}, []),
    ({"keywords": ["a", ["b"], None]}, []),
    ({"urn:mine:thing": 1, "https://schema.org/name": "x"}, []),
    ({"citaton": []}, ["$.citaton"]),
    ({"citation": [{"@type": "Claim"}, {"@type": "Clam"}]}, ["$.citation[1].@type"]),
    ({"citation": [{"@type": "Claim", "nam e": 1}]}, ['$.citation[0]["nam e"]']),
    ({"citation": NESTED}, ["$.citation.appearance.Url"]),
    # Schema.org has these, and no client of ours reads them.
    ({"isBasedOn": {"@type": "ScholarlyArticle", "issn": "1", "urlTemplate": "x"}}, []),
    ({"potentialAction": {"@type": "SearchAction", "query-input": "required name=q"}}, []),
    ({"issm": "1", "query-imput": "x"}, ["$.issm", "$.query-imput"]),
    ({"name": {"@value": None}}, ["$.name"]),
]


@pytest.mark.parametrize(("properties", "expected"), LOST)
def test_lost_terms(properties: dict[str, Any], expected: list[str]) -> None:
    assert [term.path for term in lost_terms(ROOT | properties, "$")] == expected


_scalars = st.sampled_from(("x", "", "@none", "_:a", 1, 1.5, True, None, "https://example.com/ü"))
_values = st.recursive(
    _scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                ("@id", "@type", "type", "@value", "name", "url", "usageInfo", "Url", "citation")
            ),
            st.one_of(st.sampled_from(("Claim", "Clam")), inner),
            max_size=4,
        ),
    ),
    max_leaves=8,
)


@examples(300)
@given(st.dictionaries(st.sampled_from(("citation", "url", "keywords", "usageInfo", "type")), _values))
def test_a_plain_node_loses_nothing(properties: dict[str, Any]) -> None:
    if is_plain(ROOT | properties):
        assert lost_terms(ROOT | properties, "$") == ()


def test_what_we_write_is_plain() -> None:
    assert is_plain(to_json(FULL))


def test_the_names_of_schema_org_are_read_where_a_graph_is_checked_only() -> None:
    code = "import sys; from citations import *; print([name for name in ('citations.graph.vocabulary', 'pyld') if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "[]\n"


REFUSED: list[dict[str, Any]] = [
    {"@context": "http://169.254.169.254/latest/meta-data"},
    {"@context": ["https://schema.org", "https://evil.example/context"]},
    {"@context": {"@import": "https://evil.example/context"}},
    {"@context": "file:///etc/passwd"},
    {"citation": {"@context": "https://evil.example/context", "@type": "Claim"}},
    {"@type": 3},
    {"citation": {"@id": 3}},
    {"id": "x"},
]


@pytest.mark.parametrize("properties", REFUSED)
def test_what_is_refused_has_a_reason_of_one_line(properties: dict[str, Any]) -> None:
    with pytest.raises(ExpansionError) as caught:
        expand(ROOT | properties)
    assert str(caught.value)
    assert "\n" not in str(caught.value)
