"""A tenant's sensitivity labels, as Microsoft Graph lists them, into the catalogue of a labels file.

Save what Graph answers (docs/labels.md says how), and::

    python -m examples.labels_from_graph labels.json labels.toml

It reads the lists of ``/security/dataSecurityAndGovernance/sensitivityLabels``, of the older
``/security/informationProtection/sensitivityLabels``, and what docs/labels.md makes of ``Get-Label``.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

Label = Mapping[str, Any]

_COLOR: Final = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})")
_HEAD: Final = """\
# The labels of a tenant. Below them belong [ceiling] and [[rule]]; at the top, default = "<an id>".
"""


def main(arguments: list[str]) -> int:
    """Write the labels file; 2 where there is nothing to make it from."""
    if len(arguments) != 2:
        print("usage: python -m examples.labels_from_graph labels.json labels.toml", file=sys.stderr)
        return 2
    given, made = map(Path, arguments)
    try:
        # Of bytes, it reads UTF-16, too, which Windows PowerShell's `>` writes.
        document = json.loads(given.read_bytes())
        made.write_bytes(labels_file(document).encode())
    except OSError as error:
        print(f"labels_from_graph: {error}", file=sys.stderr)
        return 2
    except ValueError as error:
        print(f"labels_from_graph: {given}: {error}", file=sys.stderr)
        return 2
    return 0


def labels_file(document: object) -> str:
    """The TOML for a list of labels, lowest first; raises ``ValueError`` where it isn't one."""
    listed = document.get("value") if isinstance(document, dict) else document
    if not isinstance(listed, list) or not listed:
        raise ValueError("expected Graph's JSON, with the labels in its value")
    if isinstance(document, dict) and "@odata.nextLink" in document:
        raise ValueError("the list goes on at @odata.nextLink: fetch all of it")
    # A label may be listed by itself and below its parent, which then is in its name.
    found = sorted(_flat(listed, ()), key=lambda labelled: labelled[1].count("\\"))
    labels = list({label["id"]: (label, name) for label, name in found}.values())
    names = {label["id"]: name for label, name in labels}
    tables = [_table(label, _whole_name(label, name, names)) for label, name in sorted(labels, key=_priority)]
    return "\n".join([_HEAD, *tables])


def _flat(labels: Iterable[Label], parents: tuple[str, ...]) -> Iterator[tuple[Label, str]]:
    """Labels and those below them, each with its name behind its parents'."""
    for label in labels:
        if not isinstance(label, dict) or not label.get("id") or not _name(label):
            raise ValueError("a label has no id or no name")
        path = (*parents, _name(label))
        yield label, "\\".join(path)
        yield from _flat(label.get("sublabels") or (), path)


def _name(label: Label) -> str:
    return str(label.get("displayName") or label.get("name") or "")


def _whole_name(label: Label, name: str, names: Mapping[str, str]) -> str:
    r"""``Parent\Child``, in whichever form the parent is given."""
    parent = label.get("parent")
    above = _name(parent) if isinstance(parent, dict) else names.get(label.get("parentId") or "", "")
    return f"{above}\\{name}" if above and "\\" not in name else name


def _priority(labelled: tuple[Label, str]) -> int:
    label, name = labelled
    priority = label.get("priority", label.get("sensitivity"))
    if not isinstance(priority, int):
        raise ValueError(f"{name} has neither a priority nor a sensitivity")
    return priority


def _table(label: Label, name: str) -> str:
    lines = [
        "[[label]]",
        f"id = {_text(label['id'])}",
        f"name = {_text(name)}",
        f"priority = {_priority((label, name))}",
    ]
    if tooltip := label.get("toolTip") or label.get("tooltip") or label.get("description"):
        lines.append(f"description = {_text(tooltip)}")
    if _COLOR.fullmatch(label.get("color") or ""):
        lines.append(f"color = {_text(label['color'])}")
    if label.get("hasProtection"):
        lines.append("encrypted = true")
    return "\n".join(lines) + "\n"


def _text(value: object) -> str:
    """A basic string of TOML, whose escapes are those of JSON."""
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007F")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
