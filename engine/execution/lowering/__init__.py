"""Lowering: from a part of a graph to the text of one Python function.

values.py     what kernels are given in place of arrays, and one step of what they do
operands.py   what such a step takes, in the simplest form
recorder.py   the steps so far
functions.py  the numpy functions that can be recorded
walk.py       the nodes in order, each kernel run once on such values
text.py       how one recorded step is written
buffers.py    which array each result goes into
writing.py    the function as a whole
looping.py    a training loop with arrays
number_loops.py  one of numbers alone: columns around what waits for the step before
array_machine.py  programs and loops with arrays for machine code: addresses and nests of loops
  layouts.py      where the elements of a value stand; laying_out.py: views become layouts
  nests.py        which steps share a loop; element_text.py: its text
  memory.py       which memory each result takes; machine_text.py: the function as a whole
peeling.py    what does wait, and what does not
scans.py      the steps that do, for Python and for machine code
"""

from engine.execution.lowering.array_machine import write_machine_array_loop, write_machine_program
from engine.execution.lowering.looping import write_loop
from engine.execution.lowering.machine_text import MachineText
from engine.execution.lowering.number_loops import (
    NumberLoopText,
    is_of_numbers,
    write_machine_loop,
    write_number_loop,
)
from engine.execution.lowering.peeling import Unit
from engine.execution.lowering.recorder import Recorder
from engine.execution.lowering.scans import Steps
from engine.execution.lowering.values import Instruction, NotLowered, Value
from engine.execution.lowering.walk import Lowered, lowered_loop, lowered_program
from engine.execution.lowering.writing import Written, write_program

__all__ = [
    "Instruction",
    "Lowered",
    "MachineText",
    "NotLowered",
    "NumberLoopText",
    "Recorder",
    "Steps",
    "Unit",
    "Value",
    "Written",
    "is_of_numbers",
    "lowered_loop",
    "lowered_program",
    "write_loop",
    "write_machine_array_loop",
    "write_machine_loop",
    "write_machine_program",
    "write_number_loop",
    "write_program",
]
