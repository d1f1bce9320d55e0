"""Programs that ask for memory of others, or for what no clock can stop in C: each is stopped in time."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

NUMPY = "import numpy as np\n"
TENSORFLOW = "import tensorflow as tf\nimport numpy as np\n"
COLUMN = NUMPY + "a, b = np.ones((10 ** 6, 1)), np.ones((1, 10 ** 6))\n"
LISTS = "a, b = [], []\nfor i in range(20_000):\n    a, b = [a], [b]\n"
TUPLES = "t, u = (), ()\nfor i in range(20_000):\n    t, u = (t,), (u,)\n"
RECORDS = "from collections import namedtuple\nP = namedtuple('P', 'inner')\np = P(1)\n"
NESTED_RECORDS = RECORDS + "for i in range(20_000):\n    p = P(p)\n"


def answered(client: httpx.Client, source: str, dialect: str = "tf1") -> dict[str, Any]:
    """The last message, in both languages, by a service that has not failed."""
    response = client.post("/programs", json={"source": source, "dialect": dialect})
    assert response.status_code == 200, response.text
    assert " at 0x" not in response.text
    last: dict[str, Any] = response.json()["diagnostics"][-1]
    assert last["message"]
    assert last["message_zh"] != last["message"]
    return last


def is_counted(code: str) -> bool:
    """Whether a budget stopped the program before the work, not the clock or the end of memory during it."""
    return code.endswith("_limit") and code not in ("wall_time_limit", "memory_limit")


def test_padding_never_shows_what_is_left_in_memory(client: httpx.Client) -> None:
    last = answered(client, NUMPY + "print(np.pad(np.zeros(3), 500, mode='empty'))")
    assert last["code"] == "unknown_word"
    assert last["message"] == "`mode` of np.pad() takes one of its words, not 'empty'."
    assert '"constant", "edge"' in last["hint"]
    assert last["hint_zh"].startswith("它可以是 ")


@pytest.mark.parametrize(
    "line",
    [
        "format(1, '0' * 18 + '300000000d')",
        "f'{1:{\"0\" * 18}300000000d}'",
        "'%0000000000000000000300000000d' % 1",
        "'{:{}}'.format(1, '0' * 18 + '300000000d')",
        "'%*d' % (300_000_000, 1)",
        "'%.*f' % (300_000_000, 1.0)",
        "'a'.zfill(300_000_000)",
    ],
)
def test_a_width_is_read_whole(client: httpx.Client, line: str) -> None:
    assert answered(client, line)["code"] == "format_width_limit"


def test_a_width_that_is_no_number_is_the_programs_mistake(client: httpx.Client) -> None:
    last = answered(client, "'%*s' % (print, 3)")
    assert last["code"] == "bad_format"
    assert last["message"] == (
        "`%*s` takes its width or precision from the values: a whole number, not a function."
    )


@pytest.mark.parametrize(
    "line",
    [
        "np.isclose(a, b)",
        "np.allclose(a, b)",
        "np.clip(a, b, b)",
        "np.take(a[:1000], np.zeros((1000, 1000), int), axis=1)",
        "np.take(np.ones((1000, 1000)), np.zeros(10 ** 6, int), axis=0)",
        "np.insert(np.ones((1000, 1000)), [0] * 10 ** 6, 1.0, axis=0)",
        "np.percentile(np.ones((1000, 1000)), np.ones(10 ** 6), axis=0)",
        "np.quantile(np.ones((1000, 1000)), np.ones(10 ** 6), axis=0)",
        "np.einsum('i,i,j->ij', np.ones(10 ** 6), np.ones(1), np.ones(1000))",
        "np.random.normal(a, b)",
        "np.random.uniform(a, b)",
        "np.random.randint(a.astype(int), 1 + b.astype(int))",
        "np.random.default_rng(1).choice(np.ones((1000, 1000)), 10 ** 6)",
        "np.cross(np.ones((10 ** 5, 1, 3)), np.ones((1, 10 ** 5, 3)))",
        "np.triu(np.ones(10 ** 6))",
        "np.polyval(a.reshape(1, -1), a)",
        "np.polyfit(np.ones(10 ** 6), np.ones(10 ** 6), 10 ** 6)",
        "np.ones((0, 10 ** 6, 10 ** 6)).sum(axis=0)",
        "np.split(np.ones(10 ** 6), [0, 10 ** 6] * 1000)",
        "a + [1.0] * 10 ** 6 * np.ones(1)",
        "np.ones((10 ** 6, 1)) + [1.0] * 10 ** 6",
        "np.ones((10 ** 6, 1)) == [1.0] * 10 ** 6",
        "[a] == [b]",
        "a in [b]",
        "np.array(range(10 ** 12))",
        "np.zeros(range(10 ** 12))",
        "[0] * np.int64(10 ** 12)",
        "'a' * np.int64(10 ** 12)",
    ],
)
def test_a_result_is_sized_before_it_is_computed(client: httpx.Client, line: str) -> None:
    code = answered(client, COLUMN + line)["code"]
    assert code in ("tensor_limit", "sequence_limit", "operation_limit", "alive_limit")


@pytest.mark.parametrize("dialect", ["tf1", "tf2"])
@pytest.mark.parametrize(
    "line",
    [
        "tf.random.categorical(tf.ones([1, 10 ** 6]), 10 ** 6)",
        "tf.nn.max_pool(tf.ones([1, 1000, 1000, 1]), [1, 500, 500, 1], [1, 1, 1, 1], 'SAME')",
        "tf.nn.avg_pool(tf.ones([1, 1000, 1000, 1]), [1, 500, 500, 1], [1, 1, 1, 1], 'SAME')",
        "tf.zeros([10 ** 1000] * 60)",
        "tf.debugging.assert_less(tf.zeros([10 ** 6, 1]), tf.ones([1, 10 ** 6]))",
        "tf.unstack(tf.ones([10 ** 6]))",
        "tf.split(tf.ones([2, 2]), [1] * 10 ** 6)",
        "tf.zeros(tf.range(10 ** 9))",
        "tf.zeros(tf.one_hot(3, 10 ** 9, dtype=tf.int32))",
        "tf.constant([range(10 ** 12)])",
    ],
)
def test_a_tensor_is_sized_before_it_is_computed(client: httpx.Client, line: str, dialect: str) -> None:
    assert is_counted(answered(client, TENSORFLOW + line, dialect)["code"])


def test_an_array_of_tensors_is_sized_before_it_is_made(client: httpx.Client) -> None:
    assert answered(client, TENSORFLOW + "a = tf.TensorArray(tf.float32, 10 ** 9)")["code"] == "bad_value"


def test_a_stack_of_tensors_is_sized_before_it_is_made(client: httpx.Client) -> None:
    source = (
        "x = tf.placeholder_with_default(tf.ones([2000, 2000]), None)\n"
        "a = tf.TensorArray(tf.float32, 20000).scatter(tf.range(20000), tf.ones([20000]))\n"
        "b = tf.while_loop(lambda i, b: i < 20000, lambda i, b: (i + 1, b.write(i, x)), (0, a))[1]\n"
        "tf.Session().run(b.stack())"
    )
    assert is_counted(answered(client, TENSORFLOW + source)["code"])


@pytest.mark.parametrize(
    "line",
    [
        *("np.array(a)", "np.ones(3) + a", "np.ones(3) == a", "tf.constant(a)"),
        *("a == b", "a < b", "a in [b]", "repr(a)", "sorted([a, b])", "max(a, b)"),
        *("{t: 1}", "{t}", "t == u", "{}.get(t)", "f'{t}'", "[t].index(u)", "set([t])"),
    ],
)
def test_lists_in_lists_are_refused_before_c_goes_into_them(client: httpx.Client, line: str) -> None:
    nested = (
        TUPLES if "t" in line.replace("tf.constant", "").replace("repr", "").replace("sorted", "") else LISTS
    )
    assert answered(client, TENSORFLOW + nested + line)["code"] == "nesting_limit"


@pytest.mark.parametrize("line", ["{p: 1}", "{p}", "p == p._replace()", "print(p)", "f'{p}'", "'%s' % p"])
def test_records_in_records_are_refused_before_c_goes_into_them(client: httpx.Client, line: str) -> None:
    assert answered(client, NESTED_RECORDS + line)["code"] == "nesting_limit"


def test_records_that_share_their_inner_records_are_weighed(client: httpx.Client) -> None:
    source = RECORDS.replace("'inner'", "'x y'").replace("P(1)", "P(1, 1)")
    assert (
        answered(client, source + "for i in range(60):\n    p = P(p, p)\nf'{p}'")["code"] == "sequence_limit"
    )


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("tf.unique_with_counts((1, 2), zip([1], [2]))", "bad_value"),
        ("tf.unique((1, 2), 'nonsense')", "dtype_mismatch"),
        ("tf.setdiff1d([1], [2], index_dtype='nonsense')", "dtype_mismatch"),
        ("np.arange(np.ones((10 ** 6, 1)), np.ones((1, 10 ** 6)))", "wrong_arguments"),
        ("np.tensordot(np.ones(3), np.ones(3), axes=10 ** 10)", "wrong_arguments"),
        ("tf.zeros([1000] * 10 ** 6)", "shape_mismatch"),
        ("tf.linalg.eye(2, batch_shape=[1] * 10 ** 5)", "shape_mismatch"),
        ("tf.reduce_mean([1.0], axis=[0] * 10 ** 5)", "shape_mismatch"),
        ("tf.nn.max_pool(tf.ones([1, 2, 2, 1]), 1, 1, 'SAME', data_format=np.ones(3))", "bad_value"),
        ("tf.layers.dropout(tf.ones([2]), training=np.ones(3))", "wrong_arguments"),
        ("import random\nrandom.choices(range(10 ** 6), 'ba' * 500_000)", "wrong_arguments"),
        ("np.einsum(1, 2)", "unknown_word"),
        ("np.linalg.norm(np.ones(3), 'nonsense')", "unknown_word"),
        ("np.searchsorted([1, 2], 1, side='middle')", "unknown_word"),
        ("np.meshgrid([1], [2], indexing='yx')", "unknown_word"),
    ],
)
def test_a_mistake_of_the_program_is_no_failure_of_the_service(
    client: httpx.Client, line: str, code: str
) -> None:
    assert answered(client, TENSORFLOW + line)["code"] == code


@pytest.mark.parametrize("line", ["x = np.full(10, 1e17)", "x = np.array([1e17, 1e17 + 16] * 3000)"])
def test_numbers_that_floats_hardly_distinguish_are_described(client: httpx.Client, line: str) -> None:
    source = NUMPY + line.replace("10,", "5000,")
    response = client.post("/programs", json={"source": source, "dialect": "tf1"})
    assert response.json()["status"] == "ok"


@pytest.mark.parametrize(
    "line",
    [
        "import itertools\nitertools.combinations(range(10 ** 6), 500_000)",
        "import itertools\nitertools.permutations(range(10 ** 6), 500_000)",
        "import itertools\nitertools.product([0, 1], repeat=10 ** 6)",
        f"('a' * 10 ** 6).strip({''.join(map(chr, range(0x4E00, 0xD7A0)))!r} + 'a')",
        "[].extend(range(10 ** 9))",
        "','.join(range(10 ** 9))",
        "list(zip(*[range(10 ** 5)] * 500))",
        "print(*[[1] * 10 ** 5] * 60)",
        "print(*range(10 ** 5), sep='x' * 10 ** 6)",
        "import numpy as np\nstr([np.ones(1)] * 10 ** 6)",
        "import numpy as np\nnp.diff(np.ones(10 ** 6), 10 ** 6)",
        "n = 1\nfor i in range(10 ** 5):\n    n = n + n",
    ],
)
def test_what_no_clock_can_stop_is_counted_before_it_begins(client: httpx.Client, line: str) -> None:
    assert is_counted(answered(client, line)["code"])


def test_a_number_is_looked_for_in_a_range_at_once(client: httpx.Client) -> None:
    source = NUMPY + "r = range(10 ** 15)\nprint(1.5 in r, 2.0 in r, np.int64(7) in r, np.float32(0.5) in r)"
    answer = client.post("/programs", json={"source": source, "dialect": "tf1"}).json()
    assert answer["printed"] == ["False True True False"]
