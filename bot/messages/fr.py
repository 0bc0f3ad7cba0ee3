"""French, in the formal address."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Final

from citations import Wording

from .catalogue import Catalogue, Plural
from .sentence import Sentence

_SPACE: Final = re.compile(r" (?=[?!:;»])|(?<=«) ")
"""Spaces that French typography sets as narrow no-break spaces; the sentences below have plain ones."""


def _typeset(text: str) -> str:
    return _SPACE.sub("\u202f", text)


def _typeset_all(text: str | Plural) -> str | Plural:
    return Plural(*map(_typeset, text)) if isinstance(text, Plural) else _typeset(text)


_WORDING: Final = Wording(
    ai="l’IA",
    address_too_long="son adresse est trop longue pour être envoyée ici",
    answer_cut="… Cette réponse est trop longue pour un seul message : la suite n’est pas affichée.",
    answer_withheld=(
        "Cette réponse n’est pas affichée ici, car son étiquette de confidentialité est {label}."
    ),
    answer_withheld_unknown=(
        "Cette réponse n’est pas affichée ici, car elle s’est interrompue avant que son étiquette de "
        "confidentialité soit connue."
    ),
    both="{first} et {last}",
    document="Document {number}",
    label="Étiquette de confidentialité : {label}",
    more="Répondez SUITE pour lire la suite.",
    more_or_number="Répondez SUITE pour lire la suite, ou un numéro pour une source.",
    no_passage="Aucun passage de cette source n’est disponible ici.",
    open="Ouvrir {name}",
    other_sources="{count} autres sources",
    line=", ligne {first}",
    lines=", lignes {first}-{last}",
    page=", p. {page}",
    pages=", p. {first}-{last}",
    passage_withheld="Ce passage n’est pas affiché ici, car son étiquette de confidentialité est {label}.",
    quoted="Extrait de la source",
    read_source="Vous pouvez lire la source là où elle est conservée :",
    read_sources="Vous pouvez lire les sources là où elles sont conservées :",
    row=", ligne {first}",
    rows=", lignes {first}-{last}",
    sheet=", feuille {sheet}",
    slide=", diapositive {first}",
    slides=", diapositives {first}-{last}",
    source="Source",
    source_number="Source {number} :",
    sources="Sources",
    sources_said="D’après {sources}.",
    surfaced_with="Trouvé avec {provider}",
    uncited=("{provider} n’a pas indiqué quelle source appuie quelle affirmation. La réponse s’appuie sur :"),
)

_SENTENCES: Final[dict[Sentence, str | Plural]] = {
    Sentence.FILES_NOT_READ: (
        "Je ne peux pas lire les fichiers envoyés ici : je réponds à partir des documents avec lesquels "
        "j’ai été lancé. Veuillez poser votre question par écrit."
    ),
    Sentence.NO_QUESTION: "Veuillez me poser une question par écrit.",
    Sentence.OTHER_TENANT: "Je ne réponds qu’aux membres de l’organisation dont je dépends.",
    Sentence.QUESTION_TOO_LONG: "Veuillez poser votre question en moins de {limit} caractères.",
    Sentence.GREETING: (
        "Bonjour ! Mes réponses proviennent de : {title}. Chaque affirmation indique sa source."
    ),
    Sentence.GREETING_WITH_COUNT: Plural(
        "Bonjour ! Mes réponses proviennent de : {title}. J’ai lu {count} document, et chaque affirmation "
        "indique sa source.",
        "Bonjour ! Mes réponses proviennent de : {title}. J’ai lu {count} documents, et chaque affirmation "
        "indique sa source.",
    ),
    Sentence.GREETING_NUMBER: "Répondez par un numéro pour lire le passage.",
    Sentence.SAMPLE_DOCUMENTS: "Documents d’exemple",
    Sentence.SEARCHING: "Recherche dans « {title} »…",
    Sentence.READING: Plural("Lecture de {count} passage…", "Lecture de {count} passages…"),
    Sentence.WRITING: "Rédaction de la réponse…",
    Sentence.STOPPED: "Je me suis arrêté avant d’avoir une réponse.",
    Sentence.STOPPED_SUFFIX: "Vous avez arrêté la réponse ici.",
    Sentence.TOO_SLOW: (
        "Cela a pris plus de temps que je ne peux attendre. Veuillez réessayer, ou poser une question plus "
        "précise."
    ),
    Sentence.TOO_SLOW_SUFFIX: (
        "Cette réponse est incomplète : la suite a pris plus de temps que je ne peux attendre."
    ),
    Sentence.CRASHED: "Un problème est survenu pendant que je répondais. Veuillez réessayer.",
    Sentence.CRASHED_SUFFIX: (
        "Cette réponse est incomplète : un problème est survenu pendant que je l’écrivais. "
        "Veuillez réessayer."
    ),
    Sentence.BUSY: (
        "J’ai trop de questions à traiter en ce moment. Veuillez reposer la vôtre dans un instant."
    ),
    Sentence.BUSY_SUFFIX: "Cette réponse est incomplète : j’ai trop de questions à traiter en ce moment.",
    Sentence.CLOSING: (
        "Je suis en cours de redémarrage et n’ai pas pu répondre. Veuillez reposer votre question dans un "
        "instant."
    ),
    Sentence.CLOSING_SUFFIX: (
        "Cette réponse est incomplète : je suis en cours de redémarrage. Veuillez reposer votre question "
        "dans un instant."
    ),
    Sentence.UNREADABLE: (
        "Je n’ai pas pu lire ce que le service de réponse m’a envoyé. Veuillez réessayer dans un instant."
    ),
    Sentence.UNREADABLE_SUFFIX: (
        "Cette réponse est incomplète : je n’ai pas pu lire la suite. Veuillez réessayer."
    ),
    Sentence.MAYBE_LOST: (
        "Je ne sais pas si tout vous est parvenu. S’il manque quelque chose, veuillez reposer votre question."
    ),
    Sentence.GOES_ON: "La réponse se poursuit dans mon prochain message.",
    Sentence.COMES_LATER: (
        "Cela prend plus de temps que d’habitude. La réponse viendra dans mon prochain message."
    ),
    Sentence.THAT_WAS_THE_ANSWER: "C’était toute la réponse.",
    Sentence.LATE: "La dernière réponse n’a pas pu vous être remise. La voici :",
    Sentence.LOST: "La dernière réponse n’a pas pu vous être remise. Veuillez reposer votre question.",
    Sentence.UNSURE: (
        "Je ne sais pas si ma dernière réponse vous est parvenue. Si ce n’est pas le cas, veuillez reposer "
        "votre question."
    ),
    Sentence.ALSO_FOUND: "J’ai aussi trouvé ces sources, sans en avoir besoin pour la réponse :",
    Sentence.THAT_WAS_ALL: "C’est tout.",
    Sentence.NO_SUCH_SOURCE: (
        "Ma dernière réponse n’a pas de source {number}. Répondez {numbers} pour lire le passage "
        "correspondant."
    ),
    Sentence.NO_OTHER_SOURCE: (
        "Ma dernière réponse n’a pas de source {number}. Répondez {only} pour lire le passage de la seule "
        "qu’elle contient."
    ),
    Sentence.EITHER: "{first} ou {last}",
    Sentence.SOURCE_FAILED: (
        "Je n’ai pas pu joindre le service de réponse. Veuillez réessayer dans un instant."
    ),
    Sentence.SOURCE_FAILED_SUFFIX: ("Cette réponse est incomplète : le service de réponse s’est interrompu."),
    Sentence.SOURCE_BUSY: "Le service de réponse est surchargé. Veuillez réessayer dans un instant.",
    Sentence.SOURCE_PAUSED: (
        "Le service de réponse ne fonctionne pas en ce moment. Je l’interrogerai de nouveau dans une "
        "demi-minute ; veuillez reposer votre question à ce moment-là."
    ),
    Sentence.SOURCE_BROKE_OFF: "Le service de réponse s’est interrompu. Veuillez réessayer.",
    Sentence.SOURCE_BROKE_OFF_SUFFIX: (
        "Cette réponse est incomplète : le service de réponse s’est interrompu. Veuillez réessayer."
    ),
    Sentence.SOURCE_REFUSED: (
        "Le service de réponse n’a pas accepté cette question. Veuillez la reformuler ; si cela ne suffit "
        "pas, c’est à la personne qui gère ce bot d’intervenir."
    ),
    Sentence.SOURCE_REFUSED_SUFFIX: (
        "Cette réponse est incomplète : le service de réponse a refusé de continuer."
    ),
    Sentence.ANSWER_FILTERED: "Un filtre de contenu a bloqué la réponse. Veuillez reformuler votre question.",
    Sentence.ANSWER_FILTERED_SUFFIX: (
        "Cette réponse est incomplète : un filtre de contenu l’a interrompue ici. Veuillez reformuler votre "
        "question."
    ),
    Sentence.KEY_REFUSED: (
        "Le service de réponse a refusé ma clé ; c’est à la personne qui gère ce bot d’intervenir."
    ),
    Sentence.NOT_FOUND_AT_SOURCE: (
        "Le service de réponse n’a pas ce que je suis censé lui demander ; c’est à la personne qui gère ce "
        "bot d’intervenir."
    ),
    Sentence.SOURCE_TIMED_OUT: (
        "Le service de réponse a pris plus de temps que je ne peux attendre. Veuillez réessayer, ou poser "
        "une question plus précise."
    ),
    Sentence.SOURCE_TIMED_OUT_SUFFIX: (
        "Cette réponse est incomplète : le service de réponse a pris plus de temps que je ne peux attendre."
    ),
    Sentence.ANSWER_TOO_LONG: (
        "La réponse est devenue trop longue. Veuillez poser une question plus précise."
    ),
    Sentence.ANSWER_TOO_LONG_SUFFIX: (
        "Cette réponse est incomplète : elle est devenue trop longue. Veuillez poser une question plus "
        "précise."
    ),
    Sentence.ANSWER_CUT: (
        "La réponse est devenue plus longue que ce que le modèle peut écrire. Veuillez poser une question "
        "plus précise."
    ),
    Sentence.ANSWER_CUT_SUFFIX: (
        "Cette réponse est incomplète : elle est devenue plus longue que ce que le modèle peut écrire. "
        "Veuillez poser une question plus précise."
    ),
    Sentence.ENGINE_FAILED: (
        "Le service de réponse a rencontré une erreur. Veuillez réessayer dans un instant."
    ),
    Sentence.MODEL_BROKE_OFF_SUFFIX: (
        "Cette réponse est incomplète : le modèle qui la rédige s’est interrompu. Veuillez réessayer."
    ),
    Sentence.MODEL_REFUSED_SUFFIX: "Cette réponse est incomplète : le modèle a refusé de continuer.",
    Sentence.MODEL_SEARCHED_ELSEWHERE_SUFFIX: (
        "Le modèle qui rédige les réponses a cherché ailleurs que dans vos documents ; "
        "je n’affiche donc pas ce qu’il a écrit."
    ),
    Sentence.ACCESS_REFUSED: (
        "Vous n’avez pas l’autorisation de faire une recherche ici. La personne qui gère ce bot peut vous "
        "dire pourquoi."
    ),
    Sentence.ACCESS_REFUSED_SUFFIX: (
        "Cette réponse est incomplète : vous n’avez pas le droit de lire la suite. La personne qui gère ce "
        "bot peut vous dire pourquoi."
    ),
    Sentence.NOT_FOR_ASKER: (
        "Vous n’avez pas le droit de lire ce passage. La personne qui gère ce bot peut vous dire pourquoi."
    ),
    Sentence.ACCESS_UNDECIDED: (
        "Je n’ai pas pu déterminer ce que vous avez le droit de lire et n’ai donc pas cherché. Veuillez "
        "réessayer dans un instant."
    ),
    Sentence.ACCESS_UNDECIDED_SUFFIX: (
        "Cette réponse est incomplète : je n’ai pas pu déterminer ce que vous avez le droit de lire de la "
        "suite."
    ),
    Sentence.NOT_IN_SOURCE: "Introuvable dans la source : {words}",
    Sentence.SOURCE_DOUBTFUL: "Vient peut-être d’une autre source que {number} : {words}",
    Sentence.SUPPORT_DOUBTFUL: "N’est peut-être pas étayé par la source {number} : {words}",
    Sentence.UNDERSTOOD_AS: "Question comprise ainsi : {question}",
    Sentence.NOT_SURE: "Je n’ai pas de réponse claire. Voici les passages qui s’en rapprochent le plus :",
    Sentence.NEAREST: "Pas de réponse claire : les passages les plus proches de vos documents",
    Sentence.WORD_REPLACED: "Rien sur « {asked} ». Résultats pour « {shown} ».",
    Sentence.NO_SUCH_SECTION: "{section} ne figure pas dans vos documents.",
    Sentence.STILL_READING: (
        "Je lis encore vos documents. "
        "Reposez la question dans un instant : j’en trouverai peut-être davantage."
    ),
    Sentence.NOTHING_FOUND: "Je n’ai rien trouvé à ce sujet dans vos documents.",
    Sentence.LOOKED_FOR: Plural(
        "J’ai cherché {words} dans {count} document : {titles}.",
        "J’ai cherché {words} dans {count} documents : {titles}.",
    ),
    Sentence.LOOKED_IN: Plural(
        "J’ai cherché dans {count} document : {titles}.", "J’ai cherché dans {count} documents : {titles}."
    ),
    Sentence.AND_MORE: Plural("{titles} et {count} autre", "{titles} et {count} autres"),
    Sentence.IN_QUOTES: "« {text} »",
    Sentence.PERHAPS_YOU_MEAN: "Vous vouliez peut-être demander :",
    Sentence.YOU_CAN_ASK: "Vous pouvez par exemple demander :",
    Sentence.SMALLTALK: (
        "Je réponds aux questions à partir de vos documents, avec leurs propres mots, et j’indique où se "
        "trouve chaque phrase."
    ),
    Sentence.NOT_QUOTABLE: (
        "Je ne peux pas citer ce qui répond à cette question, car son étiquette de confidentialité le "
        "chiffre. Consultez :"
    ),
    Sentence.MORE_NOT_QUOTABLE: (
        "Il y a d’autres contenus que je ne peux pas citer, car leur étiquette de confidentialité les "
        "chiffre :"
    ),
    Sentence.QUOTED: "Extrait de vos documents",
    Sentence.WRITTEN_BY: "Rédigé par {model} à partir de vos documents",
    Sentence.MODEL_KEY_REFUSED: (
        "Le modèle {model} ne rédige pas de réponses : son serveur refuse la clé ({prefix}_API_KEY). Les "
        "réponses sont citées de vos documents."
    ),
    Sentence.MODEL_UNKNOWN: (
        "Le serveur ne connaît pas de modèle {model}, ou pas pour cette clé ({prefix}_MODEL). Les réponses "
        "sont citées de vos documents."
    ),
    Sentence.MODEL_NOT_THERE: (
        "Il n’y a pas de modèle à cette adresse ({prefix}_BASE_URL, par exemple {example}). Les "
        "réponses sont citées de vos documents."
    ),
    Sentence.MODEL_UNREACHABLE: (
        "Le serveur du modèle {model} est injoignable ou défaillant ({prefix}_BASE_URL). En attendant, les "
        "réponses sont citées de vos documents."
    ),
    Sentence.MODEL_SLOW: (
        "Le modèle {model} n’a pas encore répondu. Il est peut-être en cours de chargement. En attendant, "
        "les réponses sont citées de vos documents."
    ),
    Sentence.MODEL_NOT_INSTALLED: (
        "Le modèle {model} ne rédige pas de réponses, car son paquet n’est pas installé : "
        "pip install -r requirements-{api}.txt. Les réponses sont citées de vos documents."
    ),
    Sentence.MODEL_FAILED: "Le modèle qui rédige les réponses n’a pas pu répondre.",
    Sentence.MODEL_FAILED_SO_QUOTED: (
        "Le modèle qui rédige les réponses n’a pas pu répondre ; voici donc des phrases de vos documents."
    ),
    Sentence.MODEL_CITED_NOTHING: (
        "Le modèle n’a pas indiqué quel passage appuie cela. Voici les plus proches :"
    ),
    Sentence.STEPS: "Comment cette réponse a été trouvée",
    Sentence.THE_ENGINE: "Le moteur",
    Sentence.NO_SUCH_DOCUMENT: "Ce document n’existe pas.",
    Sentence.NOT_COPIED: (
        "Cette réponse n’est pas copiée, car ses sources sont chiffrées par leur étiquette de "
        "confidentialité."
    ),
    Sentence.VIEW_BACK: "Retour à la conversation",
    Sentence.VIEW_ORIGINAL: "Ouvrir l’original",
    Sentence.VIEW_LABEL: "Étiquette de confidentialité : {label}",
    Sentence.VIEW_CITED: "Phrase citée",
    Sentence.VIEW_PASSAGE: "Passage cité",
    Sentence.VIEW_TO_MARK: "Afficher le passage cité",
    Sentence.VIEW_PREVIOUS_PAGE: "Page précédente",
    Sentence.VIEW_NEXT_PAGE: "Page suivante",
    Sentence.VIEW_PAGE: "Numéro de page",
    Sentence.VIEW_PAGE_OF: "Page {page} sur {count}",
    Sentence.VIEW_SMALLER: "Réduire",
    Sentence.VIEW_LARGER: "Agrandir",
    Sentence.VIEW_FAILED: "Ce document ne peut pas être affiché ici. Veuillez ouvrir l’original.",
    Sentence.VIEW_NO_SCRIPT: (
        "Pour dessiner les pages, cette vue a besoin de JavaScript. L’original s’ouvre sans lui."
    ),
    Sentence.SKIPPED_FORMAT: (
        "Le format {format} n’est pas lu. Enregistrez le fichier au format {first} ou {second}."
    ),
    Sentence.SKIPPED_FORMAT_SAVED_AS: "Le format {format} n’est pas lu. Enregistrez-le au format {other}.",
    Sentence.SKIPPED_EMPTY: "Le fichier est vide.",
    Sentence.SKIPPED_NO_TEXT: "Le fichier ne contient pas de texte.",
    Sentence.SKIPPED_DAMAGED: "Le fichier est endommagé.",
    Sentence.SKIPPED_ENCRYPTED: "Le fichier est protégé par un mot de passe.",
    Sentence.SKIPPED_OLD_FORMAT: (
        "Le fichier est dans l’ancien format .{format}. Enregistrez-le au format .{format}x."
    ),
    Sentence.SKIPPED_NOT_TEXT: "Le fichier n’est pas du texte.",
    Sentence.SKIPPED_SCANNED: (
        "Ses pages sont des images sans texte. Soumettez-le d’abord à une reconnaissance de texte."
    ),
    Sentence.SKIPPED_TOO_LARGE: "Le fichier est trop volumineux.",
    Sentence.SKIPPED_UNPACKS: "Une fois décompressé, le fichier dépasse {limit} Mo.",
    Sentence.SKIPPED_LINK: "C’est un lien qui mène hors du dossier.",
    Sentence.SKIPPED_NOT_OPENED: "Le fichier ne peut pas être ouvert ({cause}).",
    Sentence.SKIPPED_TOO_SLOW: "La lecture du fichier prend plus de {limit} s.",
    Sentence.SKIPPED_TOO_HUNGRY: "La lecture du fichier demande plus de {limit} Mo de mémoire.",
    Sentence.SKIPPED_TOO_LONG: "Le fichier contient trop de texte.",
    Sentence.SKIPPED_CRASHED: "Le fichier fait planter son lecteur.",
    Sentence.SKIPPED_NAME: "Le nom n’est pas de l’Unicode valide. Renommez le fichier.",
    Sentence.SKIPPED_PACKAGES: "Ce dossier contient des paquets installés.",
    Sentence.SKIPPED_ARCHIVE: "Les archives ne sont pas lues. Décompressez le fichier dans le dossier.",
    Sentence.SKIPPED_SEALED: "Le fichier est chiffré.",
    Sentence.SKIPPED_COPY_PROTECTED: "Le livre est protégé contre la copie.",
    Sentence.SKIPPED_OTHER_FORMAT: "Le fichier n’est pas du format que son nom indique.",
    Sentence.SKIPPED_PACKED: "Ce code est compacté pour les machines.",
    Sentence.SKIPPED_OTHERS: Plural(
        "{count} fichier d’un format qui n’est pas lu", "{count} fichiers d’un format qui n’est pas lu"
    ),
    Sentence.SKIPPED_SLIDES: Plural(
        "{count} diapositive masquée n’est pas lue.", "{count} diapositives masquées ne sont pas lues."
    ),
    Sentence.SKIPPED_SHEETS: Plural(
        "{count} feuille masquée n’est pas lue.", "{count} feuilles masquées ne sont pas lues."
    ),
    Sentence.SKIPPED_ROWS: Plural(
        "{count} ligne masquée n’est pas lue.", "{count} lignes masquées ne sont pas lues."
    ),
    Sentence.SKIPPED_ATTACHMENTS: Plural(
        "{count} pièce jointe n’est pas lue.", "{count} pièces jointes ne sont pas lues."
    ),
    Sentence.SKIPPED_LINES: Plural(
        "{count} ligne endommagée n’est pas lue.", "{count} lignes endommagées ne sont pas lues."
    ),
    Sentence.PAGE_TITLE: "Interroger « {title} »",
    Sentence.PAGE_DOCUMENTS: Plural("{count} document", "{count} documents"),
    Sentence.PAGE_PROMISE: "Chaque affirmation indique sa source",
    Sentence.PAGE_CONVERSATION: "Conversation",
    Sentence.PAGE_NEW_CONVERSATION: "Nouvelle conversation",
    Sentence.PAGE_CONVERSATIONS: "Conversations",
    Sentence.PAGE_RENAME: "Renommer",
    Sentence.PAGE_COPY: "Copier en Markdown",
    Sentence.PAGE_SAVE: "Enregistrer en Markdown",
    Sentence.PAGE_DELETE: "Supprimer",
    Sentence.PAGE_CANCEL: "Annuler",
    Sentence.PAGE_MORE: "Plus d’actions pour « {title} »",
    Sentence.PAGE_TITLE_OF: "Titre de la conversation",
    Sentence.PAGE_DELETE_WHICH: "Supprimer « {title} » ? Cette conversation ne pourra pas être rétablie.",
    Sentence.PAGE_DELETED: "La conversation a été supprimée.",
    Sentence.PAGE_COPY_ANSWER: "Copier avec les sources",
    Sentence.PAGE_SAVE_ANSWER: "Enregistrer avec les sources",
    Sentence.PAGE_COPIED: "Copié, avec les sources en notes de bas de page.",
    Sentence.PAGE_NOT_COPIED: "La copie n’a pas fonctionné.",
    Sentence.PAGE_SAVED: "Enregistré, avec les sources en notes de bas de page.",
    Sentence.PAGE_NOT_SAVED: "L’enregistrement n’a pas fonctionné.",
    Sentence.PAGE_BEGIN_NEW: "Commencer une nouvelle conversation",
    Sentence.PAGE_DARK: "Couleurs sombres",
    Sentence.PAGE_STOP: "Arrêter la réponse",
    Sentence.PAGE_ASK: "Posez une question",
    Sentence.PAGE_ENDED: "Cette conversation est terminée, car le bot a été redémarré.",
    Sentence.PAGE_UNREACHABLE: "Le bot est injoignable. Est-il toujours en cours d’exécution ?",
    Sentence.PAGE_NO_WEB_CHAT: (
        "Web Chat n’a pas pu être chargé. Sans npm sur cet ordinateur, il a besoin d’Internet."
    ),
    Sentence.PAGE_NO_SCRIPT: "Cette page nécessite JavaScript : Web Chat est écrit dans ce langage.",
    Sentence.PAGE_PANEL: "Documents",
    Sentence.PAGE_CLOSE: "Fermer",
    Sentence.PAGE_FILTER: "Filtrer les documents",
    Sentence.PAGE_NO_MATCH: "Aucun document ne correspond.",
    Sentence.PAGE_PASSAGES: Plural("{count} passage", "{count} passages"),
    Sentence.PAGE_INDEXED: "Lu {when}",
    Sentence.PAGE_READING: "En cours de lecture",
    Sentence.PAGE_READ_SO_FAR: "{done} fichiers lus sur {total}",
    Sentence.PAGE_ALL_READ: "Tous les fichiers sont lus",
    Sentence.PAGE_STALLED: "La lecture prend plus de temps que d’habitude",
    Sentence.PAGE_SKIPPED: "Non lus",
    Sentence.PAGE_ADD: "Ajouter des fichiers",
    Sentence.PAGE_ADDED_BY_YOU: "Ajouté par vous",
    Sentence.PAGE_ADDED: "{name} a été ajouté.",
    Sentence.PAGE_REPLACED: "{name} a remplacé le fichier du même nom que vous aviez ajouté.",
    Sentence.PAGE_REMOVE: "Supprimer {name}",
    Sentence.PAGE_REMOVED: "{name} a été supprimé.",
    Sentence.PAGE_NOT_REMOVED: "{name} n’a pas pu être supprimé. Veuillez réessayer dans un instant.",
    Sentence.PAGE_NOT_READ: "{name} n’a pas été ajouté, car les fichiers de ce format ne sont pas lus.",
    Sentence.PAGE_TOO_LARGE: "{name} n’a pas été ajouté, car il dépasse {limit} Mo.",
    Sentence.PAGE_NOT_ADDED: "{name} n’a pas pu être ajouté.",
    Sentence.PAGE_NO_FOLDERS: "{name} est un dossier. Veuillez ajouter ses fichiers.",
    Sentence.PAGE_DROP: "Déposez des fichiers pour les interroger aussi",
    Sentence.PAGE_STORED: (
        "Ils sont enregistrés sur cet ordinateur, pour vous seul. Votre dossier n’est pas modifié."
    ),
    Sentence.PAGE_START: "Ce que vous pouvez demander",
    Sentence.PAGE_FORMATS: "Formats lus :",
    Sentence.PAGE_SOURCE_CODE: "Code source",
    Sentence.PAGE_EMPTY: "Il n’y a pas encore de documents",
    Sentence.PAGE_EMPTY_HINT: (
        "Placez des documents dans le dossier {title}, ou déposez-les sur cette page."
    ),
}

FRENCH: Final = Catalogue(
    language="fr",
    name="french",
    wording=Wording(**{name: _typeset(text) for name, text in asdict(_WORDING).items()}),
    sentences={sentence: _typeset_all(text) for sentence, text in _SENTENCES.items()},
    is_one=lambda count: count in (0, 1),
)
