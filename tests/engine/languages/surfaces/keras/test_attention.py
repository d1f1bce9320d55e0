"""Attention: the numbers of Keras 3.15."""

from __future__ import annotations

from tests.engine.languages.surfaces.keras.test_fitting import printed, run


def test_attention_looks_at_each_place_by_the_product_of_query_and_key() -> None:
    """softmax([1, 0]) = [0.731, 0.269] of the two rows of the value."""
    assert printed(
        """
q, v = np.array([[[1., 0.]]]), np.array([[[1., 0.], [0., 1.]]])
print(np.round(L.Attention()([q, v]).numpy(), 3))
print(np.round(L.Attention()([q, 10 * v, v]).numpy(), 2))
"""
    ) == ["[[[0.731 0.269]]]", "[[[7.31 2.69]]]"]


def test_one_head_of_ones_takes_the_mean_of_the_values() -> None:
    """With zeros for the query all scores are 0, so each place looks at all others alike."""
    assert printed(
        """
x = np.array([[[1., 3.], [3., 5.]]])
a = L.MultiHeadAttention(num_heads=1, key_dim=1, use_bias=False)
a(x, x)
one = np.ones
a.set_weights([np.zeros((2, 1, 1)), one((2, 1, 1)), one((2, 1, 1)), one((1, 1, 2))])
out, scores = a(x, x, return_attention_scores=True)
print(out.numpy().tolist(), scores.numpy().tolist(), a.weights[1].path)
print(a(x, x, use_causal_mask=True).numpy().tolist())
"""
    ) == [
        "[[[6.0, 6.0], [6.0, 6.0]]] [[[[0.5, 0.5], [0.5, 0.5]]]] multi_head_attention/key/kernel",
        "[[[4.0, 4.0], [6.0, 6.0]]]",  # the mean of 1 + 3 and 3 + 5; the first place sees itself alone
    ]


def test_attention_needs_sequences_of_vectors() -> None:
    answer = run("L.MultiHeadAttention(1, 2)(np.ones((2, 3)), np.ones((2, 3)))")
    assert answer["diagnostics"][-1]["message"] == (
        "Layer multi_head_attention takes (examples, places, numbers), but was given (2, 3)."
    )


ONES_FOR_ALL = """
x = np.array([[[1.], [3.]]], np.float32)
def heads(**settings):
    a = L.MultiHeadAttention(num_heads=1, key_dim=1, use_bias=False, **settings)
    a(x, x)
    a.set_weights([np.ones(w.shape) for w in a.weights])
    return a
none = np.array([[[True, False], [False, False]]])
"""


def test_a_query_that_may_look_nowhere_has_shares_of_0_where_they_are_dropped_or_given_back() -> None:
    """Else it looks at all places alike: the mean of 1 and 3. What Keras 3.15 printed."""
    assert printed(
        ONES_FOR_ALL
        + """
print(heads()(x, x, attention_mask=none).numpy().tolist())
print(heads(dropout=0.5)(x, x, attention_mask=none).numpy().tolist())
print(heads()(x, x, attention_mask=none, return_attention_scores=True)[1].numpy().tolist())
"""
    ) == ["[[[1.0], [2.0]]]", "[[[1.0], [0.0]]]", "[[[[1.0, 0.0], [0.0, 0.0]]]]"]


def test_a_mask_of_the_query_is_its_own_whatever_the_call_says() -> None:
    assert printed(
        ONES_FOR_ALL
        + """
out = heads()(x, x, query_mask=np.array([[True, False]]))
print(out.numpy().astype(float).round(3).tolist())
"""
    ) == ["[[[2.762], [2.995]]]"]
