"""The course library `miniflow`: TensorFlow 1 with `.forward()` and `.grad(name)` on every tensor."""

from __future__ import annotations

from typing import Any

from engine import differentiation
from engine.errors import ProgramError
from engine.execution import Session
from engine.graph import Variable
from engine.graph.variables.variable import GLOBAL_VARIABLES, TRAINABLE_VARIABLES
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.reading.suggestions import one_of
from engine.languages.interpreter.values import Module
from engine.languages.surfaces.tensors import TENSOR, VARIABLE
from engine.languages.surfaces.tf1.module import tensorflow_module
from engine.languages.surfaces.tf1.session import request_feeds, unpacked
from engine.languages.workspace import GradientCall

MINIFLOW = Module("miniflow", tensorflow_module().members)


@TENSOR.method("forward")
@VARIABLE.method("forward")
def forward(interpreter: Interpreter, value: Any) -> Any:
    """The value, from the variables' initial values or those of the open session."""
    _check_imported(interpreter, "forward")
    return _computed(interpreter, value)


@TENSOR.method("grad")
@VARIABLE.method("grad")
def grad(interpreter: Interpreter, value: Any, name: Any = None) -> Any:
    """The derivative by the variable of that name, or a dict of all of them."""
    _check_imported(interpreter, "grad")
    target = value.as_tensor()
    variables: list[Variable] = list(target.graph.collection(TRAINABLE_VARIABLES))
    by_name = {variable.node.name: variable for variable in variables}
    if name is not None and name not in by_name:
        raise _no_variable(str(name), by_name)
    found = differentiation.gradients(target, variables)
    call = GradientCall((target,), tuple(variables), tuple(found), is_loss=True)
    interpreter.workspace.gradient_calls.append(call)
    asked = {n: g for n, g in zip(by_name, found, strict=True) if name in (None, n)}
    numbers = {n: 0.0 if g is None else _computed(interpreter, g) for n, g in asked.items()}
    return numbers if name is None else numbers[name]


def _computed(interpreter: Interpreter, value: Any) -> Any:
    workspace, tensor = interpreter.workspace, value.as_tensor()
    opened = [one for one in workspace.default_sessions if one.session.graph is tensor.graph]
    feeds = request_feeds(workspace, interpreter.program.names, tensor.graph)
    if opened and opened[-1].session.variables:
        return unpacked(opened[-1].session.run(tensor, feeds))
    session = Session(tensor.graph, meter=workspace.budget, seed=workspace.seed)
    session.run([variable.initializer for variable in tensor.graph.collection(GLOBAL_VARIABLES)], feeds)
    return unpacked(session.run(tensor, feeds))


def _check_imported(interpreter: Interpreter, name: str) -> None:
    """TensorFlow's own tensors have no such method: say what would give it to them."""
    if any(bound is MINIFLOW for bound in interpreter.program.names.values()):
        return
    raise ProgramError(
        f"A TensorFlow tensor has no method `.{name}()`.",
        message_zh=f"TensorFlow 的张量没有 `.{name}()` 方法。",
        hint="Write `import miniflow as tf` to have it, or use a session and tf.gradients.",
        hint_zh="要使用它请写 `import miniflow as tf`，或改用会话和 tf.gradients。",
        code="unknown_attribute",
    )


def _no_variable(name: str, known: dict[str, Variable]) -> ProgramError:
    hint, hint_zh = one_of(name, known, "The variables are", "变量有")
    return ProgramError(
        f"There is no variable named `{name}`.",
        message_zh=f"没有名为 `{name}` 的变量。",
        hint=hint,
        hint_zh=hint_zh,
        code="unknown_variable",
    )
