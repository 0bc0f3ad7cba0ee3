"""Answers of providers, written after their documented shapes: what is sent, and what is cited.

Each row of :data:`WRITTEN` has the provider, a response or a list of the events of a stream, and the text with the ids of the
sources behind the words that rest on them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

PAGE = "https://e.com/a"
SWISS = "Zürich 😀 ist groß. Bern ist die Hauptstadt. Bern ist die Hauptstadt."
"""Its second sentence stands there twice. Before it are 19 code points, 20 UTF-16 units and 24 bytes."""
BERN = "Bern ist die Hauptstadt."


def output_text(text: str, *annotations: dict[str, Any]) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": list(annotations)}]
    return {
        "object": "response",
        "status": "completed",
        "output": [{"type": "message", "role": "assistant", "content": content}],
    }


def url_citation(start: int | None, end: int | None, url: str = PAGE) -> dict[str, Any]:
    return {"type": "url_citation", "start_index": start, "end_index": end, "title": "A", "url": url}


def added(annotation: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "response.output_text.annotation.added",
        "output_index": 0,
        "content_index": 0,
        "annotation": annotation,
    }


def delta(text: str) -> dict[str, Any]:
    return {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": text}


def ended(response: dict[str, Any]) -> dict[str, Any]:
    return {"type": "response.completed", "response": response}


def choice(content: Any, **more: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"content": content} | more, "finish_reason": "stop"}]}


def agent(value: str, *annotations: dict[str, Any]) -> dict[str, Any]:
    text = {"value": value, "annotations": list(annotations)}
    return {"object": "thread.message", "role": "assistant", "content": [{"type": "text", "text": text}]}


def claude(*blocks: Any) -> dict[str, Any]:
    made = [{"type": "text", "text": one} if isinstance(one, str) else one for one in blocks]
    return {"type": "message", "role": "assistant", "content": made, "stop_reason": "end_turn"}


def block(text: str, *citations: dict[str, Any]) -> dict[str, Any]:
    return {"type": "text", "text": text, "citations": list(citations)}


def char_location(start: int, document: int = 0) -> dict[str, Any]:
    return {
        "type": "char_location", "cited_text": f"Passage {start}.", "document_index": document, "document_title": "a.txt",
        "start_char_index": start, "end_char_index": start + 10, "file_id": None,
    }  # fmt: skip


PAGES = {
    "type": "page_location", "cited_text": "On two pages.", "document_index": 1, "document_title": "b.pdf",
    "start_page_number": 3, "end_page_number": 5,
}  # fmt: skip
SEARCHED = {
    "type": "search_result_location", "cited_text": "Found.", "search_result_index": 0, "source": PAGE, "title": "A",
    "start_block_index": 0, "end_block_index": 1,
}  # fmt: skip


def claude_event(kind: str, index: int = 0, **more: Any) -> dict[str, Any]:
    return {"type": f"content_block_{kind}", "index": index} | more


def gemini(parts: list[Any], *supports: dict[str, Any], chunks: list[Any] | None = None) -> dict[str, Any]:
    made = [{"text": one} if isinstance(one, str) else one for one in parts]
    web = {"web": {"uri": PAGE, "title": "e.com"}}
    grounding = {"groundingChunks": [web] if chunks is None else chunks, "groundingSupports": list(supports)}
    candidate = {"content": {"parts": made}, "finishReason": "STOP", "groundingMetadata": grounding}
    return {"candidates": [candidate]}


def support(start: Any, end: Any, words: str | None = None, *chunks: int, **segment: Any) -> dict[str, Any]:
    found = {"startIndex": start, "endIndex": end, "text": words} | segment
    return {
        "segment": {key: value for key, value in found.items() if value is not None},
        "groundingChunkIndices": list(chunks) or [0],
    }


def knowledge_base(text: str, words: str | None, start: Any, end: Any, *uris: str) -> dict[str, Any]:
    references = [
        {"content": {"text": "Passage."}, "location": {"type": "S3", "s3Location": {"uri": uri}}}
        for uri in uris
    ]
    part = {"textResponsePart": {"text": words, "span": {"start": start, "end": end}}}
    return {
        "output": {"text": text},
        "citations": [{"generatedResponsePart": part, "retrievedReferences": references}],
    }


def cohere(text: str, *citations: dict[str, Any]) -> dict[str, Any]:
    return {
        "message": {
            "role": "assistant",
            "content": [{"type": "text", "text": text}],
            "citations": list(citations),
        },
        "finish_reason": "COMPLETE",
    }


def cohere_citation(words: str, start: Any, end: Any, *names: str, **more: Any) -> dict[str, Any]:
    sources = [
        {"type": "document", "id": one, "document": {"id": one, "title": f"{one}.txt", "text": "P."}}
        for one in names
    ]
    return {"start": start, "end": end, "text": words, "sources": sources, "type": "TEXT_CONTENT"} | more


LINK = "It is. ([e.com](https://e.com/a?utm_source=openai)) So [1]."
SECTIONS = "See [3:0†source]. And 【3:0†source】 too."

WRITTEN: list[tuple[str, str, Any, str]] = [
    # what it shows, provider, what is sent, what is cited where
    ("openai: a link is itself the citation", "openai", output_text(LINK, url_citation(7, 51)), f"It is.⟦{PAGE}⟧ So [1]."),
    ("openai: its end counted inclusively", "openai", output_text(LINK, url_citation(7, 50)), f"It is.⟦{PAGE}⟧ So [1]."),
    ("openai: offsets that count UTF-16", "openai", output_text("😀 " + LINK, url_citation(10, 54)), f"😀 It is.⟦{PAGE}⟧ So [1]."),
    ("openai: offsets that count bytes", "openai", output_text("ü😀 " + LINK, url_citation(14, 58)), f"ü😀 It is.⟦{PAGE}⟧ So [1]."),
    ("openai: offsets beyond the text", "openai", output_text(LINK, url_citation(900, 990)), f"It is.⟦{PAGE}⟧ So [1]."),
    ("openai: the page without utm_source is the same source", "openai",
     output_text(LINK + " ([e.com](https://e.com/a))", url_citation(7, 51), url_citation(60, 86, "https://e.com/a?utm_source=openai")),
     f"It is.⟦{PAGE}⟧ So [1].⟦{PAGE}⟧"),
    ("openai: no annotations", "openai", output_text(LINK), LINK),
    ("openai: an item of a list keeps its mark", "openai", output_text("- [A](https://e.com/a) so", url_citation(2, 22)), f"- ⟦{PAGE}⟧ so"),
    ("openai: words that rest on a page", "openai", output_text("It is so. More.", url_citation(0, 9)), f"It is so.⟦{PAGE}⟧ More."),
    ("openai: xAI's marks are links, too", "openai", output_text("It is.[[1]](https://e.com/a) So.", url_citation(6, 28)), f"It is.⟦{PAGE}⟧ So."),
    ("openai: two files at one point, and the blank that a mark left", "openai",
     output_text("It is so .", {"type": "file_citation", "file_id": "f1", "filename": "a.pdf", "index": 9},
                 {"type": "file_citation", "file_id": "f2", "filename": "b.pdf", "index": 9}), "It is so⟦f1, f2⟧."),
    ("openai: a file that the model made is no source", "openai",
     output_text("See [it](sandbox:/mnt/data/a.csv).", {"type": "container_file_citation", "file_id": "c1", "container_id": "k", "start_index": 9, "end_index": 32}),
     "See [it](sandbox:/mnt/data/a.csv)."),
    ("openai: a kind of annotation that is new", "openai", output_text("It is.", {"type": "page_citation", "pages": [1]}), "It is."),
    ("openai: annotations that are null", "openai", {"output": [{"type": "message", "content": [{"type": "output_text", "text": "It is.", "annotations": None}]}]}, "It is."),
    ("openai: a refusal", "openai", {"output": [{"type": "message", "content": [{"type": "refusal", "refusal": "I can't."}]}]}, "I can't."),
    ("openai: annotations that come at the end only", "openai", [delta("It is. ([e.com]("), delta("https://e.com/a?utm_source=openai)) So [1]."), ended(output_text(LINK, url_citation(7, 51)))],
     f"It is.⟦{PAGE}⟧ So [1]."),
    ("openai: a stream that ends before its annotations", "openai", [delta("It is. "), delta("([e.com](https://e.com/a))")], "It is. ([e.com](https://e.com/a))"),
    ("openai: a stream that says another text at its end", "openai", [delta("It was."), ended(output_text(LINK, url_citation(7, 51)))], f"It is.⟦{PAGE}⟧ So [1]."),
    ("openai: an annotation before its words", "openai", [delta("It "), added(url_citation(7, 51)), delta("is. ([e.com](https://e.com/a?utm_source=openai)) So [1]."), ended(output_text(LINK))],
     f"It is.⟦{PAGE}⟧ So [1]."),
    ("openai: annotations of a chat", "openai", choice(LINK, annotations=[{"type": "url_citation", "url_citation": {"start_index": 7, "end_index": 51, "url": PAGE, "title": "A"}}]),
     f"It is.⟦{PAGE}⟧ So [1]."),
    ("openai: annotations of a chat behind a thought", "openai",
     choice("<think>Hm.</think>It is so. More.", annotations=[{"type": "url_citation", "url_citation": {"start_index": 18, "end_index": 27, "url": PAGE}}]),
     f"It is so.⟦{PAGE}⟧ More."),
    ("openai: annotations of a chat behind a thought without a beginning", "openai",
     [{"choices": [{"delta": {"content": one}}]} for one in ("Hm [A](https://e.com/a).", "</think>It is so.", " More.")]
     + [{"choices": [{"delta": {"annotations": [{"type": "url_citation", "url_citation": {"start_index": 32, "end_index": 41, "url": PAGE}}]}, "finish_reason": "stop"}]}],
     f"It is so.⟦{PAGE}⟧ More."),
    ("openai: a part behind a thought, and another behind a search", "openai", {"output": [
        *output_text("<think>[A](https://e.com/a)?</think>\n\nI look.")["output"], {"type": "web_search_call"},
        *output_text("<think>[A](https://e.com/a)?</think>\n\nIt is so. More.", url_citation(38, 47))["output"]]}, f"I look.\n\nIt is so.⟦{PAGE}⟧ More."),
    ("openai: thoughts between paragraphs", "openai",
     choice('It is.\n<details type="reasoning">\nHm.\n</details>\nIt is so. More.', annotations=[{"type": "url_citation", "url_citation": {"start_index": 49, "end_index": 58, "url": PAGE}}]),
     f"It is.\n\nIt is so.⟦{PAGE}⟧ More."),
    ("openai: a citation of a thought", "openai", output_text("<think>It is so.</think>It is.", url_citation(7, 16)), "It is."),
    ("openai: annotations without a place, whose links are in the text", "openai",
     choice("It is ([A](https://e.com/a)).", annotations=[{"type": "url_citation", "url_citation": {"start_index": 0, "end_index": 0, "url": PAGE}}]), f"It is⟦{PAGE}⟧."),
    ("openai: xAI's pages beside the choices", "openai", choice("It is ([A](https://e.com/a)). So.") | {"citations": [PAGE, "https://e.com/b"]}, f"It is⟦{PAGE}⟧. So."),
    ("openai: an agent's marks", "openai",
     agent(SECTIONS, {"type": "url_citation", "text": "【3:0†source】", "start_index": 22, "end_index": 34, "url_citation": {"url": PAGE, "title": "A"}}),
     f"See [3:0†source]. And⟦{PAGE}⟧ too."),
    ("openai: an agent's mark that the text doesn't have", "openai",
     agent("It is.", {"type": "file_citation", "text": "【4:1†a.pdf】", "start_index": 2, "end_index": 9, "file_citation": {"file_id": "f1"}}), "It is."),
    ("openai: a refusal of an agent", "openai", {"object": "thread.message", "role": "assistant", "content": [{"type": "refusal", "refusal": "I can't."}]}, "I can't."),
    ("openai: the events of an agent's run", "openai", [
        {"object": "thread.run", "status": "in_progress"},
        {"object": "thread.message.delta", "id": "m", "delta": {"content": [{"index": 0, "type": "text", "text": {"value": "It is "}}]}},
        {"object": "thread.message.delta", "id": "m", "delta": {"content": [{"index": 0, "type": "text", "text": {"value": "【4:1†a.pdf】", "annotations": [
            {"index": 0, "type": "file_citation", "text": "【4:1†a.pdf】", "start_index": 6, "end_index": 17, "file_citation": {"file_id": "f1", "quote": "Q."}}]}}]}},
        {"object": "thread.message.delta", "id": "m", "delta": {"content": [{"index": 0, "type": "text", "text": {"value": "."}}]}},
        {"object": "thread.run", "status": "completed"},
     ], "It is⟦f1⟧."),
    ("anthropic: two passages of a document are two sources", "anthropic", claude(block("It is so", char_location(0), char_location(40)), ". ", block("More", PAGES)),
     "It is so⟦1, 2⟧. More⟦3⟧"),
    ("anthropic: search results have addresses", "anthropic", claude("a [1] ", block("b", SEARCHED)), f"a [1] b⟦{PAGE}⟧"),
    ("anthropic: a kind of location that is new", "anthropic", claude(block("a", {"type": "cell_location", "cited_text": "C", "row": 3})), "a⟦1⟧"),
    ("anthropic: citations that are null, missing or empty", "anthropic", claude({"type": "text", "text": "a", "citations": None}, {"type": "text", "text": "b"}, block("c")), "abc"),
    ("anthropic: citations before their words, one by one", "anthropic", [
        {"type": "message_start", "message": {"content": []}}, claude_event("start", content_block={"type": "text", "text": "", "citations": []}),
        claude_event("delta", delta={"type": "citations_delta", "citation": char_location(0)}),
        claude_event("delta", delta={"type": "citations_delta", "citation": SEARCHED}),
        claude_event("delta", delta={"type": "text_delta", "text": "It is"}), claude_event("delta", delta={"type": "text_delta", "text": " so"}), claude_event("stop"),
        claude_event("start", 1, content_block={"type": "text", "text": ""}), claude_event("delta", 1, delta={"type": "text_delta", "text": "."}), claude_event("stop", 1),
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}, {"type": "message_stop"},
     ], f"It is so⟦1, {PAGE}⟧."),
    ("anthropic: a turn that was paused", "anthropic", [claude("One ") | {"stop_reason": "pause_turn"}, claude(block("two", SEARCHED))], f"One two⟦{PAGE}⟧"),
    ("anthropic: a tool stands between two sentences", "anthropic", claude("I search.", {"type": "server_tool_use", "id": "s", "name": "web_search"}, "Found."), "I search.\n\nFound."),
    ("anthropic: the events of the SDK's helper, which says each delta twice", "anthropic", [
        {"type": "message_start", "message": {"content": []}}, claude_event("start", content_block={"type": "text", "text": "", "citations": None}),
        claude_event("delta", delta={"type": "text_delta", "text": "It is"}), {"type": "text", "text": "It is", "snapshot": "It is"},
        claude_event("delta", delta={"type": "citations_delta", "citation": SEARCHED}), {"type": "citation", "citation": SEARCHED, "snapshot": [SEARCHED]},
        claude_event("stop", content_block=block("It is", SEARCHED)), {"type": "message_stop", "message": claude(block("It is", SEARCHED))},
     ], f"It is⟦{PAGE}⟧"),
    ("gemini: bytes", "gemini", gemini([SWISS], support(24, 48, BERN)), f"Zürich 😀 ist groß. {BERN}⟦{PAGE}⟧ {BERN}"),
    ("gemini: bytes of the second of two equal sentences", "gemini", gemini([SWISS], support(49, 73, BERN)), f"{SWISS}⟦{PAGE}⟧"),
    ("gemini: bytes and no words", "gemini", gemini([SWISS], support(24, 48)), f"Zürich 😀 ist groß. {BERN}⟦{PAGE}⟧ {BERN}"),
    ("gemini: bytes that are wrong", "gemini", gemini([SWISS], support(26, 50, BERN)), f"Zürich 😀 ist groß. {BERN}⟦{PAGE}⟧ {BERN}"),
    ("gemini: code points", "gemini", gemini([SWISS], support(19, 43, BERN)), f"Zürich 😀 ist groß. {BERN}⟦{PAGE}⟧ {BERN}"),
    ("gemini: offsets beyond the text", "gemini", gemini([SWISS], support(900, 924, BERN)), f"{SWISS}⟦{PAGE}⟧"),
    ("gemini: words that the text doesn't have", "gemini", gemini([SWISS], support(0, 4, "Genf")), SWISS),
    ("gemini: an end before the start", "gemini", gemini(["a b"], support(3, 1)), "a b"),
    ("gemini: the second part", "gemini", gemini(["One. ", {"text": "Hm.", "thought": True}, "Two. Two."], support(0, 4, "Two.", partIndex=2)), f"One. Two.⟦{PAGE}⟧ Two."),
    ("gemini: a chunk that is not in the list", "gemini", gemini(["It is."], support(0, 6, "It is.", 3)), "It is."),
    ("gemini: an empty list of chunks", "gemini", gemini(["It is."], support(0, 6, "It is."), chunks=[]), "It is."),
    ("gemini: a kind of chunk that is new", "gemini", gemini(["It is."], support(0, 6, "It is."), chunks=[{"video": {"uri": "gs://b/clip.mp4"}}]), "It is.⟦gs://b/clip.mp4⟧"),
    ("gemini: nested words", "gemini", gemini(["Bern is big."], support(0, 4, "Bern"), support(0, 12, "Bern is big.")), f"Bern⟦{PAGE}⟧ is big.⟦{PAGE}⟧"),
    ("gemini: a stream whose offsets count from the start", "gemini", [
        {"candidates": [{"content": {"parts": [{"text": "Zürich ist groß. "}]}}]},
        {"candidates": [{"content": {"parts": [{"text": BERN}]}, "finishReason": "STOP", "groundingMetadata": {
            "groundingChunks": [{"web": {"uri": PAGE}}], "groundingSupports": [support(19, 43, BERN)]}}]},
     ], f"Zürich ist groß. {BERN}⟦{PAGE}⟧"),
    ("gemini: the Python SDK's names", "gemini", {"candidates": [{"content": {"parts": [{"text": "It is."}]}, "finish_reason": "STOP", "grounding_metadata": {
        "grounding_chunks": [{"web": {"uri": PAGE, "title": None}, "retrieved_context": None}],
        "grounding_supports": [{"segment": {"start_index": None, "end_index": 6, "text": "It is.", "part_index": None}, "grounding_chunk_indices": [0]}]}}]}, f"It is.⟦{PAGE}⟧"),
    ("gemini: the events of an interaction", "gemini", [
        {"event_type": "interaction.start", "interaction": {"status": "in_progress"}},
        {"event_type": "content.delta", "index": 0, "delta": {"type": "text", "text": "Zürich ist groß. "}},
        {"event_type": "content.delta", "index": 0, "delta": {"annotations": [{"type": "url_citation", "start_index": 0, "end_index": 18, "url": PAGE}]}},
        {"event_type": "content.delta", "index": 0, "delta": {"type": "text", "text": BERN}},
        {"event_type": "interaction.complete", "interaction": {"status": "completed"}},
     ], f"Zürich ist groß.⟦{PAGE}⟧ {BERN}"),
    ("gemini: Vertex AI Search", "gemini", {"answer": {"state": "SUCCEEDED", "answerText": f"Zürich ist groß. {BERN}",
        "citations": [{"endIndex": "18", "sources": [{"referenceId": "1"}]}, {"startIndex": "19", "endIndex": "43", "sources": [{}]}],
        "references": [{"chunkInfo": {"content": "P.", "documentMetadata": {"uri": "gs://b/f.pdf", "title": "f", "pageIdentifier": "3"}}},
                       {"unstructuredDocumentInfo": {"uri": PAGE, "title": "A", "chunkContents": [{"content": "Q.", "pageIdentifier": "4"}]}}]}},
     f"Zürich ist groß.⟦{PAGE}⟧ {BERN}⟦gs://b/f.pdf⟧"),
    ("gemini: a check of grounding", "gemini", {"supportScore": 0.9, "citedChunks": [{"chunkText": "P.", "source": "7"}],
        "claims": [{"endPos": 18, "claimText": "Zürich ist groß.", "citationIndices": [0]}, {"startPos": 19, "endPos": 43, "claimText": BERN, "citationIndices": []}]},
     f"Zürich ist groß.⟦7⟧ {BERN}"),
    ("gemini: a summary of search results", "gemini", {"results": [], "summary": {"summaryText": "It is so [1].", "summaryWithMetadata": {"summary": "It is so.",
        "citationMetadata": {"citations": [{"endIndex": "9", "sources": [{"referenceIndex": "0"}]}]},
        "references": [{"title": "A", "document": "projects/1/d", "uri": PAGE, "chunkContents": [{"content": "P."}]}]}}}, f"It is so.⟦{PAGE}⟧"),
    ("bedrock: an inclusive end", "bedrock", knowledge_base("Dallas is big. So.", None, 0, 13, "s3://b/dallas.pdf"), "Dallas is big.⟦s3://b/dallas.pdf⟧ So."),
    ("bedrock: an exclusive end", "bedrock", knowledge_base("Dallas is big. So.", "Dallas is big.", 0, 14, "s3://b/dallas.pdf"), "Dallas is big.⟦s3://b/dallas.pdf⟧ So."),
    ("bedrock: words that begin with a line break", "bedrock", knowledge_base("Dallas is big.\n\nSo it is.", "\n\nSo it is.", 14, 24, "s3://b/a", "s3://b/b"), "Dallas is big.\n\nSo it is.⟦s3://b/a, s3://b/b⟧"),
    ("bedrock: text that rests on nothing", "bedrock", knowledge_base("Dallas is big.", "Dallas is big.", 0, 13), "Dallas is big."),
    ("bedrock: its stream", "bedrock", [
        {"output": {"text": "Dallas "}}, {"output": {"text": "is big."}},
        {"citation": {"citation": knowledge_base("", "Dallas is big.", 0, 13, "s3://b/a")["citations"][0]}}, {"output": {"text": " So."}}, {"guardrail": {"action": "NONE"}},
     ], "Dallas is big.⟦s3://b/a⟧ So."),
    ("bedrock: what boto3 returns of a stream", "bedrock", {"sessionId": "s", "stream": [
        {"output": {"text": "Dallas is big."}}, {"citation": knowledge_base("", "Dallas is big.", 0, 13, "s3://b/a")["citations"][0]}]}, "Dallas is big.⟦s3://b/a⟧"),
    ("bedrock: an agent", "bedrock", [
        {"trace": {}}, {"chunk": {"bytes": "RGFsbGFzIGlzIGJpZy4=", "attribution": {"citations": knowledge_base("", "Dallas is big.", 0, 13, "s3://b/a")["citations"]}}},
     ], "Dallas is big.⟦s3://b/a⟧"),
    ("bedrock: a conversation", "bedrock", {"output": {"message": {"role": "assistant", "content": [{"text": "I know. "}, {"citationsContent": {
        "content": [{"text": "It is."}], "citations": [{"title": "b.pdf", "sourceContent": [{"text": "P."}], "location": {"documentPage": {"documentIndex": 0, "start": 3, "end": 5}}}]}}]}}, "stopReason": "end_turn"},
     "I know. It is.⟦1⟧"),
    ("bedrock: a conversation whose citations follow their text", "bedrock", {"output": {"message": {"content": [{"text": "It is."}, {"citationsContent": {
        "citations": [{"location": {"web": {"url": PAGE, "domain": "e.com"}}}]}}]}}, "stopReason": "end_turn"}, f"It is.⟦{PAGE}⟧"),
    ("bedrock: the stream of a conversation", "bedrock", [
        {"messageStart": {"role": "assistant"}},
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"citation": {"title": "A", "location": {"web": {"url": PAGE}}}}}},
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "It is"}}}, {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": " so"}}},
        {"contentBlockStop": {"contentBlockIndex": 0}}, {"contentBlockDelta": {"contentBlockIndex": 1, "delta": {"text": "."}}}, {"messageStop": {"stopReason": "end_turn"}},
     ], f"It is so⟦{PAGE}⟧."),
    ("openai: numbers of Perplexity's models through OpenRouter, an annotation a chunk", "openai", [
        {"provider": "Perplexity", "choices": [{"delta": {"content": "", "annotations": [url_citation(0, 0, PAGE)]}}]},
        {"provider": "Perplexity", "choices": [{"delta": {"content": "It is [1]. ", "annotations": [url_citation(0, 0, "https://e.com/b")]}}]},
        {"provider": "Perplexity", "choices": [{"delta": {"content": "So [2]."}}]},
        {"provider": "Perplexity", "choices": [{"delta": {"content": ""}, "finish_reason": "stop"}]},
     ], "It is ⟦1⟧. So ⟦2⟧."),
    ("cohere: words with their documents", "cohere", cohere("It is so. [1]", cohere_citation("It is so.", 0, 9, "d1", "d2")), "It is so.⟦d1, d2⟧ [1]"),
    ("cohere: UTF-16", "cohere", cohere("😀 so so", cohere_citation("so", 6, 8, "d1")), "😀 so so⟦d1⟧"),
    ("cohere: a citation of a thought", "cohere", cohere("It is so.", cohere_citation("It is", 0, 5, "d1", type="THINKING_CONTENT")), "It is so."),
    ("cohere: FAST", "cohere", [
        {"type": "message-start"}, {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "It is"}}}}, {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": " so."}}}},
        {"type": "citation-start", "index": 0, "delta": {"message": {"citations": cohere_citation("It is so.", 0, 9, "d1")}}}, {"type": "citation-end", "index": 0},
        {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": " More."}}}}, {"type": "message-end", "delta": {"finish_reason": "COMPLETE"}},
     ], "It is so.⟦d1⟧ More."),
    ("cohere: a tool's output", "cohere", cohere("It is so.", cohere_citation("It is so.", 0, 9) | {"sources": [{"type": "tool", "id": "t:0", "tool_output": {"title": "A", "url": PAGE, "n": 3}}]}), "It is so.⟦t:0⟧"),
    ("mistral: a reference stands behind its text", "mistral", choice([{"type": "text", "text": "It is so"}, {"type": "reference", "reference_ids": [0, "a"]}, {"type": "text", "text": ". [1]"}]), "It is so⟦0, a⟧. [1]"),
    ("mistral: behind a thought", "mistral", choice([{"type": "text", "text": "[THINK]Hm.[/THINK]It is so"}, {"type": "reference", "reference_ids": [0]}, {"type": "text", "text": "."}]), "It is so⟦0⟧."),
    ("cohere: behind a thought", "cohere", cohere("<think>It is so?</think>It is so.", cohere_citation("It is so.", 24, 33, "d1")), "It is so.⟦d1⟧"),
    ("ai-sdk: each step behind a thought", "ai-sdk", [
        {"type": "text-delta", "id": "1", "delta": "<think>Hm"}, {"type": "text-delta", "id": "1", "delta": ".</think>I look."},
        {"type": "text-delta", "id": "2", "delta": "<think>Hm.</think>\n\nIt is so."}, {"type": "finish"}], "I look.\n\nIt is so."),
    ("mistral: the tool of an agent", "mistral", {"outputs": [{"type": "tool.execution"}, {"type": "message.output", "content": [
        {"type": "text", "text": "It is. "}, {"type": "tool_reference", "tool": "web_search", "title": "A", "url": PAGE}]}]}, f"It is.⟦{PAGE}⟧"),
    ("mistral: a stream of texts and chunks", "mistral", [
        {"choices": [{"delta": {"content": "It is "}}]}, {"choices": [{"delta": {"content": [{"type": "text", "text": "so "}]}}]},
        {"choices": [{"delta": {"content": [{"type": "reference", "reference_ids": [7]}]}}]}, {"choices": [{"delta": {"content": "More."}, "finish_reason": "stop"}]},
     ], "It is so⟦7⟧ More."),
    ("langchain: a standard citation with offsets", "langchain", {"type": "ai", "content_blocks": [{"type": "text", "text": LINK, "annotations": [
        {"type": "citation", "url": PAGE, "title": "A", "start_index": 7, "end_index": 51}]}]}, f"It is.⟦{PAGE}⟧ So [1]."),
    ("langchain: chunks behind a thought without a beginning", "langchain",
     [{"type": "AIMessageChunk", "content": one} for one in ("Hm.", "</thi", "nk>", "\n\nIt is so.")], "It is so."),
    ("langchain: a refusal of Chat Completions", "langchain", {"type": "ai", "content": "", "additional_kwargs": {"refusal": "I can't."}}, "I can't."),
    ("langchain: a refusal of Responses", "langchain", {"type": "ai", "response_metadata": {"id": "r"}, "content": [{"type": "refusal", "refusal": "I can't."}]}, "I can't."),
    ("langchain: a refusal in standard blocks", "langchain", [{"type": "non_standard", "value": {"type": "refusal", "refusal": "I can't."}}], "I can't."),
    ("langchain: Gemini's bytes", "langchain", [{"type": "text", "text": SWISS, "annotations": [
        {"type": "citation", "url": PAGE, "start_index": 24, "end_index": 48, "cited_text": BERN, "extras": {"google_ai_metadata": {}}}]}], f"Zürich 😀 ist groß. {BERN}⟦{PAGE}⟧ {BERN}"),
    ("langchain: an annotation that is not standard", "langchain", [{"type": "text", "text": "It is", "annotations": [
        {"type": "non_standard_annotation", "value": SEARCHED}]}, {"type": "text", "text": "."}], f"It is⟦{PAGE}⟧."),
    ("langchain: the events of a run", "langchain", [
        {"event": "on_chat_model_start", "data": {"input": {"messages": [[{"type": "human", "content": "What?"}]]}}},
        {"event": "on_chat_model_stream", "data": {"chunk": {"type": "AIMessageChunk", "content": [{"type": "text", "text": "It is", "citations": [SEARCHED], "index": 0}]}}},
        {"event": "on_chat_model_stream", "data": {"chunk": {"type": "AIMessageChunk", "content": [{"type": "text", "text": ".", "index": 1}]}}},
        {"event": "on_chat_model_end", "data": {"output": {"type": "ai", "content": [{"type": "text", "text": "It is", "citations": [SEARCHED]}, {"type": "text", "text": "."}]}}},
     ], f"It is⟦{PAGE}⟧."),
    ("langchain: chunks of a stream", "langchain", [
        {"type": "AIMessageChunk", "content": [{"type": "text", "text": "", "citations": [SEARCHED], "index": 0}]}, {"type": "AIMessageChunk", "content": [{"type": "text", "text": "It is", "index": 0}]},
        {"type": "AIMessageChunk", "content": [{"type": "text", "text": ".", "index": 1}]},
     ], f"It is⟦{PAGE}⟧."),
]  # fmt: skip

CITING: Final[Mapping[str, Callable[[str], Any]]] = {
    "answer": lambda url: {"text": "It is [1].", "references": [{"id": "1", "url": url}]},
    "writer": lambda url: {
        "answer": f"It is [A]({url}).",
        "references": {"web": [{"url": url, "title": "A"}]},
    },
    "llamaindex": lambda url: {
        "response": "It is [1].",
        "source_nodes": [{"node": {"text": "P.", "metadata": {"url": url}}}],
    },
    "open-webui": lambda url: (
        choice("It is [1].")
        | {
            "sources": [
                {
                    "source": {"name": "s"},
                    "document": ["P."],
                    "metadata": [{"source": "f", "source_url": url}],
                }
            ]
        }
    ),
    "perplexity": lambda url: (
        choice("It is [1].") | {"citations": [url], "search_results": [{"url": url, "title": "A"}]}
    ),
    "openai": lambda url: choice(
        "It is.",
        annotations=[
            {
                "type": "url_citation",
                "url_citation": {"start_index": 0, "end_index": 5, "url": url, "title": "A"},
            }
        ],
    ),
    "anthropic": lambda url: claude(
        block("It is.", {"type": "web_search_result_location", "url": url, "title": "A", "cited_text": "P."})
    ),
    "gemini": lambda url: gemini(
        ["It is."], support(0, 6, "It is."), chunks=[{"web": {"uri": url, "title": "A"}}]
    ),
    "bedrock": lambda url: knowledge_base("It is.", "It is.", 0, 5, url),
    "cohere": lambda url: cohere(
        "It is.",
        {
            "start": 0,
            "end": 6,
            "text": "It is.",
            "type": "TEXT_CONTENT",
            "sources": [{"type": "document", "id": "d", "document": {"id": "d", "title": "A", "url": url}}],
        },
    ),
    "mistral": lambda url: choice(
        [
            {"type": "text", "text": "It is."},
            {"type": "tool_reference", "tool": "web_search", "title": "A", "url": url},
        ]
    ),
    "langchain": lambda url: {
        "type": "ai",
        "content": [
            {
                "type": "text",
                "text": "It is.",
                "annotations": [
                    {"type": "citation", "url": url, "title": "A", "start_index": 0, "end_index": 5}
                ],
            }
        ],
    },
    "azure-on-your-data": lambda url: choice(
        "It is [doc1].", context={"citations": [{"title": "A", "url": url, "content": "P."}]}
    ),
    "azure-search": lambda url: {
        "response": [{"content": [{"type": "text", "text": "It is [ref_id:0]."}]}],
        "references": [{"type": "web", "id": "0", "activitySource": 0, "title": "A", "url": url}],
    },
    "copilot-chat": lambda url: {
        "turnCount": 1,
        "messages": [
            {"text": "Is it?"},
            {
                "text": "It is[^1^].",
                "attributions": [
                    {"attributionType": "citation", "providerDisplayName": "A", "seeMoreWebUrl": url}
                ],
            },
        ],
    },
    "ragflow": lambda url: choice(
        "It is [ID:0].", reference={"chunks": {"0": {"document_name": "A", "url": url, "content": "P."}}}
    ),
    "ai-sdk": lambda url: {
        "id": "m",
        "role": "assistant",
        "parts": [
            {"type": "source-url", "sourceId": "s", "title": "A", "url": url},
            {"type": "text", "text": "It is [1]."},
        ],
    },
}
"""A response of each provider that cites the page at a URL."""

EMPTY_ITEMS: Final[Mapping[str, Callable[[int], Any]]] = {
    "answer": lambda n: {"text": "a", "references": [{"id": str(one)} for one in range(n)]},
    "writer": lambda n: {"answer": "a", "references": {"files": [{"fileId": "f"}] * n}},
    "llamaindex": lambda n: {"response": "a", "source_nodes": [{"node": {}}] * n},
    "open-webui": lambda n: choice("a") | {"sources": [{}] * n},
    "perplexity": lambda n: choice([{}] * n) | {"search_results": [{}] * n},
    "openai": lambda n: {"object": "response", "output": [{}] * n},
    "anthropic": lambda n: {"type": "message", "content": [{}] * n, "stop_reason": "end_turn"},
    "gemini": lambda n: {"candidates": [{"content": {"parts": [{}] * n}, "finishReason": "STOP"}]},
    "bedrock": lambda n: {"output": {"message": {"content": [{}] * n}}, "stopReason": "end_turn"},
    "cohere": lambda n: {"message": {"content": [{}] * n}, "finish_reason": "COMPLETE"},
    "mistral": lambda n: choice([{}] * n),
    "langchain": lambda n: {"type": "ai", "content": [{}] * n},
    "azure-on-your-data": lambda n: choice("a", context={"citations": [{}] * n}),
    "azure-search": lambda n: {"response": [{"content": [{}] * n}], "references": [{}] * (n // 4)},
    "copilot-chat": lambda n: {"turnCount": 1, "messages": [{}] * n},
    "ragflow": lambda n: choice("a", reference={"chunks": [{}] * n}),
    "ai-sdk": lambda n: {"id": "m", "role": "assistant", "parts": [{}] * n},
}
"""Responses of each provider with many items that have nothing in them."""
