"""`tf.nn.static_bidirectional_rnn`: one cell reads from the front, another from the end."""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.graph.variables.variable_scopes import variable_scope
from engine.languages.interpreter.arguments import ANY
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf1.recurrent.module import LENGTHS, static_rnn
from engine.languages.surfaces.unsupported import refuse_given
from engine.ops.base.building import current_graph


@TF.function(
    "nn.static_bidirectional_rnn",
    "contrib.rnn.static_bidirectional_rnn",
    cell_fw=ANY,
    cell_bw=ANY,
    inputs=ANY,
    initial_state_fw=ANY,
    initial_state_bw=ANY,
)
def static_bidirectional_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Any,
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> Any:
    """For each turn what both cells give, side by side; and the last state of each."""
    refuse_given("nn.static_bidirectional_rnn", {"sequence_length": sequence_length}, *LENGTHS)
    graph: Any = current_graph()
    turns = list(inputs) if isinstance(inputs, (list, tuple)) else inputs
    backwards = turns[::-1] if isinstance(turns, list) else turns
    outer = (
        variable_scope(graph, None, "bidirectional_rnn") if scope is None else variable_scope(graph, scope)
    )
    with outer:
        with variable_scope(graph, "fw") as own:
            ahead, state = static_rnn(cell_fw, turns, initial_state_fw, dtype, scope=own)
        with variable_scope(graph, "bw") as own:
            back, last = static_rnn(cell_bw, backwards, initial_state_bw, dtype, scope=own)
    pairs = zip(ahead, reversed(back), strict=True)
    return [ops.concat([one, other], 1) for one, other in pairs], state, last
