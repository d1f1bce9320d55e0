"""Datasets and iterators: nodes that hand out other elements in each run.

A dataset's node has one output, a description of elements to come. What these are is no matter of the graph:
each node carries a step, made by whoever adds it, which builds its dataset from those before it and from
the values of its other inputs. An iterator's place among them is kept by the session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.errors import ProgramError, UninitialisedError
from engine.ops.base.definition import OpDef, in_chinese, op
from engine.ops.base.tensors import Array, Node, Shape, Tensor

NO_NUMBERS = ("it hands out elements, and is no number", "它给出数据元素，而不是数值")
LASTING = "kept"  # the parameter in which a kernel finds what the session keeps for its node

Parts = Sequence[Array]  # of one element


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What a dataset's node makes of the datasets and values that go in.

    name: what it is called in the graph's file.
    """

    name: str
    build: Callable[..., Any]

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> Any:
        """Functions stay in their process: elsewhere the elements that were read last are fed."""
        return unreadable, (self.name,)


def unreadable(name: str) -> Step:
    """A step of a dataset whose elements another process reads."""
    return Step(name, _is_elsewhere)


def _is_elsewhere(*given: Any) -> Any:
    raise ProgramError(
        "The dataset is read by the program's own runs alone.",
        message_zh="数据集只在程序自己的运行中读取。",
        code="no_elements",
    )


@dataclass(slots=True)
class Place:
    """Where an iterator stands.

    name:     what its text handle says.
    elements: those still to come; None before an initializer ran.
    """

    name: str
    elements: Iterator[Parts] | None = None

    def begin(self, dataset: Any) -> None:
        """Go to the first element of a dataset."""
        self.elements = dataset.parts()

    def next(self, name: str = "IteratorGetNext") -> Parts:
        """The next element. name: of the node that asks, for messages.

        Raises: UninitialisedError before the start, ProgramError behind the end.
        """
        if self.elements is None:
            raise _not_begun(name)
        found = next(self.elements, None)
        if found is None:
            raise _at_the_end(name)
        return found


@dataclass(slots=True)
class Places:
    """The places of a session's iterators."""

    of: dict[Node, Place] = field(default_factory=dict)

    def kept_for(self, node: Node) -> Any:
        """What a node's kernel finds in `kept`: its iterator's place, or all of them."""
        return self if node.op is iterator_from_string_handle else self.place(node)

    def named(self, name: str) -> Place:
        """The place whose text handle this is. Raises: ProgramError where there is none."""
        for place in self.of.values():
            if place.name == name:
                return place
        raise ProgramError(
            "This text is no handle of an iterator.",
            hint="Feed what sess.run(iterator.string_handle()) gave.",
            message_zh="这段文字不是迭代器的句柄。",
            hint_zh="请喂入 sess.run(iterator.string_handle()) 的结果。",
            code="bad_feed",
        )

    def place(self, node: Node) -> Place:
        """That of one iterator; one that begins by itself is at its start when it is first asked for."""
        found = self.of.get(node)
        if found is None:
            found = self.of[node] = Place(node.name)
            if node.op is one_shot_iterator:
                found.begin(node.attrs["dataset_factory"].build())
        return found


def opened(value: Array) -> Any:
    """What a handle holds, or the array of numbers or texts."""
    is_handle = value.dtype.kind == "O" and value.ndim == 0 and not isinstance(value[()], bytes)
    return value[()] if is_handle else value


def handle_of(thing: Any) -> Array:
    """An array that holds a thing."""
    handle = np.empty((), dtype=object)
    handle[()] = thing
    return handle


def _dataset_op(name: str, inputs: str, types: str, doc: str, doc_zh: str, latex: str) -> OpDef:
    def kernel(*given: Array, f: Any = None) -> Any:
        return handle_of(f.build(*map(opened, given)))

    kernel.__doc__ = f"{doc} Shapes: any -> ()."
    return op(
        name,
        inputs=inputs,
        types=types,
        outputs=("variant",),
        shape=lambda *shapes: (),
        stateful=True,
        latex=latex,
        no_gradient=NO_NUMBERS,
        ends_path=True,
    )(in_chinese(doc_zh)(kernel))


_BEFORE = "input_dataset"
_ONE = "variant"
_EACH = r"\text{{{word}}}({{input_dataset}})"

