"""What documents bring to the bot: the page's panel, views of documents, models of this machine.

It is loaded where there are documents. Its imports are a third of a start's, and other answer sources need
none of them.
"""

from __future__ import annotations

from aiohttp import web

from ..direct_line.local_documents import add_local_documents
from ..direct_line.local_models import add_local_models
from ..direct_line.page import PANEL
from ..document_view.page import DocumentView, add_document_view
from ..document_view.pdf_library import PdfLibrary
from ..http.documents import add_documents
from ..sources import AnswerSource
from ..sources.folder import FolderSource
from ..sources.local_models import LocalModels, ModelUse
from .settings import Settings


def serve_documents(
    app: web.Application,
    settings: Settings,
    source: AnswerSource,
    folder: FolderSource | None,
    pdf: PdfLibrary | None,
) -> tuple[str, ...]:
    """Serve the documents and their views, and return the modules that the page needs for them."""
    view = DocumentView(source, settings.labels, pdf)
    added = folder.added if folder else None
    add_documents(
        app,
        settings.docs,
        view.media_types,
        show=view.show,
        added=added.directory if added else None,
        check=view.explain_withheld,
    )
    add_document_view(app, view)
    if not (folder and added):
        return ()
    add_local_documents(app, folder, added, settings.labels)
    return PANEL


def look_for_models(app: web.Application, settings: Settings, source: FolderSource) -> None:
    """Have the page offer models of this machine, or the first ones that are found be used.

    Where the passages' vectors are chosen by a variable, or unwanted, no model is looked for them.
    """
    may_embed = settings.embeddings is not None and not settings.embeddings.model
    models = LocalModels(
        source,
        uses=tuple(ModelUse) if may_embed else (ModelUse.WRITING,),
        takes_first=settings.local_models.mode == "auto",
    )
    add_local_models(app, source, models)
