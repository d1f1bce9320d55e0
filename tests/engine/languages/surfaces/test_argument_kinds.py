"""An argument that a program gives is used, or changes no number: those passed over, with the reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from engine.languages import surfaces

# Wherever they stand, they change no number.
ANYWHERE = {
    "where, how fast and in what memory it is computed": "caching_device experimental_aggregate_gradients "
    "experimental_use_pfor fallback_to_while_loop infer_shape optimize parallel_iterations swap_memory "
    "use_locking use_resource clear_after_read aggregation synchronization",
    "how a session is set up and watched": "config options run_metadata target",
    "what is checked or shown besides": "expected_shape message summarize validate_indices validate_shape "
    "warn",
    "what nodes are called, or listed under": "name scope outputs_collections tensor_array_name",
    "how a variable is read from a file": "import_scope variable_def",
    "what calls it": "interpreter self",
}

# Their names say more elsewhere.
HERE = {
    "the tensor knows its shape": "tf1.test.x_shape tf1.test.y_shape tf1.functions.arrays.num "
    "tf2.variables.shape",
    "the variable knows the type, and what a function returns its own": "keras.arguments.dtype "
    "tf2.loops.dtype tf2.loops.fn_output_signature",
    "nothing is divided among machines": "tf2.strict.support_partition",
    "numbers are real": "tf1.functions.arrays.conjugate tf2.more.matrices.conjugate",
    "Keras passes it over, too": "keras.layers.attention.query_mask",
    "something else decides it": "tf1.loops.flow tf1.loops.handle tf1.graphs.values tf1.scopes.values",
    "shapes may change from turn to turn": "tf2.branches.shape_invariants "
    "tf2.functions.running.shape_invariants",
    "there is one replica": "tf2.more.strategies.cross_device_ops tf2.more.strategies.device "
    "tf2.more.strategies.strategy",
    "it is all there at once": "tf2.datasets.pipelines.num_parallel_calls "
    "tf2.datasets.pipelines.deterministic tf2.datasets.mapping.num_parallel_calls "
    "tf2.datasets.data.buffer_size tf2.variables.read_value python.clock.seconds",
    "the rule that would ask for it is not called": "torch.autograd.custom.ctx",
    "the loop has run by then": "tf2.loops.back_prop tf2.branches.back_prop",
    "TensorFlow gives zeros in any case": "tf2.tape.unconnected_gradients",
    "nothing is written": "tf2.datasets.pipelines.filename tf1.files.summaries.max_outputs "
    "tf1.files.checkpoints.latest_filename "
    "tf1.files.checkpoints.meta_graph_suffix tf1.files.checkpoints.write_meta_graph "
    "tf1.files.checkpoints.write_state python.system.files.mode python.system.paths.mode "
    "python.system.paths.parents",
    "it says how elements stand in memory": "numpy.module.order numpy.making.copy "
    "sklearn.least_squares.copy_X",
    "one process does it": "sklearn.least_squares.n_jobs",
    "what it checks is checked anyway": "tf2.more.matrices.validate_args "
    "tf2.more.structures.expand_composites",
    "what every callback is given": "keras.callbacks.catalogue.epoch keras.callbacks.catalogue.logs "
    "keras.callbacks.callback.logs keras.callbacks.callback.number keras.callbacks.monitors.logs",
    "a model is built when it is called": "keras.models.rebuild",
    "arrays have one class, and one order in memory": "numpy.arranging.order numpy.arranging.subok "
    "numpy.module.subok",
    "whoever calls it takes 0 only": "jax.numpy.making.ranges.axis",
    "one form of the result": "tf1.flow.strict tf2.loops.strict tf2.loops.exclusive",
    "one way to add is as good as the other": "tf1.flow.aggregation_method",
    "only with `renorm`, which is refused": "tf1.functions.normalizing.renorm_clipping "
    "tf1.functions.normalizing.renorm_momentum",
    "Python's own bookkeeping": "python.collections.module python.collections.rename "
    "python.system.run.stream python.data_classes.hash "
    "python.settings.help python.settings.metavar python.settings.shown",
    "what every maker of a class or an object is given": "python.enums.keywords python.data_classes.kind "
    "python.typing.kind python.typing.trace",
    "the other readers of a statement take it": "tf2.looping.watching.value tf2.looping.watching.node "
    "tf2.looping.watching.function torch.looping.watching.value",
    "what is refused whatever it is": "tf2.eager.value tf2.variables.value tf2.functions.traced.tensor "
    "tf2.functions.running.session tf2.functions.running.fetches tf2.functions.running.feed_dict",
    "a session that runs nothing": "tf2.functions.running.graph",
    "how a function is compiled or described, not what it computes": "tf2.functions.function.jit_compile "
    "tf2.functions.function.experimental_follow_type_hints tf2.functions.function.experimental_implements "
    "tf2.functions.function.experimental_compile tf2.functions.function.experimental_autograph_options "
    "tf2.functions.function.experimental_attributes tf2.functions.arrays.colocate_with_first_write_call",
    "what every rule or step is given, though not all look at it": "tf2.functions.effects.staging "
    "tf2.functions.effects.function tf2.functions.effects.args tf2.functions.effects.keywords "
    "tf2.functions.arrays.args tf2.functions.arrays.keywords tf2.functions.steps.running "
    "tf2.functions.traced.place tf2.functions.traced.node",
    "what a layer is made for is known without it": "keras.layers.basic.input_length "
    "keras.layers.basic.input_shape keras.layers.attention.input_shape",
    "classes of the program's own are known without it": "keras.saving.files.custom_objects",
    "how it is computed, not what": "keras.layers.attention.flash_attention "
    "keras.preparing.normalization.batch_size keras.preparing.vectorization.batch_size",
    "texts are no bytes here": "keras.preparing.vectorization.encoding",
    "nothing is loaded ahead of its turn": "keras.fitting.sources.workers "
    "keras.fitting.sources.use_multiprocessing keras.fitting.sources.max_queue_size",
    "what every loss of a step is given": "keras.fitting.steps.x keras.fitting.steps.training",
    "how turns are computed, not what": "keras.layers.recurrence.recurrent.implementation "
    "keras.layers.recurrence.recurrent.unroll keras.layers.recurrence.cells.unroll "
    "keras.layers.recurrence.recurrent.use_cudnn",
    "no file is written": "keras.saving.files.overwrite keras.saving.files.zipped "
    "keras.saving.files.save_format keras.saving.files.include_optimizer",
    "how a model is compiled, not what it computes": "keras.fitting.compiling.jit_compile "
    "keras.fitting.compiling.steps_per_execution "
    "keras.fitting.compiling.auto_scale_loss",
    "what every rule for first values is given": "keras.named.partition_info "
    "keras.layers.recurrence.recurrent.shape",
    "what every recurrent cell does in its own way": "tf1.recurrent.cells.graph tf1.recurrent.cells.x "
    "tf1.recurrent.cells.state",
    "handed down to all layers inside a model by whoever calls it": "keras.models.training",
    "the data is here, in one order": "data_sets.of_keras.path data_sets.of_keras.seed "
    "data_sets.of_keras.version data_sets.of_tf1.train_dir data_sets.of_tf1.seed data_sets.of_tf1.source_url",
    "only with an option that is refused": "data_sets.of_sklearn.tail_strength",
    "scikit-learn passes it over, too": "sklearn.folds.groups sklearn.folds.y sklearn.scaling.y",
    "it says whether memory is used again": "sklearn.scaling.copy",
    "what every rule of its kind is given": "python.decimals.symbol tf1.run_errors.node "
    "tf1.datasets.elements.dataset tf1.datasets.iterators.graph",
    "a number's digits are not rounded when it is made": "python.decimals.context",
    "elements are known without it": "tf1.datasets.iterators.output_classes",
    "there is one machine and one file": "tf1.datasets.iterators.shared_name tf1.datasets.steps.filename "
    "tf1.functions.sampling.partition_strategy",
    "parts of an array in a graph, which a program cannot have": "tf2.functions.arrays.flow "
    "tf2.functions.arrays.handle",
}

# In all files of one framework.
IN: dict[str, dict[str, str]] = {
    "torch": {
        "what any function written in C++ is given is written by `TorchFunction`": "out",
        "there is one machine, and memory is dense": "device layout pin_memory memory_format non_blocking "
        "copy map_location sparse sparse_grad foreach chunk_size vectorize strategy "
        "outer_jacobian_strategy timeout worker_init_fn multiprocessing_context prefetch_factor "
        "persistent_workers pin_memory_device in_order output_size device_type cudnn_enabled",
        "what every formula of a gradient or rule of its kind is given": "saved grad _ needed grads found "
        "count named index of kept what backward memo total_iters retain_graph create_graph other shape "
        "split_size split_sizes dims",
        "what is checked or warned of besides": "strict tie_weights "
        "check_grad_dtypes fast_mode volatile _stacklevel allow_subclasses "
        "check_device check_layout check_stride check_errors",
        "of earlier versions, and replaced by another, or by none": "grad_variables eps _instance",
        "one order of the results, or a hint for speed": "sorted stable assume_unique",
        "the step's function has been called by then": "closure",
        "only with an option that is refused": "momentum",
        "a hint beside the mask": "is_causal src_is_causal tgt_is_causal memory_is_causal",
        "a graphics card, which there is not, would take it": "cache_enabled enabled dtype scaler devices",
        "a data set is here, and no file is written": "download fp tensor",
        "its formula has it": "padding_idx scale_grad_by_freq alpha",
    },
    "matplotlib": {
        "how words, cells and colours look, not which numbers are drawn": "fontdict cmap norm interpolation "
        "histtype rwidth adjustable which alpha axis",
        "no window opens, and no file is written": "block fname keep_observers",
        "each pair of axes has ends of its own": "sharex sharey",
    },
    "jax": {
        "there is one machine, and memory is dense": "backend device out_sharding sharding memory_space "
        "precision copy order unroll indices_are_sorted unique_indices",
        "how it is compiled, not what it computes": "_inline",
        "what every rule of its kind is given": "size _x carry _types keywords tangents used "
        "nonzeros call hidden broadcast_dimensions weak_type new_dtype cond_nconsts cond_jaxpr "
        "body_nconsts indices updates slice_sizes types parameters ans dimensions sizes shape key "
        "new params state rng flatten_func input_dtype",
        "what JAX itself passes over": "tol",
        "one order of the results": "is_stable",
        "what is checked besides": "check_finite debug allow_singular",
        "arrays do not change": "overwrite_a overwrite_b",
        "one of several ways to the same numbers": "method vmap_method assume_unique sorted",
        "the rank alone counts": "rhs_shape",
        "the edges of bins do not depend on it": "weights",
        "what a function that refuses is given": "lowered primals out",
        "a symmetric matrix has both triangles": "UPLO lower",
    },
}


def words(table: dict[str, str]) -> set[str]:
    return {word for line in table.values() for word in line.split()}


def refused(function: ast.FunctionDef) -> Iterator[str]:
    """The parameters of which `@takes_only(…)` refuses every value that would change something."""
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "takes_only":
            yield from (keyword.arg for keyword in decorator.keywords if keyword.arg)


def passed_over(text: str) -> Iterator[str]:
    """The parameters that no line of their function reads."""
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef):
            given = function.args
            read = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
            read |= set(refused(function))
            names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
            yield from (name for name in names if name not in read)


@cache
def found() -> set[str]:
    """All that are passed over, each as `framework.module.name`."""
    folder = Path(surfaces.__file__).parent
    return {
        f"{'.'.join(path.relative_to(folder).with_suffix('').parts)}.{name}"
        for path in folder.rglob("*.py")
        for name in passed_over(path.read_text(encoding="utf-8"))
    }


def _is_listed(argument: str) -> bool:
    framework, name = argument.partition(".")[0], argument.rpartition(".")[2]
    return argument in words(HERE) or name in words(ANYWHERE) | words(IN.get(framework, {}))


def test_no_argument_is_passed_over_that_would_change_a_number() -> None:
    assert {one for one in found() if not _is_listed(one)} == set()


@pytest.mark.parametrize("framework", IN)
def test_what_is_listed_of_a_framework_is_passed_over_there(framework: str) -> None:
    there = {one.rpartition(".")[2] for one in found() if one.startswith(f"{framework}.")}
    assert words(IN[framework]) <= there


@pytest.mark.parametrize("word", sorted(words(ANYWHERE) | words(HERE)))
def test_what_is_listed_is_passed_over_somewhere(word: str) -> None:
    assert word in found() | {one.rpartition(".")[2] for one in found()}


def test_an_argument_that_is_passed_over_would_be_noticed() -> None:
    assert list(passed_over("def f(x, constraint=None):\n    return x")) == ["constraint"]


def test_an_argument_that_is_refused_is_not_passed_over() -> None:
    text = "@takes_only(mode=(None,))\ndef f(x, mode=None):\n    return x"
    assert list(passed_over(text)) == []
