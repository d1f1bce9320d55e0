"""Arguments of JAX that say where or how fast something is computed, and so change no number here."""

from __future__ import annotations

from functools import partial

from engine.languages.surfaces.left_out import refusing_others

HARMLESS = frozenset(
    (
        *(
            "device",
            "out_sharding",
            "sharding",
            "in_shardings",
            "out_shardings",
            "backend",
            "donate",
            "may_alias",
        ),
        *("precision", "accuracy", "stable", "kind", "is_stable", "indices_are_sorted", "unique_indices"),
        *(
            "unroll",
            "_split_transpose",
            "batch_size",
            "optimize",
            "copy",
            "hermitian",
            "prevent_cse",
            "policy",
        ),
        *("concrete", "keep_unused", "compiler_options", "ordered", "partitioned", "reduce_axes"),
        *("spmd_axis_name", "symmetrize_input", "numpy_resid", "overwrite_a", "overwrite_b", "check_finite"),
        *("allow_negative_indices", "batch_axis", "static_argnums", "static_argnames", "turbo", "type"),
        *("vmap_method", "vectorized", "token", "num_frames", "filter_frames", "skip_format_check"),
    )
)

guarded = partial(refusing_others, HARMLESS)
