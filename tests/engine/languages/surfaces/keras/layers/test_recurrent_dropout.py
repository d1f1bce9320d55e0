"""What recurrent layers leave out in training, gate by gate, as Keras 3.15 draws it."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.keras.test_fitting import printed


@pytest.mark.parametrize(
    ("layer", "expected"),
    [
        (
            "SimpleRNN(2, dropout=.5, recurrent_dropout=.5, seed=3)",
            "[[0.09656, 0.99962], [-0.91653, 0.99826]] [[-0.86914, 0.71147], [-0.77961, 0.75531]]",
        ),
        (
            "LSTM(2, recurrent_dropout=.5, seed=3)",
            "[[0.05953, 0.23932], [0.01139, 0.13919]] [[0.05835, 0.23053], [0.0129, 0.13523]]",
        ),
        (
            "LSTM(2, dropout=.5, recurrent_dropout=.5, seed=3)",
            "[[-0.07752, 0.07529], [-0.03891, -0.01012]] [[0.03654, 0.19918], [0.09631, 0.38502]]",
        ),
        (
            "GRU(2, dropout=.5, recurrent_dropout=.5, seed=3)",
            "[[0.01309, 0.49268], [-0.24381, 0.41988]] [[0.7201, 0.90652], [0.10367, 0.53024]]",
        ),
        (
            "GRU(2, recurrent_dropout=.3, seed=3, reset_after=False)",
            "[[0.89054, 0.93525], [0.61762, 0.8781]] [[0.69329, 0.9047], [0.88702, 0.97448]]",
        ),
    ],
)
def test_each_gate_leaves_out_parts_of_its_own(layer: str, expected: str) -> None:
    assert printed(
        f"""
x = np.random.RandomState(0).rand(2, 3, 2).astype("float32")
l = L.{layer}
l.build(x.shape)
l.set_weights([np.linspace(-1, 1, w.size).reshape(w.shape) for w in l.get_weights()])
print(*[l(x, training=True).numpy().astype(float).round(5).tolist() for _ in range(2)])
"""
    ) == [expected]
