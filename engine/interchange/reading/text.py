"""GraphDefs in text form, quickly.

protobuf reads its text form at some 4,000 nodes a second. As it and TensorFlow write that form, the blocks of
nodes and of attributes begin and end at fixed columns, and most attributes of a graph are the same few: each
of them is read once and copied. A text of any other layout is read as a whole.
"""

from __future__ import annotations

import re
from typing import Any

from google.protobuf import text_encoding, text_format

from engine.interchange.messages import GraphDef, NodeDef, SavedModel
from engine.interchange.reading.refusals import bad_text, nested_too_deep, too_many

NODES = re.compile(r"^node\s*:?\s*[{<]", re.MULTILINE)
NODE = re.compile(r"^node \{\n(.*?)^\}\n", re.MULTILINE | re.DOTALL)
ATTRIBUTE = re.compile(r"^  attr \{\n(.*?)^  \}\n", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r'  (name|op|input|device): "((?:[^"\\\n]|\\.)*)"\n')
SAVED_MODEL = re.compile(r"^\s*(saved_model_schema_version\s*:|meta_graphs\s*[:{<])", re.MULTILINE)


def graph_def_in_text(text: str, limit_nodes: int) -> Any:
    """The GraphDef that a text holds. Raises: FileRefused with the line where it is none."""
    count = len(NODES.findall(text))
    if count > limit_nodes:
        raise too_many(count, limit_nodes, "nodes", "节点")
    return _by_blocks(text) or _parsed(text, GraphDef())


def saved_model_in_text(text: str) -> Any:
    """The SavedModel that a text holds, or None where it begins as none."""
    if not SAVED_MODEL.match(text):
        return None
    return _parsed(text, SavedModel())


def _parsed(text: str, message: Any) -> Any:
    try:
        return text_format.Parse(text, message, allow_unknown_field=True)
    except text_format.ParseError as error:
        line, column = error.GetLine() or 1, error.GetColumn() or 1
        raise bad_text(line, column, str(error).rpartition(" : ")[2]) from None
    except RecursionError:
        raise nested_too_deep() from None
    except ValueError as error:  # such as a number beyond its type
        raise bad_text(1, 1, str(error)) from None


# -- by blocks -----------------------------------------------------------------------------------------------


def _by_blocks(text: str) -> Any:
    """The GraphDef of a text in the usual layout; None for any other."""
    message, attributes = GraphDef(), Attributes()
    end = 0
    others: list[str] = []
    for found in NODE.finditer(text):
        others.append(text[end : found.start()])
        end = found.end()
        if not _add_node(message, found[1], attributes):
            return None
    others.append(text[end:])
    rest = "".join(others)
    if len(rest) * 2 > len(text):
        return None
    try:
        text_format.Merge(rest, message, allow_unknown_field=True)
    except (text_format.ParseError, ValueError):
        return None
    return message


class Attributes:
    """The attributes of a text, each that reads the same read once."""

    def __init__(self) -> None:
        self._known: dict[str, Any] = {}

    def read(self, block: str) -> Any:
        """The NodeDef that holds this one attribute; None where the block is none."""
        if block not in self._known:
            try:
                self._known[block] = text_format.Parse(
                    f"attr {{\n{block}}}", NodeDef(), allow_unknown_field=True
                )
            except (text_format.ParseError, ValueError):
                self._known[block] = None
        return self._known[block]


def _add_node(message: Any, body: str, attributes: Attributes) -> bool:
    """Add the node of a block; whether its layout is the usual one."""
    entry = message.node.add()
    end = 0
    for found in FIELD.finditer(body):
        if found.start() != end:
            break
        end = found.end()
        field, value = found[1], found[2]
        if "\\" in value:
            try:
                value = text_encoding.CUnescape(value).decode()
            except ValueError:
                return False
        if field == "input":
            entry.input.append(value)
        else:
            setattr(entry, field, value)
    for found in ATTRIBUTE.finditer(body, end):
        attribute = attributes.read(found[1]) if found.start() == end else None
        if attribute is None:
            return False
        end = found.end()
        entry.MergeFrom(attribute)
    return end == len(body)
