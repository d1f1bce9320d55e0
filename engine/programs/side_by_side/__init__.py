"""Two pictures of one program beside each other: which nodes show the same quantity, and what differs."""

from engine.programs.side_by_side.answer import side_by_side

__all__ = ["side_by_side"]
