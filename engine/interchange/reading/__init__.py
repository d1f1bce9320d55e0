"""Graphs that other programs wrote: GraphDef in binary and text, SavedModel, event files."""

from engine.interchange.reading.files import read_graph
from engine.interchange.reading.imported import ImportedGraph, ImportedNode
from engine.interchange.reading.notes import Note
from engine.interchange.reading.refusals import FileRefused

__all__ = ["FileRefused", "ImportedGraph", "ImportedNode", "Note", "read_graph"]
