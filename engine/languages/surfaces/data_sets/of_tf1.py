"""`input_data.read_data_sets`, with which TensorFlow 1's tutorials begin."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from engine.errors import ProgramError, ValueRefused
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.data_sets.notes import stands_in
from engine.languages.surfaces.data_sets.row_numbers import count_on
from engine.languages.surfaces.data_sets.stand_ins import BRIGHTEST, handwritten
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.library import Library
from engine.languages.surfaces.numpy.random import own_generator
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.unsupported import refuse_given
from engine.ops.base.shapes import whole_number

TRAIN, VALIDATION, TEST = 1_200, 100, 400
REAL, REAL_TEST = 60_000, 10_000  # rows of the real set; 5,000 of the first are to validate
KINDS = 10


@dataclass(slots=True, eq=False)
class Part:
    """Images and labels that are handed out in batches, in a new order in each epoch.

    Args:
        images: (n, 784) or (n, 28, 28, 1), from 0 to 1 as float32.
        labels: (n,) uint8, or (n, 10) float64 where they are one-hot.
    """

    images: Any
    labels: Any
    order: Any = None
    place: int = 0
    epochs: int = 0

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self.labels)

    def next_batch(self, random: np.random.RandomState, size: int, shuffle: bool) -> tuple[Any, Any]:
        """The next rows; those that are left at an epoch's end come before the first of the next one."""
        if self.order is None:
            self.order = self._new_order(random, shuffle)
        places = self.order[self.place : self.place + size]
        self.place += size
        if len(places) < size or self.place > self.count:
            self.epochs += 1
            self.order = self._new_order(random, shuffle)
            self.place = size - len(places)
            places = np.concatenate([places, self.order[: self.place]])
        return self.images[places], self.labels[places]

    def _new_order(self, random: np.random.RandomState, shuffle: bool) -> Any:
        return random.permutation(self.count) if shuffle else np.arange(self.count)


DATASETS = RecordKind("Datasets", ("train", "validation", "test"))
PART = members_of(Part, "DataSet")
PART.fact("images")(lambda part: part.images)
PART.fact("labels")(lambda part: part.labels)
PART.fact("num_examples")(lambda part: part.count)
PART.fact("epochs_completed")(lambda part: part.epochs)
TYPE_NAMES[Part] = lambda part: "DataSet"


@PART.method("next_batch")
def next_batch(
    interpreter: Interpreter, part: Part, batch_size: Any, fake_data: Any = False, shuffle: Any = True
) -> tuple[Any, Any]:
    """The next images and labels."""
    size = whole_number(batch_size, "batch_size")
    if fake_data:
        refuse_given("next_batch", {"fake_data": fake_data}, *AS_FLOATS)
    if not 0 < size <= part.count:
        raise ProgramError(
            f"A batch of {batch_size} does not fit: there are {part.count:,} rows.",
            message_zh=f"一批 {batch_size} 行取不出来：一共有 {part.count} 行。",
            hint=f"Take {part.count} or fewer.",
            hint_zh=f"请取不超过 {part.count} 行。",
            code="wrong_arguments",
        )
    return part.next_batch(own_generator(interpreter), size, bool(shuffle))


def read_data_sets(
    interpreter: Interpreter,
    train_dir: Any,
    fake_data: Any = False,
    one_hot: Any = False,
    dtype: Any = None,
    reshape: Any = True,
    validation_size: Any = None,
    seed: Any = None,
    source_url: Any = None,
) -> Record:
    """Handwritten digits in three parts.

    Raises: RefusedError for images of whole numbers, or made-up ones; ValueRefused for a size beyond all.
    """
    kind = None if dtype is None or dtype_name(dtype) == "float32" else dtype
    refuse_given("read_data_sets", {"dtype": kind, "fake_data": fake_data or None}, *AS_FLOATS)
    validation = VALIDATION if validation_size is None else whole_number(validation_size, "validation_size")
    if not 0 <= validation <= TRAIN:
        raise ValueRefused(
            f"`validation_size` lies between 0 and {TRAIN:,}, which {validation} does not.",
            message_zh=f"`validation_size` 应在 0 和 {TRAIN} 之间，而 {validation} 不是。",
        )
    train = TRAIN + VALIDATION - validation
    stands_in(
        interpreter,
        "MNIST",
        f"{train:,} handwritten digits to train with, {validation} to validate and {TEST} to test with, of 8 "
        "by 8 pixels drawn larger",
        f" {train} 个训练用、{validation} 个验证用和 {TEST} 个测试用的手写数字（由 8×8 像素放大）",
    )
    stops = np.cumsum([0, train, validation, TEST])
    parts = [_part(int(start), int(stop), bool(one_hot), bool(reshape)) for start, stop in pairwise(stops)]
    kept = 5_000 if validation_size is None else validation
    for part, real in zip(parts, (REAL - kept, kept, REAL_TEST), strict=True):
        count_on(interpreter, part.images, real)
    return Record(DATASETS, parts)


AS_FLOATS = ("Leave it out: images are numbers from 0 to 1.", "请去掉它：图像是 0 到 1 之间的数。")


def _part(start: int, stop: int, one_hot: bool, flat: bool) -> Part:
    pictures, labels = handwritten(start, stop)
    images = (pictures / np.float32(BRIGHTEST)).astype(np.float32)
    shape = (stop - start, -1) if flat else (*images.shape, 1)
    return Part(images.reshape(shape), np.eye(KINDS)[labels] if one_hot else labels)


INPUT_DATA = Library("input_data")  # the file that tutorials import from beside them
INPUT_DATA.function("read_data_sets")(read_data_sets)
TF.function("examples.tutorials.mnist.input_data.read_data_sets")(read_data_sets)
TF.function("contrib.learn.datasets.mnist.read_data_sets")(read_data_sets)