DATASETS: Mapping[str, OpDef] = {
    name: _dataset_op(name, inputs, types, doc, doc_zh, latex)
    for name, inputs, types, latex, doc, doc_zh in (
        (
            "TensorSliceDataset",
            "*components",
            "Toutput_types[]",
            r"\text{rows of } {components}",
            "One element for each row.",
            "每一行是一个元素。",
        ),
        (
            "TensorDataset",
            "*components",
            "Toutput_types[]",
            r"\{ {components} \}",
            "One element: all of it.",
            "只有一个元素：全部数据。",
        ),
        (
            "RangeDataset",
            "start stop step",
            "int64 int64 int64",
            r"{start}, {start} + {step}, \ldots",
            "Whole numbers from start up to, without, stop.",
            "从 start 到 stop（不含）的整数。",
        ),
        (
            "GeneratorDataset",
            "*init_func_other_args",
            "Tinit_func_args[]",
            r"\text{generator}",
            "What a function of the program yields.",
            "程序中的函数依次产生的元素。",
        ),
        (
            "ZipDataset",
            "*input_datasets",
            "variant",
            r"\text{zip}({input_datasets})",
            "The first elements together, then the second ones.",
            "各数据集的第一个元素合在一起，然后是第二个。",
        ),
        (
            "ConcatenateDataset",
            "input_dataset another_dataset",
            "variant variant",
            r"{input_dataset}, {another_dataset}",
            "The elements of one dataset, then those of another.",
            "先是一个数据集的元素，再是另一个的。",
        ),
        *(
            (
                f"{word}Dataset",
                f"{_BEFORE} *other_arguments",
                f"{_ONE} Targuments[]",
                rf"\text{{{sign}}}({{input_dataset}})",
                doc,
                doc_zh,
            )
            for word, sign, doc, doc_zh in (
                ("Map", "map", "Each element through a function.", "每个元素经过一个函数。"),
                ("ParallelMap", "map", "Each element through a function.", "每个元素经过一个函数。"),
                ("Filter", "filter", "The elements for which a function holds.", "满足某个函数的元素。"),
                (
                    "FlatMap",
                    "flat map",
                    "The elements of the dataset that a function makes of each element.",
                    "函数由每个元素得到的数据集中的元素。",
                ),
                (
                    "Interleave",
                    "interleave",
                    "Elements of several such datasets in turn.",
                    "轮流取自几个这样的数据集的元素。",
                ),
            )
        ),
        *(
            (
                name,
                f"{_BEFORE} {others}".strip(),
                f"{_ONE} {types}".strip(),
                rf"\text{{{sign}}}({{input_dataset}})",
                doc,
                doc_zh,
            )
            for name, others, types, sign, doc, doc_zh in (
                (
                    "BatchDatasetV2",
                    "batch_size drop_remainder",
                    "int64 bool",
                    "batch",
                    "So many elements side by side.",
                    "把若干个元素并排放在一起。",
                ),
                (
                    "PaddedBatchDatasetV2",
                    "batch_size *padded_shapes",
                    "int64 T[]",
                    "padded batch",
                    "So many elements side by side, the shorter ones filled up.",
                    "把若干个元素并排放在一起，短的补齐。",
                ),
                (
                    "ShuffleDataset",
                    "buffer_size seed seed2",
                    "int64 int64 int64",
                    "shuffle",
                    "In another order.",
                    "换一个次序。",
                ),
                ("RepeatDataset", "count", "int64", "repeat", "Again from the start.", "从头再来。"),
                ("TakeDataset", "count", "int64", "take", "The first elements.", "开头的若干个元素。"),
                ("SkipDataset", "count", "int64", "skip", "All but the first elements.", "去掉开头的元素。"),
                ("PrefetchDataset", "buffer_size", "int64", "prefetch", "The same.", "原样。"),
                ("CacheDataset", "filename", "string", "cache", "The same, kept.", "原样，并保存下来。"),
                (
                    "ShardDataset",
                    "num_shards index",
                    "int64 int64",
                    "shard",
                    "Every so-manieth element.",
                    "每隔若干个取一个元素。",
                ),
                (
                    "WindowDataset",
                    "size shift stride drop_remainder",
                    "int64 int64 int64 bool",
                    "window",
                    "Datasets of so many elements each.",
                    "每个由若干元素组成的数据集。",
                ),
                ("OptimizeDataset", "optimizations", "string", "optimize", "The same.", "原样。"),
                ("ModelDataset", "", "", "model", "The same.", "原样。"),
            )
        ),
    )
}


# -- iterators ---------------------------------------------------------------------------------------


@op(
    "OneShotIterator",
    inputs="",
    outputs=("resource",),
    shape=lambda: (),
    stateful=True,
    keeps=True,
    fixed={"container": "", "shared_name": ""},
    latex=r"\text{iterator}",
    no_gradient=NO_NUMBERS,
    ends_path=True,
)
@in_chinese("从头到尾走一遍数据集的迭代器；会话记住它的位置。")
def one_shot_iterator(*, kept: Place, dataset_factory: Any = None) -> Any:
    """Goes through a dataset once; the session keeps its place. Shapes: -> ()."""
    return handle_of(kept)


