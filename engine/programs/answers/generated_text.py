"""How a program runs: the text of the very function that Gradlens generates for it, with a key to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.errors import ValueRefused
from engine.execution import lower
from engine.execution.budget import Limits
from engine.execution.interpreter.order import nodes_of
from engine.execution.interpreter.plan import make_plan
from engine.languages.interpreter.budget import Budget
from engine.languages.request_values import fed
from engine.programs.program.outcome import Outcome
from engine.programs.program.packing import outcome_of
from engine.programs.program.request import ProgramRequest, RunRequest
from engine.programs.program.target import no_target
from engine.programs.runs.optimise import check_ran
from engine.programs.service import differentiate
from engine.programs.training.stepping import walk_for
from engine.programs.training.training import has_own_optimizer, rows_of, training_for

GENERATED = "generated"  # what this form is called beside the languages
KEY = {  # what names like these stand for
    r"\bv\d": "# v1, v2, …: what the nodes named beside them compute.",
    r"\bc\d": "# c0, c1, …: constants.",
    r"\bs\d": "# s0, s1, …: the numbers of all steps, a row for each node.",
    r"\bdomain_errors\b": "# domain_errors: where arithmetic refuses a number, the nodes are run one by one.",
}


def generated_code(request: ProgramRequest, limits: Limits) -> str:
    """The steps of the program's own optimizer, else its target with the gradients, as generated Python.

    Raises: GradlensError where the program stops with a mistake or has no target; ValueRefused where no
            function is generated, as for branches and loops, which are run node by node.
    """
    outcome = outcome_of(request, limits)
    check_ran(outcome)
    own = RunRequest(0, record="variables")
    return _loop(outcome, own, limits) if has_own_optimizer(outcome) else _function(request, outcome)


def generated_loop(request: ProgramRequest, run: RunRequest, limits: Limits) -> str:
    """The steps of a run's optimizer, in the same way. Raises: as `generated_code`."""
    outcome = outcome_of(request, limits)
    check_ran(outcome)
    return _loop(outcome, replace(run, steps=0, record="variables"), limits)


def _loop(outcome: Outcome, run: RunRequest, limits: Limits) -> str:
    walk = walk_for(outcome, training_for(outcome, run), run, Budget(limits))
    walk.loop.is_lowered(walk.session.variables)
    return _with_key(walk.loop.source, [node.name for node in walk.session.variables])


def _function(request: ProgramRequest, outcome: Outcome) -> str:
    differentiate(request, outcome)
    target, calls = outcome.target, outcome.workspace.gradient_calls
    if target is None:
        raise no_target("run as a function", "用函数计算")
    call = next((call for call in reversed(calls) if target in call.ys), None)
    slopes = [] if call is None else [rows_of(slope) for slope in call.gradients if slope is not None]
    feeds = fed(outcome.usual_feeds)
    steps = make_plan([tensor.node for tensor in (target, *slopes)], frozenset(feeds)).steps
    held = [node for step in steps for node in nodes_of(step) if node.op.name == "VariableV2"]
    text = lower([target, *slopes], [node.outputs[0] for node in held], feeds).source
    return _with_key(text, [node.name for node in held])


def _with_key(text: str, names: Sequence[str]) -> str:
    """The text with what its arguments stand for. Raises: ValueRefused where there is no text."""
    if not text:
        raise _node_by_node()
    key = [f"# x{place}: {name}" for place, name in enumerate(names)]
    key += [line for pattern, line in KEY.items() if re.search(pattern, text)]
    return "\n".join([*key, "", text])


def _node_by_node() -> ValueRefused:
    return ValueRefused(
        "No function is generated for this program: it is run node by node.",
        message_zh="没有为这个程序生成函数：它是逐个节点运行的。",
        hint="That is so where a branch, a loop or a random number is part of the graph.",
        hint_zh="图中有分支、循环或随机数时就是这样。",
        code="not_generated",
    )
