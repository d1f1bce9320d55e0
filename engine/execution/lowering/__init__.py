"""Lowering: from a part of a graph to the text of one Python function.

values.py     what kernels are given in place of arrays; it records what they do
functions.py  the numpy functions that can be recorded
walk.py       the nodes in order, each kernel run once on such values
text.py       how one recorded step is written
buffers.py    which array each result goes into
writing.py    the function as a whole
"""

from engine.execution.lowering.looping import write_loop
from engine.execution.lowering.values import NotLowered, Recorder, Value
from engine.execution.lowering.walk import Lowered, lowered_loop, lowered_program
from engine.execution.lowering.writing import Written, write_program

__all__ = [
    "Lowered",
    "NotLowered",
    "Recorder",
    "Value",
    "Written",
    "lowered_loop",
    "lowered_program",
    "write_loop",
    "write_program",
]
