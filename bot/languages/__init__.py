"""What the bot says and understands in each language: one TOML file for each, named by its BCP 47 tag."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from citations.languages import LanguageFiles

LANGUAGES: Final = LanguageFiles(Path(__file__).parent)
