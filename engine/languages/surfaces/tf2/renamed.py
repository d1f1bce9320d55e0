"""Names of TensorFlow 1 that TensorFlow 2 has no longer, each with what took its place.

They stay below `tf.compat.v1`, and in a program that turns eager execution on: that is one for TensorFlow 1.
"""

from __future__ import annotations

from collections.abc import Mapping

MOVED = {  # the same name, in a module
    "math": "accumulate_n bincount ceil count_nonzero cumprod digamma erf erfc expm1 floordiv floormod "
    "is_finite is_inf is_nan lgamma log log1p log_sigmoid logical_xor reciprocal rint rsqrt segment_max "
    "segment_mean segment_min segment_sum squared_difference unsorted_segment_sum xdivy xlogy reduce_std "
    "reduce_variance divide_no_nan",
    "linalg": "cholesky cholesky_solve cross diag diag_part global_norm matrix_transpose trace",
    "random": "truncated_normal",
    "nn": "log_softmax",
}
REPLACED = {  # what to write instead
    "string_join": "strings.join",
    "string_strip": "strings.strip",
    "string_to_number": "strings.to_number",
    "substr": "strings.substr",
    "regex_replace": "strings.regex_replace",
    "reduce_join": "strings.reduce_join",
    "arg_max": "argmax",
    "arg_min": "argmin",
    "reverse_v2": "reverse",
    "lin_space": "linspace",
    "manip.roll": "roll",
    "manip.scatter_nd": "scatter_nd",
    "pack": "stack",
    "mod": "math.floormod",
    "mul": "multiply",
    "sub": "subtract",
    "neg": "negative",
    "inv": "math.reciprocal",
    "div": "divide",
    "math.div": "divide",
    "math.truncatediv": "truncatediv",
    "setdiff1d": "sets.difference",
    **dict.fromkeys(("div_no_nan", "math.div_no_nan"), "math.divide_no_nan"),
    **dict.fromkeys(("to_float", "to_double", "to_int32", "to_int64"), "cast"),
    **dict.fromkeys(("multinomial", "random.multinomial"), "random.categorical"),
    **dict.fromkeys(("set_random_seed", "random.set_random_seed"), "random.set_seed"),
    "random_normal": "random.normal",
    "random_uniform": "random.uniform",
    "random_shuffle": "random.shuffle",
    "linalg.transpose": "linalg.matrix_transpose",
    "matrix_band_part": "linalg.band_part",
    "matrix_determinant": "linalg.det",
    "matrix_diag": "linalg.diag",
    "matrix_diag_part": "linalg.diag_part",
    "matrix_inverse": "linalg.inv",
    "matrix_set_diag": "linalg.set_diag",
    "matrix_solve": "linalg.solve",
    "matrix_triangular_solve": "linalg.triangular_solve",
    "nn.softmax_cross_entropy_with_logits_v2": "nn.softmax_cross_entropy_with_logits",
    "nn.xw_plus_b": "matmul",
    "glorot_normal_initializer": "keras.initializers.GlorotNormal",
    "glorot_uniform_initializer": "keras.initializers.GlorotUniform",
    "truncated_normal_initializer": "keras.initializers.TruncatedNormal",
    "variance_scaling_initializer": "keras.initializers.VarianceScaling",
    "train.AdadeltaOptimizer": "keras.optimizers.Adadelta",
    "train.AdagradOptimizer": "keras.optimizers.Adagrad",
    "train.AdamOptimizer": "keras.optimizers.Adam",
    "train.FtrlOptimizer": "keras.optimizers.Ftrl",
    **dict.fromkeys(("train.GradientDescentOptimizer", "train.MomentumOptimizer"), "keras.optimizers.SGD"),
    "train.RMSPropOptimizer": "keras.optimizers.RMSprop",
    "train.Optimizer": "keras.optimizers.Optimizer",
    "train.cosine_decay": "keras.optimizers.schedules.CosineDecay",
    "train.cosine_decay_restarts": "keras.optimizers.schedules.CosineDecayRestarts",
    "train.exponential_decay": "keras.optimizers.schedules.ExponentialDecay",
    "train.inverse_time_decay": "keras.optimizers.schedules.InverseTimeDecay",
    "train.natural_exp_decay": "keras.optimizers.schedules.ExponentialDecay",
    "train.polynomial_decay": "keras.optimizers.schedules.PolynomialDecay",
    "layers.average_pooling2d": "keras.layers.AveragePooling2D",
    "layers.conv2d": "keras.layers.Conv2D",
    "layers.dense": "keras.layers.Dense",
    "layers.dropout": "keras.layers.Dropout",
    "layers.flatten": "keras.layers.Flatten",
    "layers.max_pooling2d": "keras.layers.MaxPooling2D",
    "losses.absolute_difference": "keras.losses.MeanAbsoluteError",
    "losses.cosine_distance": "keras.losses.CosineSimilarity",
    "losses.hinge_loss": "keras.losses.Hinge",
    "losses.huber_loss": "keras.losses.Huber",
    **dict.fromkeys(("losses.log_loss", "losses.sigmoid_cross_entropy"), "keras.losses.BinaryCrossentropy"),
    "losses.softmax_cross_entropy": "keras.losses.CategoricalCrossentropy",
    "losses.sparse_softmax_cross_entropy": "keras.losses.SparseCategoricalCrossentropy",
    "metrics.accuracy": "keras.metrics.Accuracy",
    "metrics.mean": "keras.metrics.Mean",
    "metrics.mean_squared_error": "keras.metrics.MeanSquaredError",
}
GONE = (  # with graphs, collections and sessions
    "add_to_collection get_collection get_collection_ref initializers.global_variables local_variables "
    "losses.add_loss losses.compute_weighted_loss losses.get_losses losses.get_regularization_loss "
    "losses.get_regularization_losses losses.get_total_loss placeholder_with_default scatter_add scatter_div "
    "scatter_mul scatter_sub scatter_update test.compute_gradient_error train.AdagradDAOptimizer "
    "train.ProximalAdagradOptimizer train.ProximalGradientDescentOptimizer train.create_global_step "
    "train.get_global_step train.get_or_create_global_step train.global_step train.linear_cosine_decay "
    "train.Saver train.SummaryWriter"
)

RENAMED: Mapping[str, str] = {
    **{name: f"{module}.{name}" for module, names in MOVED.items() for name in names.split()},
    **REPLACED,
    **dict.fromkeys(GONE.split(), ""),
}


def hints(name: str) -> tuple[str, str]:
    """What to write instead of such a name, in English and in Chinese."""
    new = RENAMED[name]
    instead = f"It is `tf.{new}` now; " if new else ""
    instead_zh = f"现在是 `tf.{new}`；" if new else ""
    return (
        f"TensorFlow 2 has no `tf.{name}`. {instead}`tf.compat.v1.{name}` is the one of TensorFlow 1.",
        f"TensorFlow 2 没有 `tf.{name}`。{instead_zh}`tf.compat.v1.{name}` 是 TensorFlow 1 的。",
    )
