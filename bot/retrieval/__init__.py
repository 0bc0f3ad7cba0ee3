"""This package indexes and searches a folder of documents, and uses nothing else of the bot.

``scan`` lists the files, and ``reading`` has child processes read them: by ``files`` into documents, and
by ``split`` into passages. ``index`` stores those in ``engine``; ``index_update`` has the steps.
``query``, ``rank`` and ``extract`` turn a question into quotes, ``composition`` into text and references.
``search`` does so within the ``part`` of the index that one person may see. ``labels`` and ``own_labels``
find the sensitivity labels of documents.
"""
