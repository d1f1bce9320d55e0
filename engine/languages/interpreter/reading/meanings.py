"""Names that mean the same in different libraries: `reduce_avg` is nobody's, but means `reduce_mean`."""

from __future__ import annotations

from collections.abc import Iterator

# A line is one meaning. The names with which libraries know it stand first, the likeliest to be wanted
# before the others; what only people say stands after the bar. A name before the bar may be the one that
# was written: `np.reduce_mean`.
MEANINGS = """
reduce_mean mean | avg average reduce_avg reduce_average
reduce_sum sum | summation reduce_add sum_all
reduce_max max amax | reduce_maximum
reduce_min min amin | reduce_minimum
reduce_prod prod | product reduce_product
math.reduce_std std | stddev standard_deviation reduce_stddev
math.reduce_variance var | variance reduce_var
reduce_all all |
reduce_any any |
matmul | matmult mat_mul matrix_mul matrix_multiply matrix_multiplication mm bmm
tensordot dot |
multiply | mul times mult
subtract | sub minus
divide div | division
pow power | to_the_power
sqrt | square_root root
square | sqr squared
abs | absolute absolute_value
exp | exponential e_pow
log math.log | ln natural_log
concat concatenate | cat
transpose | permute permute_dims
linalg.inv matrix_inverse | inverse inv invert_matrix
linalg.det matrix_determinant | determinant det
constant array | tensor to_array to_tensor as_tensor from_numpy
range arange |
random.normal random_normal | randn
random.uniform random_uniform | rand
nn.relu | relu
nn.softmax | softmax
nn.log_softmax | log_softmax
sigmoid nn.sigmoid | logistic
clip_by_value clip | clamp
expand_dims | unsqueeze
"""


def meant(name: str) -> Iterator[str]:
    """Other names for what a name means, dotted where they stand inside a module, the likeliest first."""
    folded = name.casefold()
    for line in MEANINGS.strip().splitlines():
        known, _, said = line.partition("|")
        if folded in (*known.split(), *said.split()):
            yield from (path for path in known.split() if path != folded)
