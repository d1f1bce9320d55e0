"""`RNN` over cells, and `EinsumDense`, as Keras 3.15 computes them."""

from __future__ import annotations

from tests.engine.languages.surfaces.keras.test_fitting import printed, run

BEGIN = """
def filled(l, x):
    l(x)
    l.set_weights([np.linspace(-1, 1, w.size).reshape(w.shape) for w in l.get_weights()])
    return l
x = np.random.RandomState(0).rand(2, 3, 2).astype("float32")
"""
OWN_CELL = """
class Cell(L.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = self.state_size = units
    def build(self, input_shape):
        self.w = self.add_weight(shape=(input_shape[-1], self.units), name="w")
    def call(self, inputs, states):
        h = tf.tanh(inputs @ self.w + states[0])
        return h, [h]
"""
SHOW = "show = lambda y: print(np.asarray(y).astype(float).round(5).tolist())\n"


def test_a_cell_of_the_program_goes_turn_by_turn() -> None:
    assert printed(
        BEGIN
        + OWN_CELL
        + SHOW
        + """
show(filled(L.RNN(Cell(2)), x)(x))
show(filled(L.RNN(Cell(2), go_backwards=True, return_sequences=True), x)(x)[0])
show(filled(L.RNN([Cell(3), L.LSTMCell(2)]), x)(x))
"""
    ) == [
        "[[-0.67858, 0.82925], [-0.87788, 0.6994]]",
        "[[-0.20539, 0.46579], [-0.55566, 0.66945], [-0.69937, 0.83417]]",
        "[[0.55718, 0.73811], [0.59839, 0.75428]]",
    ]


def test_turns_that_are_masked_change_no_state() -> None:
    assert printed(
        BEGIN
        + SHOW
        + """
m = np.array([[True, False, True], [True, True, False]])
show(filled(L.RNN(L.GRUCell(2), name="r"), x)(x, mask=m))
print(filled(L.RNN(L.GRUCell(2), name="r"), x).weights[0].path)
"""
    ) == ["[[0.56089, 0.80659], [0.20037, 0.73718]]", "r/gru_cell_1/kernel"]


def test_what_is_no_cell_is_refused() -> None:
    answer = run("L.RNN(L.Dense(2))")
    assert "should have a `state_size` attribute" in answer["diagnostics"][0]["message"]


def test_several_inputs_of_a_turn_are_refused() -> None:
    pair = "L.RNN(Cell(2))([L.Input((None, 3)), L.Input((None, 4, 5))])"
    (error,) = run(OWN_CELL + pair)["diagnostics"]
    assert error["message"].endswith(
        "takes (examples, turns, features), but its input is ((None, None, 3), (None, None, 4, 5))."
    )


def test_a_kernel_by_einsteins_summation() -> None:
    assert printed(
        BEGIN
        + SHOW
        + """
show(filled(L.EinsumDense("abc,cd->abd", output_shape=(None, 2), bias_axes="d"), x)(x)[0])
show(filled(L.EinsumDense("btd,dhk->bthk", output_shape=(None, 2, 2), bias_axes="hk"), x)(x)[0, 0])
print(L.EinsumDense("...x,xy->...y", 4, bias_axes="y").compute_output_shape((None, 3, 5)))
"""
    ) == [
        "[[-1.31042, 1.53225], [-1.42114, 1.34396], [-1.20836, 1.50468]]",
        "[[-1.44664, -0.41883], [0.60898, 1.63679]]",
        "(None, 3, 4)",
    ]
