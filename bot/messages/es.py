"""Spanish, in the formal address."""

from __future__ import annotations

from typing import Final

from citations import Wording

from .catalogue import Catalogue, Plural
from .sentence import Sentence

SPANISH: Final = Catalogue(
    language="es",
    name="spanish",
    wording=Wording(
        ai="IA",
        address_too_long="su dirección es demasiado larga para enviarla aquí",
        answer_cut="… Esta respuesta es más larga de lo que admite un mensaje: se omite el resto.",
        answer_withheld=(
            "Esta respuesta no se muestra aquí porque su etiqueta de confidencialidad es {label}."
        ),
        answer_withheld_unknown=(
            "Esta respuesta no se muestra aquí porque se interrumpió antes de que se conociera su etiqueta "
            "de confidencialidad."
        ),
        # Before the sound of i, "y" alone becomes "e" in Spanish; "y también" fits before each word.
        both="{first} y también {last}",
        document="Documento {number}",
        label="Etiqueta de confidencialidad: {label}",
        # The alphabet of SMS lacks á, í, ó and ú, so the next two sentences do without them.
        more="Responda SEGUIR para leer el resto.",
        more_or_number="Responda SEGUIR para leer el resto, o con la cifra de una fuente.",
        no_passage="Aquí no hay ningún pasaje de esta fuente.",
        open="Abrir {name}",
        other_sources="{count} fuentes más",
        line=", línea {first}",
        lines=", líneas {first}-{last}",
        page=", p. {page}",
        pages=", pp. {first}-{last}",
        passage_withheld=(
            "Este pasaje no se muestra aquí porque su etiqueta de confidencialidad es {label}."
        ),
        quoted="Extraído de la fuente",
        read_source="Puede leer la fuente donde se guarda:",
        read_sources="Puede leer las fuentes donde se guardan:",
        row=", fila {first}",
        rows=", filas {first}-{last}",
        sheet=", hoja {sheet}",
        slide=", diapositiva {first}",
        slides=", diapositivas {first}-{last}",
        source="Fuente",
        source_number="Fuente {number}:",
        sources="Fuentes",
        sources_said="Según {sources}.",
        surfaced_with="Obtenido con {provider}",
        uncited=("{provider} no ha indicado qué fuente respalda cada afirmación. La respuesta se basa en:"),
    ),
    sentences={
        Sentence.FILES_NOT_READ: (
            "No puedo leer los archivos que se envían aquí: respondo a partir de los documentos con los que "
            "me han iniciado. Por favor, haga su pregunta por escrito."
        ),
        Sentence.NO_QUESTION: "Por favor, hágame una pregunta por escrito.",
        Sentence.OTHER_TENANT: "Solo respondo a las personas de la organización que me gestiona.",
        Sentence.QUESTION_TOO_LONG: "Por favor, haga su pregunta en menos de {limit} caracteres.",
        Sentence.GREETING: "¡Hola! Mis respuestas proceden de: {title}. Cada afirmación indica su fuente.",
        Sentence.GREETING_WITH_COUNT: Plural(
            "¡Hola! Mis respuestas proceden de: {title}. He leído {count} documento y cada afirmación "
            "indica su fuente.",
            "¡Hola! Mis respuestas proceden de: {title}. He leído {count} documentos y cada afirmación "
            "indica su fuente.",
        ),
        Sentence.GREETING_NUMBER: "Responda con un número para leer el pasaje.",
        Sentence.SAMPLE_DOCUMENTS: "Documentos de ejemplo",
        Sentence.SEARCHING: "Buscando en «{title}»…",
        Sentence.READING: Plural("Leyendo {count} pasaje…", "Leyendo {count} pasajes…"),
        Sentence.WRITING: "Escribiendo la respuesta…",
        Sentence.STOPPED: "Me he detenido antes de tener una respuesta.",
        Sentence.STOPPED_SUFFIX: "Usted ha detenido la respuesta aquí.",
        Sentence.TOO_SLOW: (
            "Ha tardado más de lo que puedo esperar. Inténtelo de nuevo o haga una pregunta más concreta."
        ),
        Sentence.TOO_SLOW_SUFFIX: (
            "Esta respuesta no está completa: el resto ha tardado más de lo que puedo esperar."
        ),
        Sentence.CRASHED: "Algo ha fallado mientras respondía. Inténtelo de nuevo.",
        Sentence.CRASHED_SUFFIX: (
            "Esta respuesta no está completa: algo ha fallado mientras la escribía. Inténtelo de nuevo."
        ),
        Sentence.BUSY: (
            "Ahora mismo tengo demasiadas preguntas que responder. Vuelva a preguntar dentro de un momento."
        ),
        Sentence.BUSY_SUFFIX: (
            "Esta respuesta no está completa: ahora mismo tengo demasiadas preguntas que responder."
        ),
        Sentence.CLOSING: (
            "Me están reiniciando y no he podido responder. Vuelva a preguntar dentro de un momento."
        ),
        Sentence.CLOSING_SUFFIX: (
            "Esta respuesta no está completa: me están reiniciando. Vuelva a preguntar dentro de un momento."
        ),
        Sentence.UNREADABLE: (
            "No he podido leer lo que me ha enviado el servicio de respuestas. Inténtelo de nuevo dentro de "
            "un momento."
        ),
        Sentence.UNREADABLE_SUFFIX: (
            "Esta respuesta no está completa: no he podido leer lo que venía después. Inténtelo de nuevo."
        ),
        Sentence.MAYBE_LOST: "No sé si le ha llegado todo. Si falta algo, vuelva a preguntar.",
        Sentence.GOES_ON: "La respuesta continúa en mi próximo mensaje.",
        Sentence.COMES_LATER: (
            "Esto está tardando más de lo habitual. La respuesta llegará en mi próximo mensaje."
        ),
        Sentence.THAT_WAS_THE_ANSWER: "Esa era toda la respuesta.",
        Sentence.LATE: "No se le pudo entregar la última respuesta. Aquí la tiene:",
        Sentence.LOST: "No se le pudo entregar la última respuesta. Vuelva a preguntar, por favor.",
        Sentence.UNSURE: (
            "No sé si mi última respuesta le ha llegado. Si no es así, vuelva a preguntar, por favor."
        ),
        Sentence.ALSO_FOUND: (
            "También he encontrado estas fuentes, que no me han hecho falta para la respuesta:"
        ),
        Sentence.THAT_WAS_ALL: "Eso es todo.",
        Sentence.NO_SUCH_SOURCE: (
            "Mi última respuesta no tiene ninguna fuente {number}. Para leer el pasaje correspondiente, "
            "responda con uno de estos números: {numbers}."
        ),
        Sentence.NO_OTHER_SOURCE: (
            "Mi última respuesta no tiene ninguna fuente {number}. Responda {only} para leer el pasaje de "
            "la única que tiene."
        ),
        # Before 8 and 11, "o" becomes "u" in Spanish; a comma fits before each number.
        Sentence.EITHER: "{first}, {last}",
        Sentence.SOURCE_FAILED: (
            "No he podido conectar con el servicio de respuestas. Inténtelo de nuevo dentro de un momento."
        ),
        Sentence.SOURCE_FAILED_SUFFIX: (
            "Esta respuesta no está completa: el servicio de respuestas se ha interrumpido."
        ),
        Sentence.SOURCE_BUSY: (
            "El servicio de respuestas está sobrecargado. Inténtelo de nuevo dentro de un momento."
        ),
        Sentence.SOURCE_PAUSED: (
            "El servicio de respuestas no funciona en este momento. Volveré a intentarlo dentro de medio "
            "minuto; vuelva a preguntar entonces, por favor."
        ),
        Sentence.SOURCE_BROKE_OFF: "El servicio de respuestas se ha interrumpido. Inténtelo de nuevo.",
        Sentence.SOURCE_BROKE_OFF_SUFFIX: (
            "Esta respuesta no está completa: el servicio de respuestas se ha interrumpido. Inténtelo de "
            "nuevo."
        ),
        Sentence.SOURCE_REFUSED: (
            "El servicio de respuestas no ha aceptado esta pregunta. Hágala con otras palabras; si no "
            "sirve, tendrá que revisarlo la persona que gestiona este bot."
        ),
        Sentence.SOURCE_REFUSED_SUFFIX: (
            "Esta respuesta no está completa: el servicio de respuestas se ha negado a continuar."
        ),
        Sentence.ANSWER_FILTERED: (
            "Un filtro de contenido ha retenido la respuesta. Pregunte con otras palabras, por favor."
        ),
        Sentence.ANSWER_FILTERED_SUFFIX: (
            "Esta respuesta no está completa: un filtro de contenido la ha terminado aquí. Pregunte con "
            "otras palabras, por favor."
        ),
        Sentence.KEY_REFUSED: (
            "El servicio de respuestas ha rechazado mi clave; tendrá que revisarlo la persona que gestiona "
            "este bot."
        ),
        Sentence.NOT_FOUND_AT_SOURCE: (
            "El servicio de respuestas no tiene lo que se me ha configurado para consultar; tendrá que "
            "revisarlo la persona que gestiona este bot."
        ),
        Sentence.SOURCE_TIMED_OUT: (
            "El servicio de respuestas ha tardado más de lo que puedo esperar. Inténtelo de nuevo o haga "
            "una pregunta más concreta."
        ),
        Sentence.SOURCE_TIMED_OUT_SUFFIX: (
            "Esta respuesta no está completa: el servicio de respuestas ha tardado más de lo que puedo "
            "esperar."
        ),
        Sentence.ANSWER_TOO_LONG: (
            "La respuesta se ha hecho demasiado larga. Haga una pregunta más concreta, por favor."
        ),
        Sentence.ANSWER_TOO_LONG_SUFFIX: (
            "Esta respuesta no está completa: se ha hecho demasiado larga. Haga una pregunta más concreta, "
            "por favor."
        ),
        Sentence.ANSWER_CUT: (
            "La respuesta se ha hecho más larga de lo que el modelo puede escribir. Haga una pregunta más "
            "concreta, por favor."
        ),
        Sentence.ANSWER_CUT_SUFFIX: (
            "Esta respuesta no está completa: se ha hecho más larga de lo que el modelo puede escribir. "
            "Haga una pregunta más concreta, por favor."
        ),
        Sentence.ENGINE_FAILED: (
            "El servicio de respuestas ha fallado. Inténtelo de nuevo dentro de un momento."
        ),
        Sentence.MODEL_BROKE_OFF_SUFFIX: (
            "Esta respuesta no está completa: el modelo que la escribe se ha interrumpido. Inténtelo de "
            "nuevo."
        ),
        Sentence.MODEL_REFUSED_SUFFIX: (
            "Esta respuesta no está completa: el modelo se ha negado a continuar."
        ),
        Sentence.MODEL_SEARCHED_ELSEWHERE_SUFFIX: (
            "El modelo que redacta las respuestas ha buscado en otro sitio en lugar de en sus documentos, "
            "por lo que no muestro lo que ha escrito."
        ),
        Sentence.ACCESS_REFUSED: (
            "No tiene permiso para buscar nada aquí. La persona que gestiona este bot puede decirle por qué."
        ),
        Sentence.ACCESS_REFUSED_SUFFIX: (
            "Esta respuesta no está completa: no tiene permiso para leer el resto. La persona que gestiona "
            "este bot puede decirle por qué."
        ),
        Sentence.NOT_FOR_ASKER: (
            "No tiene permiso para leer ese contenido. La persona que gestiona este bot puede decirle "
            "por qué."
        ),
        Sentence.ACCESS_UNDECIDED: (
            "No he podido averiguar qué tiene permiso para leer, así que no he buscado. Inténtelo de nuevo "
            "dentro de un momento."
        ),
        Sentence.ACCESS_UNDECIDED_SUFFIX: (
            "Esta respuesta no está completa: no he podido averiguar qué tiene permiso para leer del resto."
        ),
        Sentence.NOT_IN_SOURCE: "No se encuentra en la fuente: {words}",
        Sentence.SOURCE_DOUBTFUL: "Quizá procede de otra fuente que {number}: {words}",
        Sentence.SUPPORT_DOUBTFUL: "Quizá no lo respalda la fuente {number}: {words}",
        Sentence.UNDERSTOOD_AS: "Pregunta entendida así: {question}",
        Sentence.NOT_SURE: "No tengo una respuesta clara. Estos son los pasajes que más se acercan:",
        Sentence.NEAREST: "Sin respuesta clara: los pasajes más cercanos de sus documentos",
        Sentence.WORD_REPLACED: "No hay nada sobre «{asked}». Se muestra «{shown}».",
        Sentence.NO_SUCH_SECTION: "Sus documentos no contienen {section}.",
        Sentence.STILL_READING: (
            "Todavía estoy leyendo sus documentos. "
            "Vuelva a preguntar dentro de un momento: quizá encuentre más."
        ),
        Sentence.NOTHING_FOUND: "No he encontrado nada sobre esto en sus documentos.",
        Sentence.LOOKED_FOR: Plural(
            "He buscado {words} en {count} documento: {titles}.",
            "He buscado {words} en {count} documentos: {titles}.",
        ),
        Sentence.LOOKED_IN: Plural(
            "He buscado en {count} documento: {titles}.", "He buscado en {count} documentos: {titles}."
        ),
        Sentence.AND_MORE: Plural("{titles} y {count} más", "{titles} y {count} más"),
        Sentence.IN_QUOTES: "«{text}»",
        Sentence.PERHAPS_YOU_MEAN: "Quizá se refiera a:",
        Sentence.YOU_CAN_ASK: "Puede preguntar, por ejemplo:",
        Sentence.SMALLTALK: (
            "Respondo a las preguntas con frases literales de sus documentos y muestro dónde está cada una."
        ),
        Sentence.NOT_QUOTABLE: (
            "No puedo citar lo que responde a esto, porque su etiqueta de confidencialidad lo cifra. "
            "Consulte aquí:"
        ),
        Sentence.MORE_NOT_QUOTABLE: (
            "Hay más contenido que no puedo citar, porque su etiqueta de confidencialidad lo cifra:"
        ),
        Sentence.QUOTED: "Extraído de sus documentos",
        Sentence.WRITTEN_BY: "Redactado por {model} a partir de sus documentos",
        Sentence.MODEL_KEY_REFUSED: (
            "El modelo {model} no redacta respuestas: su servidor rechaza la clave ({prefix}_API_KEY). Las "
            "respuestas se citan de sus documentos."
        ),
        Sentence.MODEL_UNKNOWN: (
            "El servidor no conoce ningún modelo {model}, o no para esta clave ({prefix}_MODEL). Las "
            "respuestas se citan de sus documentos."
        ),
        Sentence.MODEL_NOT_THERE: (
            "En esta dirección no hay ningún modelo ({prefix}_BASE_URL, por ejemplo {example}). Las "
            "respuestas se citan de sus documentos."
        ),
        Sentence.MODEL_UNREACHABLE: (
            "No se puede acceder al servidor del modelo {model}, o falla ({prefix}_BASE_URL). Mientras "
            "tanto, las respuestas se citan de sus documentos."
        ),
        Sentence.MODEL_SLOW: (
            "El modelo {model} aún no ha respondido. Quizá todavía se esté cargando. Mientras tanto, las "
            "respuestas se citan de sus documentos."
        ),
        Sentence.MODEL_NOT_INSTALLED: (
            "El modelo {model} no redacta respuestas porque su paquete no está instalado: "
            "pip install -r requirements-{api}.txt. Las respuestas se citan de sus documentos."
        ),
        Sentence.MODEL_FAILED: "El modelo que redacta las respuestas no ha podido responder.",
        Sentence.MODEL_FAILED_SO_QUOTED: (
            "El modelo que redacta las respuestas no ha podido responder, así que estas son frases de sus "
            "documentos."
        ),
        Sentence.MODEL_CITED_NOTHING: (
            "El modelo no ha indicado qué pasaje respalda esto. Estos son los más cercanos:"
        ),
        Sentence.STEPS: "Cómo se ha respondido",
        Sentence.THE_ENGINE: "El motor",
        Sentence.NO_SUCH_DOCUMENT: "Este documento no existe.",
        Sentence.NOT_COPIED: (
            "Esta respuesta no se copia porque sus fuentes están cifradas por su etiqueta de "
            "confidencialidad."
        ),
        Sentence.VIEW_BACK: "Volver a la conversación",
        Sentence.VIEW_ORIGINAL: "Abrir el original",
        Sentence.VIEW_LABEL: "Etiqueta de confidencialidad: {label}",
        Sentence.VIEW_CITED: "Frase citada",
        Sentence.VIEW_PASSAGE: "Pasaje citado",
        Sentence.VIEW_TO_MARK: "Ver la parte citada",
        Sentence.VIEW_PREVIOUS_PAGE: "Página anterior",
        Sentence.VIEW_NEXT_PAGE: "Página siguiente",
        Sentence.VIEW_PAGE: "Número de página",
        Sentence.VIEW_PAGE_OF: "Página {page} de {count}",
        Sentence.VIEW_SMALLER: "Reducir",
        Sentence.VIEW_LARGER: "Ampliar",
        Sentence.VIEW_FAILED: "Este documento no se puede mostrar aquí. Abra el original.",
        Sentence.VIEW_NO_SCRIPT: (
            "Para dibujar las páginas, esta vista necesita JavaScript. El original se abre sin él."
        ),
        Sentence.SKIPPED_FORMAT: "El formato {format} no se lee. Guarde el archivo como {first} o {second}.",
        Sentence.SKIPPED_FORMAT_SAVED_AS: "El formato {format} no se lee. Guárdelo como {other}.",
        Sentence.SKIPPED_EMPTY: "El archivo está vacío.",
        Sentence.SKIPPED_NO_TEXT: "El archivo no tiene texto.",
        Sentence.SKIPPED_DAMAGED: "El archivo está dañado.",
        Sentence.SKIPPED_ENCRYPTED: "El archivo está protegido con una contraseña.",
        Sentence.SKIPPED_OLD_FORMAT: (
            "El archivo tiene el formato antiguo .{format}. Guárdelo como .{format}x."
        ),
        Sentence.SKIPPED_NOT_TEXT: "El archivo no es texto.",
        Sentence.SKIPPED_SCANNED: "Sus páginas son imágenes sin texto. Páselo primero por un OCR.",
        Sentence.SKIPPED_TOO_LARGE: "El archivo es demasiado grande.",
        Sentence.SKIPPED_UNPACKS: "El archivo descomprimido supera los {limit} MB.",
        Sentence.SKIPPED_LINK: "Es un enlace que lleva fuera de la carpeta.",
        Sentence.SKIPPED_NOT_OPENED: "El archivo no se puede abrir ({cause}).",
        Sentence.SKIPPED_TOO_SLOW: "La lectura del archivo tarda más de {limit} s.",
        Sentence.SKIPPED_TOO_HUNGRY: "La lectura del archivo necesita más de {limit} MB de memoria.",
        Sentence.SKIPPED_TOO_LONG: "El archivo tiene demasiado texto.",
        Sentence.SKIPPED_CRASHED: "El archivo hace fallar su lector.",
        Sentence.SKIPPED_NAME: "El nombre no es Unicode válido. Cambie el nombre del archivo.",
        Sentence.SKIPPED_PACKAGES: "Esta carpeta contiene paquetes instalados.",
        Sentence.SKIPPED_ARCHIVE: "Los archivos comprimidos no se leen. Descomprímalo en la carpeta.",
        Sentence.SKIPPED_SEALED: "El archivo está cifrado.",
        Sentence.SKIPPED_COPY_PROTECTED: "El libro está protegido contra copia.",
        Sentence.SKIPPED_OTHER_FORMAT: "El archivo no tiene el formato que indica su nombre.",
        Sentence.SKIPPED_PACKED: "Este código está compactado para máquinas.",
        Sentence.SKIPPED_OTHERS: Plural(
            "{count} archivo de un formato que no se lee", "{count} archivos de un formato que no se lee"
        ),
        Sentence.SKIPPED_SLIDES: Plural(
            "{count} diapositiva oculta no se lee.", "{count} diapositivas ocultas no se leen."
        ),
        Sentence.SKIPPED_SHEETS: Plural(
            "{count} hoja oculta no se lee.", "{count} hojas ocultas no se leen."
        ),
        Sentence.SKIPPED_ROWS: Plural("{count} fila oculta no se lee.", "{count} filas ocultas no se leen."),
        Sentence.SKIPPED_ATTACHMENTS: Plural("{count} adjunto no se lee.", "{count} adjuntos no se leen."),
        Sentence.SKIPPED_LINES: Plural(
            "{count} línea dañada no se lee.", "{count} líneas dañadas no se leen."
        ),
        Sentence.PAGE_TITLE: "Preguntar a «{title}»",
        Sentence.PAGE_DOCUMENTS: Plural("{count} documento", "{count} documentos"),
        Sentence.PAGE_PROMISE: "Cada afirmación indica su fuente",
        Sentence.PAGE_CONVERSATION: "Conversación",
        Sentence.PAGE_NEW_CONVERSATION: "Conversación nueva",
        Sentence.PAGE_CONVERSATIONS: "Conversaciones",
        Sentence.PAGE_RENAME: "Cambiar el nombre",
        Sentence.PAGE_COPY: "Copiar como Markdown",
        Sentence.PAGE_SAVE: "Guardar como Markdown",
        Sentence.PAGE_DELETE: "Eliminar",
        Sentence.PAGE_CANCEL: "Cancelar",
        Sentence.PAGE_MORE: "Más acciones para «{title}»",
        Sentence.PAGE_TITLE_OF: "Título de la conversación",
        Sentence.PAGE_DELETE_WHICH: "¿Eliminar «{title}»? La conversación no se podrá recuperar.",
        Sentence.PAGE_DELETED: "La conversación se ha eliminado.",
        Sentence.PAGE_COPY_ANSWER: "Copiar con las fuentes",
        Sentence.PAGE_SAVE_ANSWER: "Guardar con las fuentes",
        Sentence.PAGE_COPIED: "Copiado, con las fuentes como notas al pie.",
        Sentence.PAGE_NOT_COPIED: "No se ha podido copiar.",
        Sentence.PAGE_SAVED: "Guardado, con las fuentes como notas al pie.",
        Sentence.PAGE_NOT_SAVED: "No se ha podido guardar.",
        Sentence.PAGE_BEGIN_NEW: "Empezar una conversación nueva",
        Sentence.PAGE_DARK: "Colores oscuros",
        Sentence.PAGE_STOP: "Detener la respuesta",
        Sentence.PAGE_ASK: "Haga una pregunta",
        Sentence.PAGE_ENDED: "Esta conversación ha terminado porque el bot se ha reiniciado.",
        Sentence.PAGE_UNREACHABLE: "No se puede conectar con el bot. ¿Sigue en ejecución?",
        Sentence.PAGE_NO_WEB_CHAT: (
            "No se ha podido cargar Web Chat. Sin npm en este equipo, necesita Internet."
        ),
        Sentence.PAGE_NO_SCRIPT: "Esta página necesita JavaScript: Web Chat está escrito en ese lenguaje.",
        Sentence.PAGE_PANEL: "Documentos",
        Sentence.PAGE_CLOSE: "Cerrar",
        Sentence.PAGE_FILTER: "Filtrar los documentos",
        Sentence.PAGE_NO_MATCH: "Ningún documento coincide.",
        Sentence.PAGE_PASSAGES: Plural("{count} pasaje", "{count} pasajes"),
        Sentence.PAGE_INDEXED: "Leído {when}",
        Sentence.PAGE_READING: "En lectura",
        Sentence.PAGE_READ_SO_FAR: "{done} de {total} archivos leídos",
        Sentence.PAGE_ALL_READ: "Todos los archivos están leídos",
        Sentence.PAGE_STALLED: "La lectura tarda más de lo habitual",
        Sentence.PAGE_SKIPPED: "No leídos",
        Sentence.PAGE_ADD: "Añadir archivos",
        Sentence.PAGE_ADDED_BY_YOU: "Añadido por usted",
        Sentence.PAGE_ADDED: "Se ha añadido {name}.",
        Sentence.PAGE_REPLACED: "{name} ha sustituido al archivo del mismo nombre que usted había añadido.",
        Sentence.PAGE_REMOVE: "Quitar {name}",
        Sentence.PAGE_REMOVED: "Se ha quitado {name}.",
        Sentence.PAGE_NOT_REMOVED: "No se ha podido quitar {name}. Inténtelo de nuevo dentro de un momento.",
        Sentence.PAGE_NOT_READ: "{name} no se ha añadido, porque los archivos de este formato no se leen.",
        Sentence.PAGE_TOO_LARGE: "{name} no se ha añadido, porque supera los {limit} MB.",
        Sentence.PAGE_NOT_ADDED: "No se ha podido añadir {name}.",
        Sentence.PAGE_NO_FOLDERS: "{name} es una carpeta. Añada sus archivos.",
        Sentence.PAGE_DROP: "Suelte archivos para consultarlos también",
        Sentence.PAGE_STORED: "Se guardan en este ordenador, solo para usted. Su carpeta no cambia.",
        Sentence.PAGE_START: "Lo que puede preguntar",
        Sentence.PAGE_FORMATS: "Formatos que se leen:",
        Sentence.PAGE_SOURCE_CODE: "Código fuente",
        Sentence.PAGE_EMPTY: "Todavía no hay documentos",
        Sentence.PAGE_EMPTY_HINT: "Ponga documentos en la carpeta {title} o suéltelos en esta página.",
    },
)
