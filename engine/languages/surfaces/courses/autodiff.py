"""The course library `autodiff`: variables without values, `gradients`, and an executor that is fed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import differentiation, ops
from engine.errors import ProgramError
from engine.graph import Tensor
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.library import Library
from engine.languages.surfaces.tf1.program_session import ProgramSession
from engine.languages.surfaces.tf1.session import open_session, run
from engine.languages.surfaces.tf1.train import record

AD = Library("ad")


@dataclass(frozen=True, slots=True, eq=False)
class Executor:
    """The tensors that one run computes, and the session that it runs in."""

    tensors: list[Any]
    session: ProgramSession


EXECUTOR = members_of(Executor, "Executor")
SHOWN[Executor] = (lambda executor: "<ad.Executor>", lambda executor: "<ad.Executor>")


@AD.function("Variable")
def variable(name: Any = None) -> Tensor:
    """A value that every run is fed."""
    return ops.placeholder("float64", None, name=name)


@AD.function("matmul_op")
def matmul_op(node_A: Any, node_B: Any, trans_A: Any = False, trans_B: Any = False) -> Tensor:
    """The matrix product."""
    product: Tensor = ops.matrix_product(node_A, node_B, bool(trans_A), bool(trans_B))
    return product


@AD.function("zeroslike_op")
def zeroslike_op(node_A: Any) -> Tensor:
    """Zeros shaped like a tensor."""
    return ops.zeros_like(node_A)


@AD.function("oneslike_op")
def oneslike_op(node_A: Any) -> Tensor:
    """Ones shaped like a tensor."""
    return ops.ones_like(node_A)


@AD.function("gradients")
def gradients(interpreter: Interpreter, output_node: Any, node_list: Any) -> list[Any]:
    """The gradient with respect to each node; zeros where nothing joins them."""
    xs = list(iterate(node_list))
    found = differentiation.gradients(output_node, xs, unconnected_gradients="zero")
    record(interpreter, [output_node], xs, found)
    return found


@AD.function("Executor")
def executor(interpreter: Interpreter, eval_node_list: Any) -> Executor:
    """What runs compute."""
    return Executor(list(iterate(eval_node_list)), open_session(interpreter))


@EXECUTOR.method("run")
def run_executor(interpreter: Interpreter, executor: Executor, feed_dict: Any) -> list[Any]:
    """The values of the executor's tensors for these feeds."""
    if not isinstance(feed_dict, dict):
        raise ProgramError(
            "run() needs a dict of variables and their values.",
            message_zh="run() 需要由变量及其值组成的字典。",
            hint="Write run(feed_dict={x: 3.0}).",
            hint_zh="请写 run(feed_dict={x: 3.0})。",
            code="bad_feed",
        )
    values: list[Any] = run(interpreter, executor.session, executor.tensors, feed_dict)
    return values
