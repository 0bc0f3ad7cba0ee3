"""The keys of the sentences that people read. A name in braces is a placeholder in a sentence."""

from __future__ import annotations

from enum import StrEnum, auto


class Sentence(StrEnum):
    """One key for each sentence; the English catalogue has its text.

    An answer that ends too early has two keys. One is the whole message if no part of the answer was
    shown. The other ends in ``SUFFIX``, and is the line below the part that was shown.
    """

    # The reply to a message that is no question.
    FILES_NOT_READ = auto()
    NO_QUESTION = auto()
    OTHER_TENANT = auto()
    QUESTION_TOO_LONG = auto()

    # A greeting: {title} is the name of the answer source, {count} the number of its documents.
    GREETING = auto()
    GREETING_WITH_COUNT = auto()
    SAMPLE_DOCUMENTS = auto()

    # An answer that is under way, or has ended.
    SEARCHING = auto()
    # {count} is the number of passages.
    READING = auto()
    WRITING = auto()
    STOPPED = auto()
    STOPPED_SUFFIX = auto()
    TOO_SLOW = auto()
    TOO_SLOW_SUFFIX = auto()
    CRASHED = auto()
    CRASHED_SUFFIX = auto()
    BUSY = auto()
    BUSY_SUFFIX = auto()
    CLOSING = auto()
    CLOSING_SUFFIX = auto()
    UNREADABLE = auto()
    UNREADABLE_SUFFIX = auto()
    MAYBE_LOST = auto()
    GOES_ON = auto()
    COMES_LATER = auto()
    THAT_WAS_THE_ANSWER = auto()

    # An answer that could not be delivered before.
    LATE = auto()
    LOST = auto()
    UNSURE = auto()

    # More of the last answer.
    ALSO_FOUND = auto()
    THAT_WAS_ALL = auto()
    NO_SUCH_SOURCE = auto()
    NO_OTHER_SOURCE = auto()
    EITHER = auto()

    # The answer source failed.
    SOURCE_FAILED = auto()
    SOURCE_FAILED_SUFFIX = auto()
    SOURCE_BUSY = auto()
    SOURCE_PAUSED = auto()
    SOURCE_BROKE_OFF = auto()
    SOURCE_BROKE_OFF_SUFFIX = auto()
    SOURCE_REFUSED = auto()
    SOURCE_REFUSED_SUFFIX = auto()
    ANSWER_FILTERED = auto()
    ANSWER_FILTERED_SUFFIX = auto()
    KEY_REFUSED = auto()
    NOT_FOUND_AT_SOURCE = auto()
    SOURCE_TIMED_OUT = auto()
    SOURCE_TIMED_OUT_SUFFIX = auto()
    ANSWER_TOO_LONG = auto()
    ANSWER_TOO_LONG_SUFFIX = auto()
    ANSWER_CUT = auto()
    ANSWER_CUT_SUFFIX = auto()
    ENGINE_FAILED = auto()
    MODEL_BROKE_OFF_SUFFIX = auto()
    MODEL_REFUSED_SUFFIX = auto()
    MODEL_SEARCHED_ELSEWHERE_SUFFIX = auto()

    # The access policy decided what a person may read, or failed.
    ACCESS_REFUSED = auto()
    ACCESS_REFUSED_SUFFIX = auto()
    NOT_FOR_ASKER = auto()
    ACCESS_UNDECIDED = auto()
    ACCESS_UNDECIDED_SUFFIX = auto()

    # The parts of an answer that are not from the documents.
    UNDERSTOOD_AS = auto()
    # {words} and {titles} are each IN_QUOTES: what was searched for, and some of the documents.
    NOT_SURE = auto()
    NEAREST = auto()
    WORD_REPLACED = auto()
    NO_SUCH_SECTION = auto()
    STILL_READING = auto()
    NOTHING_FOUND = auto()
    LOOKED_FOR = auto()
    LOOKED_IN = auto()
    AND_MORE = auto()
    IN_QUOTES = auto()
    PERHAPS_YOU_MEAN = auto()
    YOU_CAN_ASK = auto()
    SMALLTALK = auto()
    NOT_QUOTABLE = auto()
    MORE_NOT_QUOTABLE = auto()
    QUOTED = auto()
    WRITTEN_BY = auto()
    # {model} is the name of a language model; the person who runs the bot reads these.
    MODEL_KEY_REFUSED = auto()
    MODEL_UNKNOWN = auto()
    MODEL_NOT_THERE = auto()
    MODEL_UNREACHABLE = auto()
    MODEL_SLOW = auto()
    MODEL_FAILED = auto()
    MODEL_FAILED_SO_QUOTED = auto()
    MODEL_CITED_NOTHING = auto()
    STEPS = auto()
    THE_ENGINE = auto()
    NO_SUCH_DOCUMENT = auto()

    # A copy of a conversation, as Markdown.
    NOT_COPIED = auto()

    # The view of a document.
    VIEW_BACK = auto()
    VIEW_ORIGINAL = auto()
    VIEW_LABEL = auto()
    VIEW_CITED = auto()
    VIEW_PASSAGE = auto()
    VIEW_TO_MARK = auto()
    VIEW_PREVIOUS_PAGE = auto()
    VIEW_NEXT_PAGE = auto()
    VIEW_PAGE = auto()
    VIEW_PAGE_OF = auto()
    VIEW_SMALLER = auto()
    VIEW_LARGER = auto()
    VIEW_FAILED = auto()
    VIEW_NO_SCRIPT = auto()

    # The page with Web Chat.
    PAGE_TITLE = auto()
    PAGE_DOCUMENTS = auto()
    PAGE_PROMISE = auto()
    PAGE_CONVERSATION = auto()
    PAGE_NEW_CONVERSATION = auto()
    # {title} is that of a conversation.
    PAGE_CONVERSATIONS = auto()
    PAGE_RENAME = auto()
    PAGE_COPY = auto()
    PAGE_SAVE = auto()
    PAGE_DELETE = auto()
    PAGE_CANCEL = auto()
    PAGE_MORE = auto()
    PAGE_TITLE_OF = auto()
    PAGE_DELETE_WHICH = auto()
    PAGE_DELETED = auto()
    PAGE_COPY_ANSWER = auto()
    PAGE_SAVE_ANSWER = auto()
    PAGE_COPIED = auto()
    PAGE_NOT_COPIED = auto()
    PAGE_SAVED = auto()
    PAGE_NOT_SAVED = auto()
    PAGE_BEGIN_NEW = auto()
    PAGE_DARK = auto()
    PAGE_STOP = auto()
    PAGE_ASK = auto()
    PAGE_ENDED = auto()
    PAGE_UNREACHABLE = auto()
    PAGE_NO_WEB_CHAT = auto()
    PAGE_NO_SCRIPT = auto()
