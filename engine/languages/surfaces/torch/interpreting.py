"""What the interpreter asks of tensors: truth, numbers, items, augmented assignment, equality."""

from __future__ import annotations

import ast

from engine.languages.interpreter.builtins.containers import ITEMS, ITERATORS, Items
from engine.languages.interpreter.builtins.functions import NUMBERS_OF
from engine.languages.interpreter.classes.special import OPERATORS as WORDS
from engine.languages.interpreter.in_place import CHANGED
from engine.languages.interpreter.operators import OWN_EQUALITY, TRUTHS
from engine.languages.surfaces.torch.functions import methods, shaping
from engine.languages.surfaces.torch.functions.indexing import setitem
from engine.languages.surfaces.torch.tensor import Tensor

ITEMS[Tensor] = Items(write=setitem, count=methods.length_of)
ITERATORS[Tensor] = shaping.rows
NUMBERS_OF[Tensor] = methods.number_of
TRUTHS[Tensor] = methods.truth_of
OWN_EQUALITY.append(Tensor)
CHANGED[Tensor] = lambda kind, tensor, other: methods.augmented(tensor, WORDS[kind], other)
SHIFTS = (ast.LShift, ast.RShift)
