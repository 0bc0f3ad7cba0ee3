"""Environment variables: how a subject declares its own, and what is said of their faults."""

from __future__ import annotations

import importlib
import io
import os
import re
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Self, get_args
from urllib.parse import urlsplit

from dotenv import dotenv_values
from dotenv.parser import parse_stream
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from citations.text import SURROGATE, decode_text, nearest

OPENAI: Final = "https://api.openai.com/v1"
"""The server of OpenAI, whose API other servers have, too."""
GUID_EXAMPLE: Final = "00000000-0000-0000-0000-000000000000"


class SettingsError(Exception):
    """The environment is invalid. ``faults`` has all faults, each in one line."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(dict.fromkeys(faults))
        super().__init__("\n".join(self.faults))


class SeveralFaultsError(ValueError):
    """Several faults of one variable."""

    def __init__(self, faults: Iterable[str]) -> None:
        super().__init__()
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class Words:
    """What is said of a variable's fault, and where it is ``missing`` but needed.

    ``{name}`` is the variable, ``{value}`` what it has, and ``{error}`` what a validator has raised. Without
    ``{value}`` the value stays unsaid, which may be a secret.
    """

    fault: str = "{name}={value} {error}"
    missing: str = "{name} is missing"


class Variables(BaseModel):
    """The settings of one subject, each a variable. What code makes of this class reads no environment."""

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        validate_by_name=True,
        validate_by_alias=True,
        arbitrary_types_allowed=True,
    )
    prefix: ClassVar[str] = ""
    """What the names of the variables begin with, which have no name of their own."""

    @classmethod
    def read(cls, given: Mapping[str, str], faults: list[str]) -> Self:
        """Read the variables that ``given`` has, and append a line to ``faults`` for each that is wrong.

        With a fault, the result has the defaults.
        """
        values = {name.upper(): value for name, value in given.items()}
        fields = {name: cls.variable_of(name).upper() for name in cls.model_fields}
        found = {name: values[variable] for name, variable in fields.items() if variable in values}
        # On Linux, a folder's name may have any bytes. Pydantic raises no ValidationError for these.
        strange = {name for name, value in found.items() if SURROGATE.search(value)}
        faults += [f"{fields[name]} is not valid Unicode" for name in strange]
        faults += cls.find_contradictions(given)
        try:
            return cls.model_validate({name: value for name, value in found.items() if name not in strange})
        except ValidationError as error:
            for one in error.errors(include_url=False):
                faults += _describe(cls, one)
            return cls.model_construct()

    @classmethod
    def find_contradictions(cls, given: Mapping[str, str]) -> Iterator[str]:  # noqa: ARG003 - most have none
        """The faults of variables that do not fit each other."""
        return iter(())

    @classmethod
    def variable_of(cls, name: str) -> str:
        """The variable of the field ``name``."""
        alias = cls.model_fields[name].validation_alias
        return str(alias) if alias else f"{cls.prefix}{name}".upper()


def read_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables of ``environ`` by their upper-case names, as Windows has them; a blank one is absent."""
    return {name.upper(): value.strip() for name, value in environ.items() if value.strip()}


def load_env_file(file: Path, environ: MutableMapping[str, str] = os.environ) -> list[str]:
    """Add the lines ``NAME=value`` of ``file`` to ``environ``, whose own values go before them.

    Return the faults of the file: that it can't be read, or each line that is something else.
    """
    try:
        text = decode_text(file.read_bytes())
    except FileNotFoundError:
        return []
    except OSError as error:
        return [f"{file} can't be read: {error.strerror or type(error).__name__}"]
    except ValueError as error:
        return [f"{file} is {error}"]
    wrong = [one.original.line for one in parse_stream(io.StringIO(text)) if one.error]
    if not wrong:
        for name, value in dotenv_values(stream=io.StringIO(text)).items():
            if value and not environ.get(name, "").strip():
                environ[name] = value
    return [f"{file}, line {line}: this is not NAME=value" for line in wrong]


def known_variables(kind: type[Variables] = Variables) -> Iterator[str]:
    """The variables of all subjects that are imported, in capitals."""
    yield from (kind.variable_of(name).upper() for name in kind.model_fields)
    for subject in kind.__subclasses__():
        yield from known_variables(subject)


_OF_LIBRARIES: Final = re.compile(
    r"(?:HTTPS?|ALL|NO|FTP)_PROXY|SSL_CERT_(?:FILE|DIR)|(?:REQUESTS|CURL)_CA_BUNDLE|NO_COLOR|TERM|TZ|LANG|PATH"
    r"|(?:CONNECTIONS__|CONNECTIONSMAP__|OTEL_|AWS_|AZURE_|GOOGLE_|GEMINI_|MISTRAL_|COHERE_|HF_|HUGGINGFACE"
    r"|TRANSFORMERS_|TOKENIZERS_|ORT_|OMP_|OPENAI_|ANTHROPIC_|LLAMA_|NLTK_|PG|QDRANT_|CHROMA_|REDIS_|PYTHON|UV_"
    r"|PIP_|LC_)\w*"
)
"""What our libraries and SDKs read."""
_SLIP: Final = 0.85
"""How alike a variable of the environment and one of ours are, where it is probably a slip."""


