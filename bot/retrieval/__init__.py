"""This package indexes and searches a folder of documents, and uses nothing else of the bot.

Its rooms, of which each uses those behind it: ``answer`` finds and quotes passages for a question, which
``question`` reads. ``index`` follows a folder: ``reading`` has child processes read its files by ``files``.
``meaning`` compares by vectors, and ``words`` by stems. ``passages`` has what is read of documents.
"""
