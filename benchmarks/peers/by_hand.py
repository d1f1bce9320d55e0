"""Written by hand: the limit, and what every other result is checked by."""

from functools import partial

import numpy as np

from benchmarks.harness.entry import Peer, Task
from benchmarks.workloads import deep, descent, exp_sin, grids, growth, mlp, own_loops, race, rosenbrock
from benchmarks.workloads.workload import BY_HAND

PEER = Peer(BY_HAND, package="numpy")


@PEER.does("W1", "Python")
def exp_sin_by_hand() -> Task:
    return Task(exp_sin.by_hand, (exp_sin.X,), lambda pair: {"y": pair[0], "dy": pair[1]})


def _descent(steps: int) -> Task:
    return Task(descent.by_hand, (steps,))


PEER.does("W2-100", "Python")(partial(_descent, 100))
PEER.does("W2-10k", "Python")(partial(_descent, 10_000))


@PEER.does("W3", "Python")
def rosenbrock_by_hand() -> Task:
    return Task(rosenbrock.by_hand, (), rosenbrock.columns)


@PEER.does("W4", "numpy")
def mlp_by_hand() -> Task:
    return Task(mlp.by_hand)


@PEER.does("W5", "numpy")
def deep_by_hand() -> Task:
    return Task(deep.by_hand, (deep.batch(), deep.parameters()), deep.named)


@PEER.does("W7", "numpy")
def grids_by_hand() -> Task:
    return Task(grids.by_hand, grids.axes(), grids.named)


@PEER.does("W7", "reused buffers")
def grids_into_buffers() -> Task:
    buffers = [np.empty((grids.SIZE, grids.SIZE)) for _ in range(3)]
    return Task(partial(grids.by_hand_into, buffers), grids.axes(), grids.named)


@PEER.does("W8", "numpy")
def race_by_hand() -> Task:
    return Task(race.by_hand)


for _shape in growth.SHAPES:
    for _size, _ops in growth.SIZES.items():
        PEER.does(f"W6-{_shape}-{_size}", "Python", what=("cold",))(
            partial(Task, growth.by_hand, (_shape, _ops))
        )


PEER.does("W9", "Python")(partial(Task, own_loops.by_hand_one_by_one))
PEER.does("W10", "numpy")(partial(Task, own_loops.by_hand_all_at_once))
