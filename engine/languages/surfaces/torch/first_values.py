"""Numbers that come with a request for variables of a program, which begin with them instead of their own."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from engine.execution.eager.immediate import set_value
from engine.graph import Variable
from engine.languages.interpreter.reading.diagnostics import Diagnostic
from engine.languages.request_values import value_for_variable
from engine.languages.surfaces.torch.dtypes import BFLOAT16
from engine.languages.surfaces.torch.result import tensors_behind
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.storage import Storage, rounded_array
from engine.languages.surfaces.torch.tensor import Tensor
from engine.ops.base.tensors import Array, name_of


def begin_with_given_values(interpreter: Any) -> None:
    """From here on, a variable of the program begins with the number that the request gives for it.

    It gets it when the program first calls it by its name (`w`, `model.0.weight`), or asks for its gradients;
    one without a name when the graph first holds it (`Variable_1`). Not where it has been used by then.
    """
    if interpreter.workspace.at:
        given = FirstValues(interpreter)
        interpreter.program.names = NamesWatched(interpreter.program.names, given)
        state().first_values = given


def notes_on_given_values() -> list[Diagnostic]:
    """A note where the program has trained what it was given: the lesson's pass begins with that again."""
    given = state().first_values
    trained = [] if given is None else given.trained()
    if not trained:
        return []
    names = ", ".join(f"`{name}`" for name in trained)
    return [
        Diagnostic(
            "note",
            "trained_since",
            f"The program begins with the numbers that are given for {names}, and changes them: what it "
            "prints is of all its turns, and the lesson begins its pass with the numbers given.",
            f"程序从给定的 {names} 的值开始，之后又改变了它们：打印的内容来自程序的每一轮，"
            "而讲解中的这一遍从给定的值开始。",
        )
    ]


class NamesWatched(dict[str, Any]):
    """The names of a program, whose values are looked at when they are bound."""

    def __init__(self, names: dict[str, Any], given: FirstValues) -> None:
        super().__init__(names)
        self._given = given

    def __setitem__(self, name: str, value: Any) -> None:
        super().__setitem__(name, value)
        self._given.look_behind(name, value)


class FirstValues:
    """The request's numbers, and the memory that has been given them."""

    def __init__(self, interpreter: Any) -> None:
        self._interpreter = interpreter
        self._workspace = interpreter.workspace
        self._of_memory: dict[Storage, Array] = {}
        self._named: dict[str, Storage] = {}
        self._writes: dict[Storage, int] = {}  # before a variable of the graph held it

    def look_behind(self, name: str, value: Any) -> None:
        """Give what stands behind a name its numbers."""
        if name not in self._names_of_loops:
            for path, tensor in tensors_behind(name, value):
                self._give(path, tensor)

    def look_at(self, tensor: Tensor) -> None:
        """The same for a tensor whose gradients are asked for from here on, where it has a name already."""
        for name in set(self._workspace.unused_at):
            if self._interpreter.program.names.get(name) is tensor:
                self._give(name, tensor)

    @cached_property
    def _names_of_loops(self) -> set[str]:
        """The names that loops of the program bind to one thing after another."""
        loops = (node for node in ast.walk(self._interpreter.tree) if isinstance(node, ast.For))
        targets = (node for loop in loops for node in ast.walk(loop.target))
        return {node.id for node in targets if isinstance(node, ast.Name)}

    def of_memory(self, storage: Storage) -> Array | None:
        """What memory was given, whatever the program has put there before the graph holds it."""
        name = state().graph.names.peek("Variable")
        if storage not in self._of_memory and name in self._workspace.unused_at:
            self._give_memory(name, storage)
        self._writes[storage] = storage.writes
        return self._of_memory.get(storage)

    def trained(self) -> list[str]:
        """The names of those that the program has changed since."""
        return sorted(name for name, one in self._named.items() if one.writes > self._writes.get(one, 0))

    def _give(self, name: str, tensor: Tensor) -> None:
        if name not in self._workspace.unused_at or not tensor.requires or not _is_fresh(tensor):
            return
        self._give_memory(name, tensor.storage)

    def _give_memory(self, name: str, storage: Storage) -> None:
        held = storage.form()
        array = value_for_variable(name, self._workspace.at[name], held.shape, name_of(held.dtype))
        self._workspace.unused_at.discard(name)
        array = rounded_array(array) if storage.element is BFLOAT16 else array
        self._named[name] = storage
        if storage.variable is None:
            storage.array, storage.value = array, None
            self._of_memory[storage] = array
        else:
            _begin_with(storage.variable, array)


def _is_fresh(tensor: Tensor) -> bool:
    """Whether nothing has been computed by a variable, or written to it."""
    storage = tensor.storage
    if tensor.steps or storage.shared is not None or storage.element not in (None, BFLOAT16):
        return False
    variable = storage.variable
    return variable is None or (storage.writes == 0 and not any(_readers(variable)))


def _readers(variable: Variable) -> Iterable[Any]:
    own = (variable.initializer, variable.first_read.node)
    others = (node for node in variable.graph.nodes if node not in own)
    return (node for node in others if {variable.ref, variable.first_read}.intersection(node.inputs))


def _begin_with(variable: Variable, array: Array) -> None:
    """Let a variable that nothing has used have another value."""
    first = variable.initial_value.node
    first.attrs = {**first.attrs, "value": array}
    for tensor in (variable.initial_value, variable.ref, *variable.initializer.outputs, variable.first_read):
        set_value(tensor, array.copy())
