"""English: the fallback for all other languages, and for sentences that a catalogue lacks."""

from __future__ import annotations

from typing import Final

from citations import Wording

from .catalogue import Catalogue, Plural
from .sentence import Sentence

ENGLISH: Final = Catalogue(
    language="en",
    name="english",
    wording=Wording(),
    sentences={
        Sentence.FILES_NOT_READ: (
            "I can't read files that are sent here: I answer from the documents that I was started with. "
            "Please ask in words."
        ),
        Sentence.NO_QUESTION: "Please ask me something in words.",
        Sentence.OTHER_TENANT: "I only answer people of the organisation that runs me.",
        Sentence.QUESTION_TOO_LONG: "Please ask in fewer than {limit:,} characters.",
        Sentence.GREETING: "Hello! I answer from {title}. Every statement shows its source.",
        Sentence.GREETING_WITH_COUNT: Plural(
            "Hello! I answer from {title}. I have read {count} document, and every statement shows its "
            "source.",
            "Hello! I answer from {title}. I have read {count} documents, and every statement shows its "
            "source.",
        ),
        Sentence.GREETING_NUMBER: "Reply with a number for the passage.",
        Sentence.SAMPLE_DOCUMENTS: "Sample documents",
        Sentence.SEARCHING: "Searching {title} …",
        Sentence.READING: Plural("Reading {count} passage …", "Reading {count} passages …"),
        Sentence.WRITING: "Writing the answer …",
        Sentence.STOPPED: "I stopped before I had an answer.",
        Sentence.STOPPED_SUFFIX: "You stopped this answer here.",
        Sentence.TOO_SLOW: (
            "That took longer than I can wait. Please try again, or ask for something narrower."
        ),
        Sentence.TOO_SLOW_SUFFIX: "This answer is not complete: the rest took longer than I can wait.",
        Sentence.CRASHED: "Something went wrong while I was answering. Please try again.",
        Sentence.CRASHED_SUFFIX: (
            "This answer is not complete: something went wrong while I was writing it. Please try again."
        ),
        Sentence.BUSY: "I have too many questions to answer right now. Please ask again in a moment.",
        Sentence.BUSY_SUFFIX: ("This answer is not complete: I have too many questions to answer right now."),
        Sentence.CLOSING: "I am being restarted and could not answer. Please ask again in a moment.",
        Sentence.CLOSING_SUFFIX: (
            "This answer is not complete: I am being restarted. Please ask again in a moment."
        ),
        Sentence.UNREADABLE: (
            "I could not read what the answer source sent me. Please try again in a moment."
        ),
        Sentence.UNREADABLE_SUFFIX: (
            "This answer is not complete: I could not read what came next. Please try again."
        ),
        Sentence.MAYBE_LOST: (
            "I can't tell whether all of this reached you. If something is missing, please ask again."
        ),
        Sentence.GOES_ON: "The answer goes on in my next message.",
        Sentence.COMES_LATER: "This takes longer than usual. The answer comes in my next message.",
        Sentence.THAT_WAS_THE_ANSWER: "That was the whole answer.",
        Sentence.LATE: "Your last answer could not be delivered. Here it is:",
        Sentence.LOST: "Your last answer could not be delivered. Please ask again.",
        Sentence.UNSURE: (
            "I can't tell whether my last answer reached you. If it did not, please ask again."
        ),
        Sentence.ALSO_FOUND: "I found these as well, and did not need them for the answer:",
        Sentence.THAT_WAS_ALL: "That was all.",
        Sentence.NO_SUCH_SOURCE: (
            "My last answer has no source {number}. Reply {numbers} for the passage of that source."
        ),
        Sentence.NO_OTHER_SOURCE: (
            "My last answer has no source {number}. Reply {only} for the passage of its only one."
        ),
        Sentence.EITHER: "{first} or {last}",
        Sentence.SOURCE_FAILED: (
            "I could not reach the place that answers questions. Please try again in a moment."
        ),
        Sentence.SOURCE_FAILED_SUFFIX: (
            "This answer is not complete: the place that answers questions broke off."
        ),
        Sentence.SOURCE_BUSY: (
            "The place that answers questions has too much to do. Please try again in a moment."
        ),
        Sentence.SOURCE_PAUSED: (
            "The place that answers questions does not work at the moment. "
            "I will try it again in half a minute; please ask again then."
        ),
        Sentence.SOURCE_BROKE_OFF: "The place that answers questions broke off. Please try again.",
        Sentence.SOURCE_BROKE_OFF_SUFFIX: (
            "This answer is not complete: the place that answers questions broke off. Please try again."
        ),
        Sentence.SOURCE_REFUSED: (
            "The answer source did not accept this question. Please ask it in other words; "
            "if that does not help, whoever runs this bot has to look at it."
        ),
        Sentence.SOURCE_REFUSED_SUFFIX: ("This answer is not complete: the answer source refused to go on."),
        Sentence.ANSWER_FILTERED: "A content filter kept the answer back. Please ask in other words.",
        Sentence.ANSWER_FILTERED_SUFFIX: (
            "This answer is not complete: a content filter ended it here. Please ask in other words."
        ),
        Sentence.KEY_REFUSED: ("The answer source refused my key; whoever runs this bot has to look at it."),
        Sentence.NOT_FOUND_AT_SOURCE: (
            "The answer source does not have what I was set up to ask; "
            "whoever runs this bot has to look at it."
        ),
        Sentence.SOURCE_TIMED_OUT: (
            "The answer source took longer than I can wait. Please try again, or ask something narrower."
        ),
        Sentence.SOURCE_TIMED_OUT_SUFFIX: (
            "This answer is not complete: the answer source took longer than I can wait."
        ),
        Sentence.ANSWER_TOO_LONG: "The answer became too long. Please ask for something narrower.",
        Sentence.ANSWER_TOO_LONG_SUFFIX: (
            "This answer is not complete: it became too long. Please ask for something narrower."
        ),
        Sentence.ANSWER_CUT: (
            "The answer became longer than the model may write. Please ask for something narrower."
        ),
        Sentence.ANSWER_CUT_SUFFIX: (
            "This answer is not complete: it became longer than the model may write. "
            "Please ask for something narrower."
        ),
        Sentence.ENGINE_FAILED: "The place that answers questions failed. Please try again in a moment.",
        Sentence.MODEL_BROKE_OFF_SUFFIX: (
            "This answer is not complete: the model that writes it broke off. Please try again."
        ),
        Sentence.MODEL_REFUSED_SUFFIX: "This answer is not complete: the model refused to go on.",
        Sentence.MODEL_SEARCHED_ELSEWHERE_SUFFIX: (
            "The model that writes the answers searched elsewhere instead of in your documents, "
            "so I don't show what it wrote."
        ),
        Sentence.ACCESS_REFUSED: (
            "You may not have anything searched here. Whoever runs this bot can say why."
        ),
        Sentence.ACCESS_REFUSED_SUFFIX: (
            "This answer is not complete: you may not read the rest. Whoever runs this bot can say why."
        ),
        Sentence.NOT_FOR_ASKER: "You may not read what that says. Whoever runs this bot can say why.",
        Sentence.ACCESS_UNDECIDED: (
            "I could not find out what you may read, so I did not look. Please try again in a moment."
        ),
        Sentence.ACCESS_UNDECIDED_SUFFIX: (
            "This answer is not complete: I could not find out what you may read of the rest."
        ),
        Sentence.NOT_IN_SOURCE: "Not found in the source: {words}",
        Sentence.SOURCE_DOUBTFUL: "Perhaps from another source than {number}: {words}",
        Sentence.SUPPORT_DOUBTFUL: "Perhaps not supported by source {number}: {words}",
        Sentence.UNDERSTOOD_AS: "Understood as: {question}",
        Sentence.NOT_SURE: "I have no clear answer. These passages come nearest:",
        Sentence.NEAREST: "No clear answer: the nearest passages of your documents",
        Sentence.WORD_REPLACED: "Nothing on “{asked}”. Showing “{shown}”.",
        Sentence.NO_SUCH_SECTION: "Your documents have no {section}.",
        Sentence.STILL_READING: (
            "I am still reading your documents. Ask again in a moment: there may be more."
        ),
        Sentence.NOTHING_FOUND: "I found nothing about this in your documents.",
        Sentence.LOOKED_FOR: Plural(
            "I looked for {words} in {count} document: {titles}.",
            "I looked for {words} in {count} documents: {titles}.",
        ),
        Sentence.LOOKED_IN: Plural(
            "I looked in {count} document: {titles}.", "I looked in {count} documents: {titles}."
        ),
        Sentence.AND_MORE: Plural("{titles} and {count} more", "{titles} and {count} more"),
        Sentence.IN_QUOTES: "“{text}”",
        Sentence.PERHAPS_YOU_MEAN: "Perhaps you mean:",
        Sentence.YOU_CAN_ASK: "You can ask, for example:",
        Sentence.SMALLTALK: (
            "I answer questions from your documents, in their own words, and show where each sentence stands."
        ),
        Sentence.NOT_QUOTABLE: (
            "I may not quote what answers this, because its sensitivity label encrypts it. Look here:"
        ),
        Sentence.MORE_NOT_QUOTABLE: (
            "There is more that I may not quote, because its sensitivity label encrypts it:"
        ),
        Sentence.QUOTED: "Quoted from your documents",
        Sentence.WRITTEN_BY: "Written by {model} from your documents",
        Sentence.MODEL_KEY_REFUSED: (
            "The model {model} writes no answers: its server refuses the key ({prefix}_API_KEY). "
            "Answers are quoted from your documents."
        ),
        Sentence.MODEL_UNKNOWN: (
            "The server knows no model {model}, or not for this key ({prefix}_MODEL). "
            "Answers are quoted from your documents."
        ),
        Sentence.MODEL_NOT_THERE: (
            "There is no model at this address ({prefix}_BASE_URL, such as {example}). "
            "Answers are quoted from your documents."
        ),
        Sentence.MODEL_UNREACHABLE: (
            "The server of the model {model} can't be reached, or fails ({prefix}_BASE_URL). "
            "Until it works, answers are quoted from your documents."
        ),
        Sentence.MODEL_SLOW: (
            "The model {model} has not answered yet. Perhaps it is still being loaded. "
            "Until it answers, answers are quoted from your documents."
        ),
        Sentence.MODEL_NOT_INSTALLED: (
            "The model {model} writes no answers, because its package is not installed: "
            "pip install -r requirements-{api}.txt. Answers are quoted from your documents."
        ),
        Sentence.MODEL_FAILED: "The model that writes the answers could not answer.",
        Sentence.MODEL_FAILED_SO_QUOTED: (
            "The model that writes the answers could not answer, so these are sentences from your documents."
        ),
        Sentence.MODEL_CITED_NOTHING: (
            "The model did not say which passage supports this. These passages come nearest:"
        ),
        Sentence.STEPS: "How this was answered",
        Sentence.THE_ENGINE: "The engine",
        Sentence.NO_SUCH_DOCUMENT: "There is no such document.",
        Sentence.NOT_COPIED: (
            "This answer is not copied, because its sources are encrypted by their sensitivity label."
        ),
        Sentence.VIEW_BACK: "Back to the conversation",
        Sentence.VIEW_ORIGINAL: "Open the original",
        Sentence.VIEW_LABEL: "Sensitivity label: {label}",
        Sentence.VIEW_CITED: "Cited sentence",
        Sentence.VIEW_PASSAGE: "Cited passage",
        Sentence.VIEW_TO_MARK: "Show the cited words",
        Sentence.VIEW_PREVIOUS_PAGE: "Previous page",
        Sentence.VIEW_NEXT_PAGE: "Next page",
        Sentence.VIEW_PAGE: "Page number",
        Sentence.VIEW_PAGE_OF: "Page {page} of {count}",
        Sentence.VIEW_SMALLER: "Smaller",
        Sentence.VIEW_LARGER: "Larger",
        Sentence.VIEW_FAILED: "This document can't be shown here. Please open the original.",
        Sentence.VIEW_NO_SCRIPT: (
            "To draw the pages, this view needs JavaScript. The original opens without it."
        ),
        Sentence.SKIPPED_FORMAT: "The format {format} is not read. Save the file as {first} or {second}.",
        Sentence.SKIPPED_FORMAT_SAVED_AS: "The format {format} is not read. Save it as {other}.",
        Sentence.SKIPPED_EMPTY: "The file is empty.",
        Sentence.SKIPPED_NO_TEXT: "The file has no text.",
        Sentence.SKIPPED_DAMAGED: "The file is damaged.",
        Sentence.SKIPPED_ENCRYPTED: "The file is protected with a password.",
        Sentence.SKIPPED_OLD_FORMAT: "The file has the old format .{format}. Save it as .{format}x.",
        Sentence.SKIPPED_NOT_TEXT: "The file is not text.",
        Sentence.SKIPPED_SCANNED: "Its pages are pictures without text. Run it through OCR first.",
        Sentence.SKIPPED_TOO_LARGE: "The file is too large.",
        Sentence.SKIPPED_UNPACKS: "The file unpacks to more than {limit} MB.",
        Sentence.SKIPPED_LINK: "This is a link that leads out of the folder.",
        Sentence.SKIPPED_NOT_OPENED: "The file can't be opened ({cause}).",
        Sentence.SKIPPED_TOO_SLOW: "Reading the file takes longer than {limit} s.",
        Sentence.SKIPPED_TOO_HUNGRY: "Reading the file needs more than {limit} MB of memory.",
        Sentence.SKIPPED_TOO_LONG: "The file has too much text.",
        Sentence.SKIPPED_CRASHED: "The file makes its reader crash.",
        Sentence.SKIPPED_NAME: "The name is not valid Unicode. Rename the file.",
        Sentence.SKIPPED_PACKAGES: "This folder holds installed packages.",
        Sentence.SKIPPED_ARCHIVE: "An archive is not read. Unpack it into the folder.",
        Sentence.SKIPPED_SEALED: "The file is encrypted.",
        Sentence.SKIPPED_COPY_PROTECTED: "The book is protected against copying.",
        Sentence.SKIPPED_OTHER_FORMAT: "The file is not of the format that its name says.",
        Sentence.SKIPPED_PACKED: "This code is packed for machines.",
        Sentence.SKIPPED_OTHERS: Plural(
            "{count} file of a format that is not read", "{count} files of a format that is not read"
        ),
        Sentence.SKIPPED_SLIDES: Plural(
            "{count} hidden slide is not read.", "{count} hidden slides are not read."
        ),
        Sentence.SKIPPED_SHEETS: Plural(
            "{count} hidden sheet is not read.", "{count} hidden sheets are not read."
        ),
        Sentence.SKIPPED_ROWS: Plural("{count} hidden row is not read.", "{count} hidden rows are not read."),
        Sentence.SKIPPED_ATTACHMENTS: Plural(
            "{count} attachment is not read.", "{count} attachments are not read."
        ),
        Sentence.SKIPPED_LINES: Plural(
            "{count} damaged line is not read.", "{count} damaged lines are not read."
        ),
        Sentence.PAGE_TITLE: "Ask {title}",
        Sentence.PAGE_DOCUMENTS: Plural("{count} document", "{count} documents"),
        Sentence.PAGE_PROMISE: "Every statement shows its source",
        Sentence.PAGE_CONVERSATION: "Conversation",
        Sentence.PAGE_NEW_CONVERSATION: "New conversation",
        Sentence.PAGE_CONVERSATIONS: "Conversations",
        Sentence.PAGE_RENAME: "Rename",
        Sentence.PAGE_COPY: "Copy as Markdown",
        Sentence.PAGE_SAVE: "Save as Markdown",
        Sentence.PAGE_DELETE: "Delete",
        Sentence.PAGE_CANCEL: "Cancel",
        Sentence.PAGE_MORE: "More about “{title}”",
        Sentence.PAGE_TITLE_OF: "Title of the conversation",
        Sentence.PAGE_DELETE_WHICH: "Delete “{title}”? The conversation cannot be brought back.",
        Sentence.PAGE_DELETED: "The conversation was deleted.",
        Sentence.PAGE_COPY_ANSWER: "Copy with sources",
        Sentence.PAGE_SAVE_ANSWER: "Save with sources",
        Sentence.PAGE_COPIED: "Copied, with the sources as footnotes.",
        Sentence.PAGE_NOT_COPIED: "Copying did not work.",
        Sentence.PAGE_SAVED: "Saved, with the sources as footnotes.",
        Sentence.PAGE_NOT_SAVED: "Saving did not work.",
        Sentence.PAGE_BEGIN_NEW: "Start a new conversation",
        Sentence.PAGE_DARK: "Dark colours",
        Sentence.PAGE_STOP: "Stop the answer",
        Sentence.PAGE_ASK: "Ask a question",
        Sentence.PAGE_ENDED: "This conversation has ended, because the bot was started again.",
        Sentence.PAGE_UNREACHABLE: "The bot can't be reached. Is it still running?",
        Sentence.PAGE_NO_WEB_CHAT: (
            "Web Chat could not be loaded. Without npm on this computer it needs the internet."
        ),
        Sentence.PAGE_NO_SCRIPT: "This page needs JavaScript: Web Chat is written in it.",
        Sentence.PAGE_PANEL: "Documents",
        Sentence.PAGE_CLOSE: "Close",
        Sentence.PAGE_FILTER: "Filter documents",
        Sentence.PAGE_NO_MATCH: "No document matches.",
        Sentence.PAGE_PASSAGES: Plural("{count} passage", "{count} passages"),
        Sentence.PAGE_INDEXED: "Indexed {when}",
        Sentence.PAGE_READING: "Being read",
        Sentence.PAGE_READ_SO_FAR: "{done} of {total} files are read",
        Sentence.PAGE_ALL_READ: "All files are read",
        Sentence.PAGE_STALLED: "Reading takes longer than usual",
        Sentence.PAGE_SKIPPED: "Not read",
        Sentence.PAGE_ADD: "Add files",
        Sentence.PAGE_ADDED_BY_YOU: "Added by you",
        Sentence.PAGE_ADDED: "{name} was added.",
        Sentence.PAGE_REPLACED: "{name} replaced the file of the same name that you had added.",
        Sentence.PAGE_REMOVE: "Remove {name}",
        Sentence.PAGE_REMOVED: "{name} was removed.",
        Sentence.PAGE_NOT_REMOVED: "{name} could not be removed. Please try again in a moment.",
        Sentence.PAGE_NOT_READ: "{name} was not added, because files of this format are not read.",
        Sentence.PAGE_TOO_LARGE: "{name} was not added, because it is larger than {limit} MB.",
        Sentence.PAGE_NOT_ADDED: "{name} could not be added.",
        Sentence.PAGE_NO_FOLDERS: "{name} is a folder. Please add its files.",
        Sentence.PAGE_DROP: "Drop files to ask them, too",
        Sentence.PAGE_STORED: "They are stored on this computer, for you alone. Your folder is not changed.",
        Sentence.PAGE_START: "What you can ask",
        Sentence.PAGE_FORMATS: "These formats are read:",
        Sentence.PAGE_SOURCE_CODE: "Source code",
        Sentence.PAGE_EMPTY: "There are no documents yet",
        Sentence.PAGE_EMPTY_HINT: "Put documents into the folder {title}, or drop them on this page.",
    },
)
