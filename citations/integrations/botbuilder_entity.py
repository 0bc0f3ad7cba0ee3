"""An entity of botbuilder that keeps all of a Schema.org node; a bot may need it without the middleware."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from botbuilder.schema import Entity

__all__ = ["WholeEntity"]


class WholeEntity(Entity):  # type: ignore[misc] # the SDK ships no types
    """An entity, such as a Schema.org node, that is serialized with all its properties.

    The SDK serializes only the attributes that a class declares, which is ``type`` for an ``Entity``. An
    empty ``key`` in the attribute map makes it write ``additional_properties`` at the top level.
    """

    _attribute_map: ClassVar[dict[str, dict[str, str]]] = {
        "type": {"key": "type", "type": "str"},
        "additional_properties": {"key": "", "type": "{object}"},
    }

    def __init__(self, node: Mapping[str, object]) -> None:
        super().__init__(type=node["type"])
        self.additional_properties = {name: value for name, value in node.items() if name != "type"}
