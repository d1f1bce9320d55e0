"""Running a request: read the text in its dialect, build and run, keep everything up to the first mistake."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from engine.errors import Defect, GradlensError, MissingModule, ProgramError, RefusedError
from engine.execution.budget import Limits
from engine.execution.eager.graph import EagerGraph
from engine.execution.eager.passing import PassingGraph
from engine.graph import Graph
from engine.languages.interpreter import (
    BUILTINS,
    Budget,
    Diagnostic,
    Interpreter,
    parse_program,
    status_of,
)
from engine.languages.interpreter.budget import over_limit
from engine.languages.interpreter.classes.exceptions import ends_quietly
from engine.languages.interpreter.reading.checks import further_mistakes
from engine.languages.interpreter.reading.source import Source
from engine.languages.mathematics import FUNCTIONS, AmbiguityNotes, Builder, parse_math, unknown_at
from engine.languages.request_values import request_array
from engine.languages.surfaces import ASSUMED, EAGER_MODULES, EAGER_MODULES_OF_1, MODULES, TORCH_MODULES
from engine.languages.surfaces.catalogue import JAX_ASSUMED, JAX_MODULES
from engine.languages.surfaces.jax.lax.bfloat16 import note_on_rounding
from engine.languages.surfaces.jax.running import jax_program
from engine.languages.surfaces.tf2.tape import recorded_turns
from engine.languages.surfaces.torch.first_values import begin_with_given_values
from engine.languages.surfaces.torch.running import torch_run
from engine.languages.workspace import Workspace
from engine.programs.program.detect import JAX, MATH, TF1, TF2, TORCH, detect_dialect, turns_eager_on
from engine.programs.program.jax_outcome import finish_jax
from engine.programs.program.outcome import Outcome
from engine.programs.program.progress import Progress, Report
from engine.programs.program.request import ProgramRequest
from engine.programs.program.seeded import note_on_seeds
from engine.programs.program.target import find_target
from engine.programs.program.torch_outcome import finish_torch

log = logging.getLogger(__name__)

PYTHON_FRAMES = 20_000  # 400 nested calls of a program's functions, each some thirty frames of ours

OPEN = "auto"  # what a request says that leaves its dialect to be detected


def dialect_of(request: ProgramRequest) -> str:
    """The dialect that a program is read in."""
    return request.dialect if request.dialect != OPEN else detect_dialect(request.source)


def run_request(request: ProgramRequest, limits: Limits, report: Report | None = None) -> Outcome:
    """Run a program; its own mistakes stand in the outcome and are never raised.

    report: called now and then with how far it is, where it takes more than a moment.
    """
    budget = Budget(limits)
    dialect = dialect_of(request)
    graph = _empty_graph(dialect, request, budget, limits)
    workspace = Workspace(graph, budget, at=request.at, lines=request.inputs, seed=request.seed)
    outcome = Outcome(dialect, workspace)
    with _room_to_recurse(), np.errstate(all="ignore"), workspace.opened:
        workspace.start_graph(graph)
        try:
            _run(request, outcome, limits, report)
        except GradlensError as error:
            _stop(outcome, error)
        except (RecursionError, MemoryError):
            _stop(outcome, _too_large())
        except Exception:  # a mistake of ours: what ran before it is still worth an answer
            log.exception("A program provoked a mistake of the engine.")
            _stop(outcome, Defect())
    outcome.diagnostics = [one.located(request.source) for one in outcome.diagnostics]
    return outcome


def out_of_memory(request: ProgramRequest, limits: Limits, printed: list[str]) -> Outcome:
    """The outcome of a program that left no memory to write its results in: the lines that it printed."""
    outcome = run_request(replace(request, source=""), limits)
    outcome.printed = printed
    _stop(outcome, _too_large())
    return outcome


def add_defect(outcome: Outcome) -> None:
    """Report a mistake of ours that came after the program had run."""
    _stop(outcome, Defect())


def _empty_graph(dialect: str, request: ProgramRequest, budget: Budget, limits: Limits) -> Graph:
    if dialect in (TF2, JAX):
        return EagerGraph(meter=budget, limits=limits, seed=request.seed)
    if dialect == TORCH:
        return PassingGraph(meter=budget, limits=limits, seed=request.seed)
    return Graph(default_float="float64" if dialect == MATH else None, node_limit=limits.nodes)


def _run(request: ProgramRequest, outcome: Outcome, limits: Limits, report: Report | None) -> None:
    outcome.workspace.feeds = {name: request_array(name, value) for name, value in request.feeds.items()}
    if outcome.dialect == MATH:
        _run_math(request, outcome, limits)
    elif outcome.dialect == TF1:
        _run_python(request, outcome, limits, MODULES, report)
    elif outcome.dialect == TF2:
        with recorded_turns(outcome.workspace):
            modules = EAGER_MODULES_OF_1 if turns_eager_on(request.source) else EAGER_MODULES
            _run_python(request, outcome, limits, modules, report)
    elif outcome.dialect == JAX:
        with jax_program(outcome.workspace) as run:
            _run_python(request, outcome, limits, JAX_MODULES, report, finish_jax, JAX_ASSUMED)
            outcome.diagnostics += [note_on_rounding()] if run.has_bfloat16 else []
    elif outcome.dialect == TORCH:
        with torch_run(outcome.workspace):
            _run_python(request, outcome, limits, TORCH_MODULES, report, finish_torch)
    else:
        outcome.status = "refused"
        raise _unknown_dialect(outcome.dialect)


def _run_math(request: ProgramRequest, outcome: Outcome, limits: Limits) -> None:
    notes = AmbiguityNotes(request.source)
    graph, budget = outcome.workspace.graph, outcome.workspace.budget
    builder = Builder(graph, request.at, budget, notes, request.wrt)
    try:
        builder.build(parse_math(request.source, FUNCTIONS, request.at, limits, notes))
    finally:
        outcome.names = builder.names
        outcome.diagnostics += notes.diagnostics
        outcome.target = getattr(builder.target, "read", builder.target)
    outcome.diagnostics += [
        unknown_at(name, builder.names) for name in request.at if name not in builder.names
    ]


OF_PYTHON_2 = {"xrange": BUILTINS["range"], "raw_input": BUILTINS["input"], "unicode": BUILTINS["str"]}


def _builtins(source: Source) -> Mapping[str, Any]:
    """What a program has without importing it: Python's own, with those of its version."""
    return {**BUILTINS, **OF_PYTHON_2} if source.is_python_2 else BUILTINS


