"""A folder of documents, indexed and searched. It knows nothing of bots."""
