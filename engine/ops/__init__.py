"""The ops: each one block with its kernel, shape rule, gradient rule, formula and documentation."""

from engine.ops import operators as operators
from engine.ops.arrays.filling import broadcast_to, linspace, one_hot
from engine.ops.arrays.gathering import (
    boolean_mask,
    gather,
    gather_nd,
    scatter_nd,
    unsorted_segment_sum,
    where,
)
from engine.ops.arrays.grids import meshgrid
from engine.ops.arrays.indexing import slice_op, subscript
from engine.ops.arrays.joining import concat, split, stack, tile, unstack
from engine.ops.arrays.ordering import argmax, argmin, reverse, roll
from engine.ops.arrays.padding import pad
from engine.ops.arrays.partitioning import dynamic_partition, dynamic_stitch
from engine.ops.arrays.ranking import in_top_k, top_k
from engine.ops.arrays.repeating import repeat, sequence_mask
from engine.ops.arrays.reshaping import expand_dims, reshape, squeeze, transpose
from engine.ops.arrays.scattering import (
    scatter_add,
    scatter_div,
    scatter_mul,
    scatter_sub,
    scatter_update,
)
from engine.ops.arrays.searching import searchsorted
from engine.ops.arrays.sorting import argsort, sort
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.definition import REGISTRY, OpDef
from engine.ops.base.slices import IndexedSlices
from engine.ops.common.casting import cast
from engine.ops.common.constants import constant, fill, ones, placeholder, zeros, zeros_like
from engine.ops.common.measuring import rank_of, shape_of, size_of
from engine.ops.common.passing import group, identity, identity_n, no_op, stop_gradient, tuple_of
from engine.ops.common.ranges import range_of
from engine.ops.common.reducing import (
    reduce_all,
    reduce_any,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
)
from engine.ops.control_flow.asserting import assert_op
from engine.ops.control_flow.branches_and_loops import (
    enter,
    exit_op,
    loop_cond,
    merge,
    next_iteration,
    switch,
)
from engine.ops.control_flow.filing import merge_summary
from engine.ops.control_flow.printing import print_of, print_values
from engine.ops.control_flow.tensor_arrays import TensorArray
from engine.ops.elementwise.accumulating import accumulate_n
from engine.ops.elementwise.arithmetic import add, add_n, mul, scalar_mul, sub
from engine.ops.elementwise.comparison import (
    equal,
    greater,
    greater_equal,
    is_finite,
    less,
    less_equal,
    not_equal,
    ones_like,
    select,
)
from engine.ops.elementwise.complex_numbers import angle, complex_abs, complex_of, conj, imag, real
from engine.ops.elementwise.division import floor_div, floor_mod, true_divide
from engine.ops.elementwise.exponentials import exp, expm1, log, log1p, rsqrt, sqrt
from engine.ops.elementwise.extremes import maximum, minimum
from engine.ops.elementwise.logical import (
    is_inf,
    is_nan,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
)
from engine.ops.elementwise.multiply_add import multiply_add
from engine.ops.elementwise.powers import power, reciprocal, square, squared_difference
from engine.ops.elementwise.quotients import (
    div,
    div_no_nan,
    divide,
    floordiv,
    truncate_div,
    xdivy,
    xlogy,
)
from engine.ops.elementwise.rounding import ceil, floor, rint, round_of
from engine.ops.elementwise.signs import absolute, neg, sign
from engine.ops.elementwise.special import digamma, erf, erfc, lgamma, polygamma
from engine.ops.elementwise.trigonometry import (
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cos,
    cosh,
    sin,
    sinh,
    tan,
)
from engine.ops.linear_algebra import eigenvalues as eigenvalues
from engine.ops.linear_algebra import fourier as fourier
from engine.ops.linear_algebra.bias import bias_add, xw_plus_b
from engine.ops.linear_algebra.contraction import einsum, tensordot
from engine.ops.linear_algebra.decomposition import qr, self_adjoint_eig, svd
from engine.ops.linear_algebra.diagonals import (
    diag,
    diag_part,
    eye,
    matrix_diag,
    matrix_diag_part,
    matrix_set_diag,
    trace,
)
from engine.ops.linear_algebra.factorization import (
    matrix_determinant,
    matrix_inverse,
    matrix_solve,
    slogdet,
)
from engine.ops.linear_algebra.products import matrix_product, matvec
from engine.ops.linear_algebra.triangular import (
    cholesky,
    cholesky_solve,
    matrix_band_part,
    matrix_triangular_solve,
)
from engine.ops.networks.activations import (
    crelu,
    elu,
    leaky_relu,
    log_sigmoid,
    relu,
    relu6,
    selu,
    sigmoid,
    softplus,
    softsign,
    tanh,
    tanh_grad,
)
from engine.ops.networks.clipping import clip_by_global_norm, clip_by_norm, clip_by_value, global_norm
from engine.ops.networks.convolution import conv2d
from engine.ops.networks.depthwise import depthwise_conv2d
from engine.ops.networks.embedding import embedding_lookup
from engine.ops.networks.fused_normalizing import fused_batch_norm
from engine.ops.networks.losses import (
    l2_loss,
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2,
    sparse_softmax_cross_entropy_with_logits,
    weighted_cross_entropy_with_logits,
)
from engine.ops.networks.normalizing import (
    l2_normalize,
    log_softmax,
    moments,
    norm,
    reduce_logsumexp,
    reduce_std,
    reduce_variance,
    softmax,
)
from engine.ops.networks.pooling import avg_pool, max_pool
from engine.ops.reductions import reductions as reductions
from engine.ops.reductions.counting import bincount, setdiff1d, unique, unique_with_counts
from engine.ops.reductions.scans import cumprod, cumsum
from engine.ops.reductions.segments import segment_max, segment_mean, segment_min, segment_sum
from engine.ops.reductions.sets import set_difference
from engine.ops.sources import candidates as candidates
from engine.ops.sources import datasets as datasets
from engine.ops.sources.random import (
    categorical,
    dropout,
    multinomial,
    random_normal,
    random_shuffle,
    random_uniform,
    set_random_seed,
    truncated_normal,
)
from engine.ops.sources.state import assign, assign_add, assign_sub
from engine.ops.texts import changing as changing
from engine.ops.texts import converting as converting
from engine.ops.texts import joining as joining
