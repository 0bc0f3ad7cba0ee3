"""Any LlamaIndex query engine, retriever or workflow as an answer source."""