def explain_unknown(file: Path, environ: Mapping[str, str], known: Iterable[str]) -> Iterator[str]:
    """A sentence for each name of ``file`` that is not ``known`` or has no value, then for slips.

    ``file`` is the bot's own. The environment has names of all programs: there, only what begins as a known
    name does, and is almost it, is a slip. A line without ``=`` stays unsaid, which may be a secret.
    """
    ours = {name.upper() for name in known}
    try:
        text = decode_text(file.read_bytes())
    except (OSError, ValueError):
        text = ""
    lines = {one.key: one for one in parse_stream(io.StringIO(text)) if one.key}
    for name, line in lines.items():
        near = nearest(name, ours)
        if name.upper() in ours or (_OF_LIBRARIES.fullmatch(name.upper()) and not nearest(name, ours, _SLIP)):
            if line.value is None:
                yield f"{name} in {file} has no value: write {name}=VALUE"
        elif line.value is None:
            yield f"{file}, line {line.original.line}: this is not NAME=value"
        else:
            yield f"{name} in {file} is no setting{f' (did you mean {near}?)' if near else ''}"
    for name in sorted(environ.keys() - lines.keys()):
        near = nearest(name, ours, _SLIP) if name.upper() not in ours else ""
        if near and near[:3] == name[:3].upper():
            yield f"{name} is no setting (did you mean {near}?)"


def split_list(value: object) -> object:
    """The words of a variable that has several, separated by commas or spaces."""
    return value.replace(",", " ").split() if isinstance(value, str) else value


def lower(value: object) -> object:
    """A word whose capitals do not count."""
    return value.lower() if isinstance(value, str) else value


def check_url(url: str) -> str:
    """An http or https URL without a slash at its end. Raises ``ValueError`` for anything else."""
    url = url.rstrip("/")
    parts = urlsplit(url)
    # Reading a port that is none raises ValueError, too.
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.port == 0 or " " in url:
        raise ValueError("is not an http or https URL")
    return url


WebUrl = Annotated[str, AfterValidator(check_url)]
"""An http or https URL, without a slash at its end."""
GUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
Guid = Annotated[str, Field(pattern=f"^(?i:{GUID.pattern})$")]
PORTS: Final = Field(ge=0, le=65535)
PORT_WORDS: Final = Words("{name}={value} is not a port: use a number from 0 (any free one) to 65535")


def url_words(example: str, missing: str = "") -> Words:
    """What is said of a URL, whose value may have a password."""
    return Words(f"{{name}} is not an http or https URL such as {example}", missing)


def _describe(kind: type[Variables], error: Mapping[str, Any]) -> list[str]:
    """The lines for an error of pydantic's, by the words of its field or by its type."""
    place = error["loc"][0]
    fields = kind.model_fields.items()
    name, field = next((name, one) for name, one in fields if place in (name, one.validation_alias))
    words = next((one for one in field.metadata if isinstance(one, Words)), None) or _words_of(field)
    # A list that is empty names nothing.
    template = words.missing if error["type"] in ("missing", "too_short") else words.fault
    raised = error.get("ctx", {}).get("error", "")
    found = raised.faults if isinstance(raised, SeveralFaultsError) else (raised,)
    variable = kind.variable_of(name)
    return [template.format(name=variable, value=error["input"], error=one) for one in found]


def _words_of(field: FieldInfo) -> Words:
    """What is said of a variable that has no words of its own: by the type of its field."""
    kinds = {one for one in (*get_args(field.annotation), field.annotation) if one is not type(None)}
    if bool in kinds:
        return Words("{name}={value} is neither true nor false")
    if kinds & {int, float}:
        least, most = (
            next(getattr(one, side) for one in field.metadata if hasattr(one, side)) for side in ("ge", "le")
        )
        number = "a whole number" if int in kinds else "a number"
        return Words(f"{{name}}={{value}} is not {number} from {least} to {most}")
    if choices := [one for one in kinds if isinstance(one, str)]:
        in_order = [one for one in get_args(field.annotation) if one in choices]
        return Words(f"{{name}}={{value}} is not known: use {' or '.join(in_order)}")
    return Words()


Lowered = BeforeValidator(lower)
Listed = BeforeValidator(split_list)


_FORM: Final = re.compile(r"\w+(?:\.\w+)*:\w+(?:\.\w+)*")


def load_callable(spec: str, *, example: str) -> Any:
    """Import ``module:callable``. Raises ``ValueError``, whose message follows the variable."""
    if not _FORM.fullmatch(spec):
        raise ValueError(f"is not module:callable, such as {example}")
    module, _, name = spec.partition(":")
    try:
        target: Any = importlib.import_module(module)
        for part in name.split("."):
            target = getattr(target, part)
    except Exception as error:  # the module is the operator's, and may raise anything
        raise ValueError(f"can't be loaded: {_in_words(error)}") from error
    if not callable(target):
        raise ValueError("can't be called")
    return target


def _in_words(error: Exception) -> str:
    """An error of the operator's own code, on one line."""
    said = " ".join(str(error).split())
    if isinstance(error, SyntaxError) and "null bytes" in said:
        said = "a file is UTF-16, and not UTF-8"
    return said if isinstance(error, ImportError | AttributeError) else f"{type(error).__name__}: {said}"
