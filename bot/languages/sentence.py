"""The keys of the sentences that people read."""

from __future__ import annotations

from enum import StrEnum, auto


class Sentence(StrEnum):
    """One key for each sentence; ``bot/languages/en.toml`` has its text, and says where it stands.

    An answer that ends too early has two keys. One is the whole message if no part of the answer was
    shown. The other ends in ``SUFFIX``, and is the line below the part that was shown. The sentences of
    the two pages, and of skipped files, are keys in that file only (``page_``, ``view_``, ``skipped_``).
    """

    FILES_NOT_READ = auto()
    NO_QUESTION = auto()
    OTHER_TENANT = auto()
    QUESTION_TOO_LONG = auto()

    GREETING = auto()
    GREETING_WITH_COUNT = auto()
    GREETING_NUMBER = auto()
    GREETING_MENTION = auto()
    SAMPLE_DOCUMENTS = auto()

    APP_SUMMARY = auto()
    APP_DESCRIPTION = auto()
    APP_DISCLAIMER = auto()

    SEARCHING = auto()
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

    LATE = auto()
    LOST = auto()
    UNSURE = auto()

    ALSO_FOUND = auto()
    THAT_WAS_ALL = auto()
    NO_SUCH_SOURCE = auto()
    NO_OTHER_SOURCE = auto()
    EITHER = auto()

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
    ANSWER_EMPTY = auto()
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

    ACCESS_REFUSED = auto()
    ACCESS_REFUSED_SUFFIX = auto()
    NOT_FOR_ASKER = auto()
    ACCESS_UNDECIDED = auto()
    ACCESS_UNDECIDED_SUFFIX = auto()

    NOT_IN_SOURCE = auto()
    SOURCE_SAYS = auto()
    IN_OTHER_SOURCE = auto()
    IN_NO_SOURCE = auto()
    SOURCE_DOUBTFUL = auto()
    SUPPORT_DOUBTFUL = auto()

    UNDERSTOOD_AS = auto()
    NOT_SURE = auto()
    NEAREST = auto()
    WORD_REPLACED = auto()
    NO_SUCH_SECTION = auto()
    STILL_READING = auto()
    BY_WORDS = auto()
    NOTHING_FOUND = auto()
    IN_NO_DOCUMENT = auto()
    NEAREST_TITLES = auto()
    ALSO_TITLES = auto()
    SAY_MORE = auto()
    IN_QUOTES = auto()
    PERHAPS_YOU_MEAN = auto()
    YOU_CAN_ASK = auto()
    SMALLTALK = auto()
    NOT_QUOTABLE = auto()
    MORE_NOT_QUOTABLE = auto()
    QUOTED = auto()
    WRITTEN_BY = auto()
    MODEL_KEY_REFUSED = auto()
    MODEL_UNKNOWN = auto()
    MODEL_NOT_THERE = auto()
    MODEL_UNREACHABLE = auto()
    MODEL_SLOW = auto()
    MODEL_FAILED = auto()
    MODEL_FAILED_SO_QUOTED = auto()
    MODEL_CITED_UNKNOWN = auto()
    MODEL_CITED_NOTHING = auto()
    STEPS = auto()
    THE_ENGINE = auto()
    NO_SUCH_DOCUMENT = auto()
    DOCUMENT_WITHHELD = auto()

    NOT_COPIED = auto()

    VIEW_LABEL = auto()
    VIEW_CITED = auto()
    VIEW_PASSAGE = auto()
    VIEW_PAGE_OF = auto()
    VIEW_FAILED = auto()

    PAGE_DOCUMENTS = auto()

    PAGE_PASSAGES = auto()
    PAGE_SOURCE_CODE = auto()