@op(
    "IteratorV2",
    inputs="",
    outputs=("resource",),
    shape=lambda: (),
    stateful=True,
    keeps=True,
    fixed={"container": "", "shared_name": ""},
    latex=r"\text{iterator}",
    no_gradient=NO_NUMBERS,
    ends_path=True,
)
@in_chinese("由初始化运算放到数据集开头的迭代器；会话记住它的位置。")
def iterator_v2(*, kept: Place, output_types: Any = (), output_shapes: Any = ()) -> Any:
    """Goes through a dataset once an initializer ran; the session keeps its place. Shapes: -> ()."""
    return handle_of(kept)


@op(
    "MakeIterator",
    inputs="dataset iterator",
    types="variant resource",
    outputs=(),
    shape=lambda *shapes: [],
    stateful=True,
    latex=r"{iterator} \leftarrow {dataset}",
    no_gradient=NO_NUMBERS,
    ends_path=True,
)
@in_chinese("把迭代器放到数据集的开头。")
def make_iterator(dataset: Array, iterator: Array) -> Any:
    """Puts an iterator at the start of a dataset. Shapes: (), () -> nothing."""
    iterator.item().begin(dataset.item())
    return []


def _of_an_element(*handle: Shape, attributes: Mapping[str, Any]) -> list[Shape]:
    return list(attributes["output_shapes"])


@op(
    "IteratorGetNext",
    inputs="iterator",
    types="resource",
    outputs=lambda attributes: attributes["output_types"],
    shape=_of_an_element,
    stateful=True,
    latex=r"\text{next}({iterator})",
    no_gradient=("what a dataset holds does not depend on anything", "数据集中的内容不依赖任何量"),
    ends_path=True,
)
@in_chinese("下一个元素的各部分；每次运行都是新的元素。")
def iterator_get_next(iterator: Array, output_types: Any = (), output_shapes: Any = ()) -> Any:
    """The parts of the next element, another one in each run. Shapes: () -> as the dataset's."""
    return list(iterator.item().next())


@op(
    "IteratorToStringHandle",
    inputs="resource_handle",
    types="resource",
    outputs=("string",),
    shape=lambda handle: (),
    stateful=True,
    latex=r"\text{name of } {resource_handle}",
    no_gradient=NO_NUMBERS,
    ends_path=True,
)
@in_chinese("代表迭代器的文本。")
def iterator_to_string_handle(resource_handle: Array) -> Any:
    """A text that stands for an iterator. Shapes: () -> ()."""
    return np.asarray(resource_handle.item().name.encode(), dtype=object)


@op(
    "IteratorFromStringHandleV2",
    inputs="string_handle",
    types="string",
    outputs=("resource",),
    shape=lambda handle: (),
    stateful=True,
    keeps=True,
    latex=r"\text{iterator called } {string_handle}",
    no_gradient=NO_NUMBERS,
    ends_path=True,
)
@in_chinese("文本所代表的迭代器。")
def iterator_from_string_handle(
    string_handle: Array, *, kept: Places, output_types: Any = (), output_shapes: Any = ()
) -> Any:
    """The iterator that a text stands for. Shapes: () -> ()."""
    return handle_of(kept.named(string_handle.item().decode(errors="replace")))


OF_DATASETS = frozenset(DATASETS) | {
    *("OneShotIterator", "IteratorV2", "MakeIterator", "IteratorGetNext"),
    *("IteratorToStringHandle", "IteratorFromStringHandleV2"),
}  # what only the program's own runs do


def iterator_of(node: Node) -> Node | None:
    """The iterator that a node reads on; None where only a run decides."""
    source = node.inputs[0].node
    plain = source.op in (one_shot_iterator, iterator_v2) and node.context is None
    return source if plain and not node.control_inputs else None


def _not_begun(name: str) -> UninitialisedError:
    return UninitialisedError(
        "The iterator has not been initialized.",
        hint="Run sess.run(iterator.initializer) first.",
        message_zh="迭代器还没有初始化。",
        hint_zh="请先运行 sess.run(iterator.initializer)。",
        code="uninitialised_iterator",
        kind="FailedPreconditionError",
        said="GetNext() failed because the iterator has not been initialized. Ensure that you have run the "
        "initializer operation for this iterator before getting the next element.",
        node=name,
    )


def _at_the_end(name: str) -> ProgramError:
    return ProgramError(
        "The dataset has no more elements.",
        hint="Catch tf.errors.OutOfRangeError, repeat the dataset, or run the initializer again.",
        message_zh="数据集中没有更多元素了。",
        hint_zh="请捕获 tf.errors.OutOfRangeError，让数据集重复，或再次运行初始化运算。",
        code="end_of_data",
        kind="OutOfRangeError",
        said="End of sequence",
        node=name,
    )


def next_parts(places: Places, node: Node) -> list[tuple[Tensor, Array]]:
    """What the outputs of a node are that reads an iterator on."""
    source = iterator_of(node)
    assert source is not None
    return list(zip(node.outputs, places.place(source).next(node.name), strict=True))
