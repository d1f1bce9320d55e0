"""Two graphs side by side: which node of one is which of the other, and what differs."""

from engine.graph.matching.changes import Change, Differences, differences
from engine.graph.matching.matching import match
from engine.graph.matching.pairs import Matching
from engine.graph.matching.plain import PlainGraph, PlainNode

__all__ = ["Change", "Differences", "Matching", "PlainGraph", "PlainNode", "differences", "match"]
