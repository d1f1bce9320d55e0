"""A program that has run, as bytes: any process goes on from there, and need not run the program again.

Each unpacking gives an outcome of its own, which may be grown.
"""

from engine.programs.program.packing.outcomes import outcome_of, pack_outcome, unpack_outcome

__all__ = ["outcome_of", "pack_outcome", "unpack_outcome"]