def _run_python(
    request: ProgramRequest,
    outcome: Outcome,
    limits: Limits,
    modules: Mapping[str, Any],
    report: Report | None,
    finish: Callable[[Outcome], None] | None = None,
    assumed: Mapping[str, str] = ASSUMED,
) -> None:
    source, tree = parse_program(request.source, limits)
    interpreter = Interpreter(
        source,
        outcome.workspace.budget,
        builtins=_builtins(source),
        modules=modules,
        assumed=assumed,
        workspace=outcome.workspace,
    )
    outcome.workspace.interpreter = interpreter
    outcome.workspace.opened.callback(interpreter.close)
    if report is not None:
        Progress(interpreter, report)
    _note_what_text_it_is(interpreter, source)
    if outcome.dialect == TORCH:
        begin_with_given_values(interpreter)
    for name, value in request.data.items():
        interpreter.program.write(name, _data_array(name, value))
    try:
        interpreter.run(tree)
    except ProgramError as error:
        if not ends_quietly(error):
            outcome.further = further_mistakes(interpreter, tree, error.where)
            raise
    finally:
        _keep(interpreter, outcome)
        if finish is not None:
            finish(outcome)
        outcome.target = find_target(outcome)
        if outcome.dialect in (TF1, TF2):
            outcome.diagnostics += note_on_seeds(outcome.graph, outcome.diagnostics)


def _note_what_text_it_is(interpreter: Interpreter, source: Source) -> None:
    """Notes on a notebook's other lines, and on a program for Python 2."""
    if source.is_notebook:
        interpreter.note(
            "notebook_lines",
            "Prompts, commands (% and !) and output of a notebook are left out.",
            "已忽略笔记本的提示符、命令（% 和 !）和输出。",
        )
    if source.is_python_2:
        interpreter.note(
            "python_2",
            "This is a program for Python 2, read as Python 3: 7 / 2 is 3.5 here, and print is a function.",
            "这是 Python 2 的程序，这里按 Python 3 读取：7 / 2 是 3.5，print 是函数。",
            "For whole quotients write //, as in 7 // 2.",
            "整数商请写 //，例如 7 // 2。",
        )


def _keep(interpreter: Interpreter, outcome: Outcome) -> None:
    """Put into the outcome what the program left behind, also where it stopped."""
    outcome.names = interpreter.program.names
    outcome.printed = interpreter.printed
    outcome.result = interpreter.result
    outcome.decisions = interpreter.decisions.found
    outcome.diagnostics += interpreter.diagnostics


def _data_array(name: str, value: Any) -> Any:
    """A nested list or CSV text of the request as an array."""
    if not isinstance(value, str):
        return request_array(name, value, "float64")
    rows = [line.split(",") for line in value.strip().splitlines()]
    try:
        return request_array(name, [[float(cell) for cell in row] for row in rows])
    except ValueError:
        raise ProgramError(
            f"The data `{name}` must be numbers in rows, with commas between them.",
            message_zh=f"数据 `{name}` 必须是按行排列、用逗号分隔的数字。",
            code="bad_value",
        ) from None


def _stop(outcome: Outcome, error: GradlensError) -> None:
    """Report what stopped the program; where nothing had run, a refusal is the whole answer."""
    outcome.diagnostics += [Diagnostic.of(error), *outcome.further]
    if isinstance(error, (RefusedError, MissingModule)) and outcome.workspace.budget.steps == 0:
        outcome.status = "refused"
    else:
        outcome.status = status_of(error)


@contextmanager
def _room_to_recurse() -> Iterator[None]:
    """The tree is walked by recursion; give it room for the depth that the limits allow."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, PYTHON_FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _unknown_dialect(dialect: str) -> RefusedError:
    return RefusedError(
        f"There is no dialect called `{dialect}`.",
        message_zh=f"没有名为 `{dialect}` 的语言。",
        hint="Use auto, math, tf1, tf2, torch or jax.",
        hint_zh="请使用 auto、math、tf1、tf2、torch 或 jax。",
        code="unknown_dialect",
    )


def _too_large() -> GradlensError:
    return over_limit(
        "memory",
        "The program needs more memory or deeper nesting than it may use.",
        "程序所需的内存或嵌套深度超过限额。",
        "Use smaller arrays and flatter expressions.",
        "请使用更小的数组和更浅的表达式。",
    )
