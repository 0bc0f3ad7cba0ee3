"""German, in the formal address."""

from __future__ import annotations

from typing import Final

from citations import Wording

from .catalogue import Catalogue, Plural
from .sentence import Sentence

GERMAN: Final = Catalogue(
    language="de",
    name="german",
    wording=Wording(
        ai="KI",
        address_too_long="die Adresse ist zu lang, um hier gesendet zu werden",
        answer_cut="… Diese Antwort ist länger, als eine Nachricht sein kann: Der Rest fehlt hier.",
        answer_withheld=(
            "Diese Antwort wird hier nicht angezeigt, weil sie die Vertraulichkeitsbezeichnung {label} trägt."
        ),
        answer_withheld_unknown=(
            "Diese Antwort wird hier nicht angezeigt, weil sie abbrach, bevor ihre "
            "Vertraulichkeitsbezeichnung bekannt war."
        ),
        both="{first} und {last}",
        document="Dokument {number}",
        label="Vertraulichkeitsbezeichnung: {label}",
        more="Antworten Sie MEHR für den Rest.",
        more_or_number="Antworten Sie MEHR für den Rest oder mit einer Nummer für eine Quelle.",
        no_passage="Von dieser Quelle liegt hier keine Textstelle vor.",
        open="{name} öffnen",
        other_sources="{count} weiteren Quellen",
        line=", Zeile {first}",
        lines=", Zeilen {first}–{last}",
        page=", S. {page}",
        pages=", S. {first}–{last}",
        passage_withheld=(
            "Diese Textstelle wird hier nicht angezeigt, weil sie die Vertraulichkeitsbezeichnung {label} "
            "trägt."
        ),
        quoted="Zitiert aus der Quelle",
        read_source="Die Quelle können Sie dort lesen, wo sie liegt:",
        read_sources="Die Quellen können Sie dort lesen, wo sie liegen:",
        row=", Zeile {first}",
        rows=", Zeilen {first}–{last}",
        sheet=", Blatt {sheet}",
        slide=", Folie {first}",
        slides=", Folien {first}–{last}",
        source="Quelle",
        source_number="Quelle {number}:",
        sources="Quellen",
        sources_said="Laut {sources}.",
        surfaced_with="Ermittelt mit {provider}",
        uncited=(
            "{provider} hat nicht angegeben, welche Quelle welche Aussage belegt. Geantwortet wurde aus:"
        ),
    ),
    sentences={
        Sentence.FILES_NOT_READ: (
            "Dateien, die Sie hier senden, kann ich nicht lesen: Ich antworte aus den Dokumenten, mit denen "
            "ich gestartet wurde. Bitte stellen Sie Ihre Frage in Worten."
        ),
        Sentence.NO_QUESTION: "Bitte stellen Sie mir eine Frage in Worten.",
        Sentence.OTHER_TENANT: "Ich antworte nur Personen aus der Organisation, die mich betreibt.",
        Sentence.QUESTION_TOO_LONG: "Bitte stellen Sie Ihre Frage in weniger als {limit} Zeichen.",
        Sentence.GREETING: "Guten Tag! Meine Antworten stammen aus: {title}. Jede Aussage nennt ihre Quelle.",
        Sentence.GREETING_WITH_COUNT: Plural(
            "Guten Tag! Meine Antworten stammen aus: {title}. Ich habe {count} Dokument gelesen, und jede "
            "Aussage nennt ihre Quelle.",
            "Guten Tag! Meine Antworten stammen aus: {title}. Ich habe {count} Dokumente gelesen, und jede "
            "Aussage nennt ihre Quelle.",
        ),
        Sentence.GREETING_NUMBER: "Antworten Sie mit einer Nummer, um die Textstelle zu lesen.",
        Sentence.SAMPLE_DOCUMENTS: "Beispieldokumente",
        Sentence.SEARCHING: "Suche in „{title}“ …",
        Sentence.READING: Plural("Lese {count} Textstelle …", "Lese {count} Textstellen …"),
        Sentence.WRITING: "Schreibe die Antwort …",
        Sentence.STOPPED: "Ich habe abgebrochen, bevor ich eine Antwort hatte.",
        Sentence.STOPPED_SUFFIX: "Sie haben die Antwort hier abgebrochen.",
        Sentence.TOO_SLOW: (
            "Das hat länger gedauert, als ich warten kann. Bitte versuchen Sie es noch einmal, oder fragen "
            "Sie gezielter."
        ),
        Sentence.TOO_SLOW_SUFFIX: (
            "Diese Antwort ist nicht vollständig: Der Rest hat länger gedauert, als ich warten kann."
        ),
        Sentence.CRASHED: "Beim Antworten ist etwas schiefgegangen. Bitte versuchen Sie es noch einmal.",
        Sentence.CRASHED_SUFFIX: (
            "Diese Antwort ist nicht vollständig: Beim Schreiben ist etwas schiefgegangen. Bitte versuchen "
            "Sie es noch einmal."
        ),
        Sentence.BUSY: (
            "Ich habe gerade zu viele Fragen zu beantworten. Bitte fragen Sie gleich noch einmal."
        ),
        Sentence.BUSY_SUFFIX: (
            "Diese Antwort ist nicht vollständig: Ich habe gerade zu viele Fragen zu beantworten."
        ),
        Sentence.CLOSING: (
            "Ich werde gerade neu gestartet und konnte nicht antworten. Bitte fragen Sie gleich noch einmal."
        ),
        Sentence.CLOSING_SUFFIX: (
            "Diese Antwort ist nicht vollständig: Ich werde gerade neu gestartet. Bitte fragen Sie gleich "
            "noch einmal."
        ),
        Sentence.UNREADABLE: (
            "Ich konnte nicht lesen, was mir der Antwortdienst gesendet hat. Bitte versuchen Sie es gleich "
            "noch einmal."
        ),
        Sentence.UNREADABLE_SUFFIX: (
            "Diese Antwort ist nicht vollständig: Was als Nächstes kam, konnte ich nicht lesen. Bitte "
            "versuchen Sie es noch einmal."
        ),
        Sentence.MAYBE_LOST: (
            "Ich weiß nicht, ob alles bei Ihnen angekommen ist. Falls etwas fehlt, fragen Sie bitte noch "
            "einmal."
        ),
        Sentence.GOES_ON: "Die Antwort geht in meiner nächsten Nachricht weiter.",
        Sentence.COMES_LATER: (
            "Das dauert länger als sonst. Die Antwort kommt in meiner nächsten Nachricht."
        ),
        Sentence.THAT_WAS_THE_ANSWER: "Das war die ganze Antwort.",
        Sentence.LATE: "Die letzte Antwort konnte Ihnen nicht zugestellt werden. Hier ist sie:",
        Sentence.LOST: (
            "Die letzte Antwort konnte Ihnen nicht zugestellt werden. Bitte fragen Sie noch einmal."
        ),
        Sentence.UNSURE: (
            "Ich weiß nicht, ob meine letzte Antwort bei Ihnen angekommen ist. Falls nicht, fragen Sie bitte "
            "noch einmal."
        ),
        Sentence.ALSO_FOUND: "Diese Quellen habe ich auch gefunden, aber für die Antwort nicht gebraucht:",
        Sentence.THAT_WAS_ALL: "Das war alles.",
        Sentence.NO_SUCH_SOURCE: (
            "Meine letzte Antwort hat keine Quelle {number}. Antworten Sie mit {numbers}, um die Textstelle "
            "dieser Quelle zu lesen."
        ),
        Sentence.NO_OTHER_SOURCE: (
            "Meine letzte Antwort hat keine Quelle {number}. Antworten Sie mit {only}, um die Textstelle "
            "ihrer einzigen Quelle zu lesen."
        ),
        Sentence.EITHER: "{first} oder {last}",
        Sentence.SOURCE_FAILED: (
            "Ich konnte den Antwortdienst nicht erreichen. Bitte versuchen Sie es gleich noch einmal."
        ),
        Sentence.SOURCE_FAILED_SUFFIX: (
            "Diese Antwort ist nicht vollständig: Der Antwortdienst hat abgebrochen."
        ),
        Sentence.SOURCE_BUSY: (
            "Der Antwortdienst hat zu viel zu tun. Bitte versuchen Sie es gleich noch einmal."
        ),
        Sentence.SOURCE_PAUSED: (
            "Der Antwortdienst funktioniert im Moment nicht. In einer halben Minute versuche ich es wieder; "
            "bitte fragen Sie dann noch einmal."
        ),
        Sentence.SOURCE_BROKE_OFF: ("Der Antwortdienst hat abgebrochen. Bitte versuchen Sie es noch einmal."),
        Sentence.SOURCE_BROKE_OFF_SUFFIX: (
            "Diese Antwort ist nicht vollständig: Der Antwortdienst hat abgebrochen. Bitte versuchen Sie es "
            "noch einmal."
        ),
        Sentence.SOURCE_REFUSED: (
            "Der Antwortdienst hat diese Frage nicht angenommen. Bitte stellen Sie sie mit anderen Worten; "
            "wenn das nicht hilft, muss sich der Betreiber dieses Bots darum kümmern."
        ),
        Sentence.SOURCE_REFUSED_SUFFIX: (
            "Diese Antwort ist nicht vollständig: Der Antwortdienst hat die Fortsetzung verweigert."
        ),
        Sentence.ANSWER_FILTERED: (
            "Ein Inhaltsfilter hat die Antwort zurückgehalten. Bitte fragen Sie mit anderen Worten."
        ),
        Sentence.ANSWER_FILTERED_SUFFIX: (
            "Diese Antwort ist nicht vollständig: Ein Inhaltsfilter hat sie hier beendet. Bitte fragen Sie "
            "mit anderen Worten."
        ),
        Sentence.KEY_REFUSED: (
            "Der Antwortdienst hat meinen Schlüssel abgelehnt; der Betreiber dieses Bots muss sich darum "
            "kümmern."
        ),
        Sentence.NOT_FOUND_AT_SOURCE: (
            "Der Antwortdienst kennt nicht, was ich dort abfragen soll; der Betreiber dieses Bots muss sich "
            "darum kümmern."
        ),
        Sentence.SOURCE_TIMED_OUT: (
            "Der Antwortdienst hat länger gebraucht, als ich warten kann. Bitte versuchen Sie es noch "
            "einmal, oder fragen Sie gezielter."
        ),
        Sentence.SOURCE_TIMED_OUT_SUFFIX: (
            "Diese Antwort ist nicht vollständig: Der Antwortdienst hat länger gebraucht, als ich warten "
            "kann."
        ),
        Sentence.ANSWER_TOO_LONG: "Die Antwort wurde zu lang. Bitte fragen Sie gezielter.",
        Sentence.ANSWER_TOO_LONG_SUFFIX: (
            "Diese Antwort ist nicht vollständig: Sie wurde zu lang. Bitte fragen Sie gezielter."
        ),
        Sentence.ANSWER_CUT: (
            "Die Antwort wurde länger, als das Modell schreiben darf. Bitte fragen Sie gezielter."
        ),
        Sentence.ANSWER_CUT_SUFFIX: (
            "Diese Antwort ist nicht vollständig: Sie wurde länger, als das Modell schreiben darf. Bitte "
            "fragen Sie gezielter."
        ),
        Sentence.ENGINE_FAILED: (
            "Beim Antwortdienst ist ein Fehler aufgetreten. Bitte versuchen Sie es gleich noch einmal."
        ),
        Sentence.MODEL_BROKE_OFF_SUFFIX: (
            "Diese Antwort ist nicht vollständig: Das Modell, das sie schreibt, hat abgebrochen. Bitte "
            "versuchen Sie es noch einmal."
        ),
        Sentence.MODEL_REFUSED_SUFFIX: (
            "Diese Antwort ist nicht vollständig: Das Modell hat die Fortsetzung verweigert."
        ),
        Sentence.MODEL_SEARCHED_ELSEWHERE_SUFFIX: (
            "Das Modell, das die Antworten schreibt, hat anderswo gesucht statt in Ihren Dokumenten. "
            "Deshalb zeige ich nicht, was es geschrieben hat."
        ),
        Sentence.ACCESS_REFUSED: (
            "Sie dürfen hier nichts durchsuchen lassen. Der Betreiber dieses Bots kann Ihnen sagen, warum."
        ),
        Sentence.ACCESS_REFUSED_SUFFIX: (
            "Diese Antwort ist nicht vollständig: Den Rest dürfen Sie nicht lesen. Der Betreiber dieses Bots "
            "kann Ihnen sagen, warum."
        ),
        Sentence.NOT_FOR_ASKER: (
            "Sie dürfen nicht lesen, was dort steht. Der Betreiber dieses Bots kann Ihnen sagen, warum."
        ),
        Sentence.ACCESS_UNDECIDED: (
            "Ich konnte nicht feststellen, was Sie lesen dürfen, und habe deshalb nicht gesucht. Bitte "
            "versuchen Sie es gleich noch einmal."
        ),
        Sentence.ACCESS_UNDECIDED_SUFFIX: (
            "Diese Antwort ist nicht vollständig: Ich konnte nicht feststellen, was Sie vom Rest lesen "
            "dürfen."
        ),
        Sentence.NOT_IN_SOURCE: "In der Quelle nicht gefunden: {words}",
        Sentence.SOURCE_DOUBTFUL: "Vielleicht aus einer anderen Quelle als {number}: {words}",
        Sentence.SUPPORT_DOUBTFUL: "Vielleicht nicht durch Quelle {number} belegt: {words}",
        Sentence.UNDERSTOOD_AS: "Verstanden als: {question}",
        Sentence.NOT_SURE: (
            "Ich habe keine klare Antwort. Diese Textstellen kommen Ihrer Frage am nächsten:"
        ),
        Sentence.NEAREST: "Keine klare Antwort: die nächsten Textstellen Ihrer Dokumente",
        Sentence.WORD_REPLACED: "Zu „{asked}“ gibt es nichts. Gezeigt wird „{shown}“.",
        Sentence.NO_SUCH_SECTION: "In Ihren Dokumenten gibt es {section} nicht.",
        Sentence.STILL_READING: (
            "Ich lese Ihre Dokumente noch. Fragen Sie gleich noch einmal: Vielleicht finde ich dann mehr."
        ),
        Sentence.NOTHING_FOUND: "Dazu habe ich in Ihren Dokumenten nichts gefunden.",
        Sentence.LOOKED_FOR: Plural(
            "Ich habe nach {words} in {count} Dokument gesucht: {titles}.",
            "Ich habe nach {words} in {count} Dokumenten gesucht: {titles}.",
        ),
        Sentence.LOOKED_IN: Plural(
            "Ich habe in {count} Dokument gesucht: {titles}.",
            "Ich habe in {count} Dokumenten gesucht: {titles}.",
        ),
        Sentence.AND_MORE: Plural("{titles} und {count} weiteres", "{titles} und {count} weitere"),
        Sentence.IN_QUOTES: "„{text}“",
        Sentence.PERHAPS_YOU_MEAN: "Vielleicht meinen Sie:",
        Sentence.YOU_CAN_ASK: "Sie können zum Beispiel fragen:",
        Sentence.SMALLTALK: (
            "Ich beantworte Fragen aus Ihren Dokumenten, mit deren eigenen Worten, und zeige, wo jeder Satz "
            "steht."
        ),
        Sentence.NOT_QUOTABLE: (
            "Was diese Frage beantwortet, darf ich nicht zitieren, weil es durch seine "
            "Vertraulichkeitsbezeichnung verschlüsselt ist. Sehen Sie hier nach:"
        ),
        Sentence.MORE_NOT_QUOTABLE: (
            "Es gibt noch mehr, das ich nicht zitieren darf, weil es durch seine "
            "Vertraulichkeitsbezeichnung verschlüsselt ist:"
        ),
        Sentence.QUOTED: "Zitiert aus Ihren Dokumenten",
        Sentence.WRITTEN_BY: "Von {model} aus Ihren Dokumenten verfasst",
        Sentence.MODEL_KEY_REFUSED: (
            "Das Modell {model} schreibt keine Antworten: Sein Server lehnt den Schlüssel ab "
            "({prefix}_API_KEY). Die Antworten werden aus Ihren Dokumenten zitiert."
        ),
        Sentence.MODEL_UNKNOWN: (
            "Der Server kennt kein Modell {model}, oder nicht für diesen Schlüssel ({prefix}_MODEL). Die "
            "Antworten werden aus Ihren Dokumenten zitiert."
        ),
        Sentence.MODEL_NOT_THERE: (
            "Unter dieser Adresse gibt es kein Modell ({prefix}_BASE_URL, zum Beispiel {example}). Die "
            "Antworten werden aus Ihren Dokumenten zitiert."
        ),
        Sentence.MODEL_UNREACHABLE: (
            "Der Server des Modells {model} ist nicht erreichbar oder fehlerhaft ({prefix}_BASE_URL). Bis er "
            "funktioniert, werden die Antworten aus Ihren Dokumenten zitiert."
        ),
        Sentence.MODEL_SLOW: (
            "Das Modell {model} hat noch nicht geantwortet. Vielleicht wird es noch geladen. Bis dahin "
            "werden die Antworten aus Ihren Dokumenten zitiert."
        ),
        Sentence.MODEL_NOT_INSTALLED: (
            "Das Modell {model} schreibt keine Antworten, weil sein Paket nicht installiert ist: "
            "pip install -r requirements-{api}.txt. Die Antworten werden aus Ihren Dokumenten zitiert."
        ),
        Sentence.MODEL_FAILED: "Das Modell, das die Antworten schreibt, konnte nicht antworten.",
        Sentence.MODEL_FAILED_SO_QUOTED: (
            "Das Modell, das die Antworten schreibt, konnte nicht antworten. Deshalb lesen Sie hier Sätze "
            "aus Ihren Dokumenten."
        ),
        Sentence.MODEL_CITED_NOTHING: (
            "Das Modell hat nicht angegeben, welche Textstelle dies belegt. "
            "Diese kommen Ihrer Frage am nächsten:"
        ),
        Sentence.STEPS: "So wurde diese Frage beantwortet",
        Sentence.THE_ENGINE: "Die Engine",
        Sentence.NO_SUCH_DOCUMENT: "Dieses Dokument gibt es nicht.",
        Sentence.NOT_COPIED: (
            "Diese Antwort wird nicht kopiert, weil ihre Quellen durch ihre Vertraulichkeitsbezeichnung "
            "verschlüsselt sind."
        ),
        Sentence.VIEW_BACK: "Zurück zur Unterhaltung",
        Sentence.VIEW_ORIGINAL: "Original öffnen",
        Sentence.VIEW_LABEL: "Vertraulichkeitsbezeichnung: {label}",
        Sentence.VIEW_CITED: "Zitierter Satz",
        Sentence.VIEW_PASSAGE: "Zitierte Textstelle",
        Sentence.VIEW_TO_MARK: "Zitierte Stelle zeigen",
        Sentence.VIEW_PREVIOUS_PAGE: "Vorige Seite",
        Sentence.VIEW_NEXT_PAGE: "Nächste Seite",
        Sentence.VIEW_PAGE: "Seitenzahl",
        Sentence.VIEW_PAGE_OF: "Seite {page} von {count}",
        Sentence.VIEW_SMALLER: "Kleiner",
        Sentence.VIEW_LARGER: "Größer",
        Sentence.VIEW_FAILED: (
            "Dieses Dokument lässt sich hier nicht anzeigen. Bitte öffnen Sie das Original."
        ),
        Sentence.VIEW_NO_SCRIPT: (
            "Zum Zeichnen der Seiten braucht diese Ansicht JavaScript. Das Original öffnet sich auch ohne."
        ),
        Sentence.SKIPPED_FORMAT: (
            "Das Format {format} wird nicht gelesen. Speichern Sie die Datei als {first} oder {second}."
        ),
        Sentence.SKIPPED_FORMAT_SAVED_AS: (
            "Das Format {format} wird nicht gelesen. Speichern Sie die Datei als {other}."
        ),
        Sentence.SKIPPED_EMPTY: "Die Datei ist leer.",
        Sentence.SKIPPED_NO_TEXT: "Die Datei enthält keinen Text.",
        Sentence.SKIPPED_DAMAGED: "Die Datei ist beschädigt.",
        Sentence.SKIPPED_ENCRYPTED: "Die Datei ist mit einem Kennwort geschützt.",
        Sentence.SKIPPED_OLD_FORMAT: (
            "Die Datei hat das alte Format .{format}. Speichern Sie sie als .{format}x."
        ),
        Sentence.SKIPPED_NOT_TEXT: "Die Datei ist kein Text.",
        Sentence.SKIPPED_SCANNED: (
            "Die Seiten sind Bilder ohne Text. Lassen Sie zuerst eine Texterkennung laufen."
        ),
        Sentence.SKIPPED_TOO_LARGE: "Die Datei ist zu groß.",
        Sentence.SKIPPED_UNPACKS: "Die Datei ist entpackt größer als {limit} MB.",
        Sentence.SKIPPED_LINK: "Das ist eine Verknüpfung, die aus dem Ordner hinausführt.",
        Sentence.SKIPPED_NOT_OPENED: "Die Datei lässt sich nicht öffnen ({cause}).",
        Sentence.SKIPPED_TOO_SLOW: "Das Lesen der Datei dauert länger als {limit} s.",
        Sentence.SKIPPED_TOO_HUNGRY: "Das Lesen der Datei braucht mehr als {limit} MB Arbeitsspeicher.",
        Sentence.SKIPPED_TOO_LONG: "Die Datei hat zu viel Text.",
        Sentence.SKIPPED_CRASHED: "Die Datei bringt ihr Leseprogramm zum Absturz.",
        Sentence.SKIPPED_NAME: "Der Name ist kein gültiges Unicode. Bitte benennen Sie die Datei um.",
        Sentence.SKIPPED_PACKAGES: "Dieser Ordner enthält installierte Pakete.",
        Sentence.SKIPPED_ARCHIVE: "Archive werden nicht gelesen. Entpacken Sie die Datei in den Ordner.",
        Sentence.SKIPPED_SEALED: "Die Datei ist verschlüsselt.",
        Sentence.SKIPPED_COPY_PROTECTED: "Das Buch hat einen Kopierschutz.",
        Sentence.SKIPPED_OTHER_FORMAT: "Die Datei hat nicht das Format, das ihr Name nennt.",
        Sentence.SKIPPED_PACKED: "Dieser Code ist für Maschinen komprimiert.",
        Sentence.SKIPPED_OTHERS: Plural(
            "{count} Datei in einem Format, das nicht gelesen wird",
            "{count} Dateien in einem Format, das nicht gelesen wird",
        ),
        Sentence.SKIPPED_SLIDES: Plural(
            "{count} ausgeblendete Folie wird nicht gelesen.",
            "{count} ausgeblendete Folien werden nicht gelesen.",
        ),
        Sentence.SKIPPED_SHEETS: Plural(
            "{count} ausgeblendetes Blatt wird nicht gelesen.",
            "{count} ausgeblendete Blätter werden nicht gelesen.",
        ),
        Sentence.SKIPPED_ROWS: Plural(
            "{count} ausgeblendete Zeile wird nicht gelesen.",
            "{count} ausgeblendete Zeilen werden nicht gelesen.",
        ),
        Sentence.SKIPPED_ATTACHMENTS: Plural(
            "{count} Anhang wird nicht gelesen.", "{count} Anhänge werden nicht gelesen."
        ),
        Sentence.SKIPPED_LINES: Plural(
            "{count} beschädigte Zeile wird nicht gelesen.",
            "{count} beschädigte Zeilen werden nicht gelesen.",
        ),
        Sentence.PAGE_TITLE: "{title} befragen",
        Sentence.PAGE_DOCUMENTS: Plural("{count} Dokument", "{count} Dokumente"),
        Sentence.PAGE_PROMISE: "Jede Aussage nennt ihre Quelle",
        Sentence.PAGE_CONVERSATION: "Unterhaltung",
        Sentence.PAGE_NEW_CONVERSATION: "Neue Unterhaltung",
        Sentence.PAGE_CONVERSATIONS: "Unterhaltungen",
        Sentence.PAGE_RENAME: "Umbenennen",
        Sentence.PAGE_COPY: "Als Markdown kopieren",
        Sentence.PAGE_SAVE: "Als Markdown speichern",
        Sentence.PAGE_DELETE: "Löschen",
        Sentence.PAGE_CANCEL: "Abbrechen",
        Sentence.PAGE_MORE: "Mehr zu „{title}“",
        Sentence.PAGE_TITLE_OF: "Titel der Unterhaltung",
        Sentence.PAGE_DELETE_WHICH: "„{title}“ löschen? Die Unterhaltung lässt sich nicht wiederherstellen.",
        Sentence.PAGE_DELETED: "Die Unterhaltung wurde gelöscht.",
        Sentence.PAGE_COPY_ANSWER: "Mit Quellen kopieren",
        Sentence.PAGE_SAVE_ANSWER: "Mit Quellen speichern",
        Sentence.PAGE_COPIED: "Kopiert, mit den Quellen als Fußnoten.",
        Sentence.PAGE_NOT_COPIED: "Das Kopieren hat nicht funktioniert.",
        Sentence.PAGE_SAVED: "Gespeichert, mit den Quellen als Fußnoten.",
        Sentence.PAGE_NOT_SAVED: "Das Speichern hat nicht funktioniert.",
        Sentence.PAGE_BEGIN_NEW: "Neue Unterhaltung beginnen",
        Sentence.PAGE_DARK: "Dunkle Farben",
        Sentence.PAGE_STOP: "Antwort abbrechen",
        Sentence.PAGE_ASK: "Stellen Sie eine Frage",
        Sentence.PAGE_ENDED: "Diese Unterhaltung ist beendet, weil der Bot neu gestartet wurde.",
        Sentence.PAGE_UNREACHABLE: "Der Bot ist nicht erreichbar. Läuft er noch?",
        Sentence.PAGE_NO_WEB_CHAT: (
            "Web Chat konnte nicht geladen werden. Ohne npm auf diesem Computer braucht es das Internet."
        ),
        Sentence.PAGE_NO_SCRIPT: "Diese Seite braucht JavaScript: Web Chat ist darin geschrieben.",
        Sentence.PAGE_PANEL: "Dokumente",
        Sentence.PAGE_CLOSE: "Schließen",
        Sentence.PAGE_FILTER: "Dokumente filtern",
        Sentence.PAGE_NO_MATCH: "Kein Dokument passt.",
        Sentence.PAGE_PASSAGES: Plural("{count} Textstelle", "{count} Textstellen"),
        Sentence.PAGE_INDEXED: "Gelesen {when}",
        Sentence.PAGE_READING: "Wird gelesen",
        Sentence.PAGE_READ_SO_FAR: "{done} von {total} Dateien sind gelesen",
        Sentence.PAGE_ALL_READ: "Alle Dateien sind gelesen",
        Sentence.PAGE_STALLED: "Das Lesen dauert länger als sonst",
        Sentence.PAGE_SKIPPED: "Nicht gelesen",
        Sentence.PAGE_ADD: "Dateien hinzufügen",
        Sentence.PAGE_ADDED_BY_YOU: "Von Ihnen hinzugefügt",
        Sentence.PAGE_ADDED: "{name} wurde hinzugefügt.",
        Sentence.PAGE_REPLACED: "{name} hat die Datei gleichen Namens ersetzt, die Sie hinzugefügt hatten.",
        Sentence.PAGE_REMOVE: "{name} entfernen",
        Sentence.PAGE_REMOVED: "{name} wurde entfernt.",
        Sentence.PAGE_NOT_REMOVED: (
            "{name} konnte nicht entfernt werden. Bitte versuchen Sie es gleich noch einmal."
        ),
        Sentence.PAGE_NOT_READ: (
            "{name} wurde nicht hinzugefügt, weil Dateien dieses Formats nicht gelesen werden."
        ),
        Sentence.PAGE_TOO_LARGE: "{name} wurde nicht hinzugefügt, weil die Datei größer als {limit} MB ist.",
        Sentence.PAGE_NOT_ADDED: "{name} konnte nicht hinzugefügt werden.",
        Sentence.PAGE_NO_FOLDERS: "{name} ist ein Ordner. Bitte fügen Sie seine Dateien hinzu.",
        Sentence.PAGE_DROP: "Dateien hier ablegen, um auch sie zu befragen",
        Sentence.PAGE_STORED: (
            "Sie werden auf diesem Computer gespeichert, nur für Sie. Ihr Ordner wird nicht verändert."
        ),
        Sentence.PAGE_START: "Das können Sie fragen",
        Sentence.PAGE_FORMATS: "Diese Formate werden gelesen:",
        Sentence.PAGE_SOURCE_CODE: "Quelltext",
        Sentence.PAGE_EMPTY: "Es gibt noch keine Dokumente",
        Sentence.PAGE_EMPTY_HINT: (
            "Legen Sie Dokumente in den Ordner {title}, oder ziehen Sie sie auf diese Seite."
        ),
    },
)
