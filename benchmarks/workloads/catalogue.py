"""All workloads, in the order in which they are measured and shown."""

from benchmarks.workloads.deep import W5
from benchmarks.workloads.descent import W2_10K, W2_100
from benchmarks.workloads.exp_sin import W1
from benchmarks.workloads.grids import W7
from benchmarks.workloads.growth import W6
from benchmarks.workloads.mlp import W4
from benchmarks.workloads.own_loops import W9, W10
from benchmarks.workloads.race import W8
from benchmarks.workloads.rosenbrock import W3

WORKLOADS = (W1, W2_100, W2_10K, W3, W4, W5, *W6, W7, W8, W9, W10)
