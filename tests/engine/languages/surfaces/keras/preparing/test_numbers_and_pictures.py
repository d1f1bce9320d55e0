"""Numbers and pictures before a network: the numbers of Keras 3.15."""

from __future__ import annotations

from tests.engine.languages.surfaces.keras.test_fitting import printed, run


def test_normalization_takes_mean_and_variance_from_the_data() -> None:
    """1 and 3: mean 2, deviation 1; 10 and 30: mean 20, deviation 10."""
    assert printed(
        """
n = L.Normalization()
n.adapt(np.array([[1., 10.], [3., 30.]]))
print(n(np.array([[4., 20.]])).numpy(), n.mean.numpy(), n.variance.numpy())
print(L.Normalization(mean=2.0, variance=4.0)(np.array([[6.0]])).numpy())
one = L.Normalization(axis=None)
one.adapt(np.array([[1., 3.], [1., 3.]]))
print(one(np.array([[3.]])).numpy(), L.Normalization(mean=2.0, variance=4.0, invert=True)([[1.0]]).numpy())
"""
    ) == ["[[2. 0.]] [[ 2. 20.]] [[  1. 100.]]", "[[2.]]", "[[1.]] [[4.]]"]


def test_pictures_are_resized_and_cut() -> None:
    assert printed(
        """
x = np.arange(16.).reshape(1, 4, 4, 1)
print(L.Resizing(2, 2)(x).numpy()[0, :, :, 0].tolist())
print(L.Resizing(2, 1, interpolation="nearest")(x).numpy()[0, :, :, 0].tolist())
print(L.CenterCrop(2, 2)(x).numpy()[0, :, :, 0].tolist())
"""
    ) == ["[[2.5, 4.5], [10.5, 12.5]]", "[[6.0], [14.0]]", "[[5.0, 6.0], [9.0, 10.0]]"]


def test_pictures_are_changed_at_random_but_not_without_training() -> None:
    assert printed(
        """
x = np.arange(8.).reshape(1, 2, 4, 1)
flip = L.RandomFlip("horizontal", seed=1)
rows = [tuple(flip(x, training=True).numpy()[0, 0, :, 0]) for _ in range(20)]
print(sorted(set(rows))[0] == (0, 1, 2, 3), sorted(set(rows))[-1] == (3, 2, 1, 0), len(set(rows)))
print((flip(x, training=False).numpy() == x).all())
print((L.RandomContrast(0.5)(x, training=False).numpy() == x).all())
"""
    ) == ["True True 2", "True", "True"]


# What Keras 3.15 gives after this seed.
CROPPED = """
tf.keras.utils.set_random_seed(3)
x = np.arange(32, dtype="float32").reshape(2, 4, 4, 1)
"""


def test_pictures_are_changed_where_a_call_does_not_say_whether_it_is_training() -> None:
    assert printed(CROPPED + "print(L.RandomFlip()(x).numpy()[0, 0, :, 0])") == ["[15. 14. 13. 12.]"]


def test_the_same_part_of_all_pictures_is_cut_out_at_random() -> None:
    assert printed(
        CROPPED
        + """
L.RandomFlip(), L.RandomContrast(0.5)
print(L.RandomCrop(2, 3)(x).numpy()[..., 0].tolist())
print(L.RandomCrop(2, 3)(x, training=False).shape)
print(L.RandomCrop(2, 3, seed=1)(x[0]).numpy()[..., 0].tolist())
print(L.RandomCrop(3, 5)(x).numpy()[0, :, :, 0].round(1).tolist()[0])
print(tf.keras.Sequential([tf.keras.Input((4, 4, 1)), L.RandomCrop(2, 3)]).output_shape)
"""
    ) == [
        "[[[0.0, 1.0, 2.0], [4.0, 5.0, 6.0]], [[16.0, 17.0, 18.0], [20.0, 21.0, 22.0]]]",
        "(2, 4, 4, 1)",
        "[[8.0, 9.0, 10.0], [12.0, 13.0, 14.0]]",
        "[4.0, 4.699999809265137, 5.5, 6.300000190734863, 7.0]",
        "(None, 2, 3, 1)",
    ]


def test_a_cut_larger_than_the_picture_is_refused() -> None:
    answer = run("L.CenterCrop(5, 5)(np.ones((1, 4, 4, 1)))")
    assert answer["diagnostics"][-1]["message"] == (
        "Layer center_crop cuts 5 by 5 out, but its input is (1, 4, 4, 1)."
    )


def test_pictures_of_a_model_inside_another_are_changed_in_training_alone() -> None:
    """The seeds are those that would have come without the look at the shapes."""
    assert printed(
        """
tf.keras.utils.set_random_seed(3)
i = tf.keras.Input((2, 2, 1))
m = tf.keras.Model(i, L.Flatten()(tf.keras.Sequential([L.RandomFlip("horizontal")])(i)))
x = np.arange(8.).reshape(2, 2, 2, 1)
print(m(x, training=True).numpy()[:, 0], m.predict(x, verbose=0)[:, 0])
"""
    ) == ["[1. 5.] [0. 4.]"]


def test_an_array_becomes_a_picture_of_bytes_and_a_picture_an_array() -> None:
    assert printed(
        """
r = np.random.RandomState(0).rand(4, 5, 3)
i = tf.keras.utils.array_to_img(r)
print(i.size, i.mode, np.array(i)[0, 0], np.array(tf.keras.utils.array_to_img(r * 255, scale=False))[0, 0])
g = tf.keras.utils.array_to_img(r[..., :1])
print(g.size, g.mode, np.array(g)[0], tf.keras.utils.img_to_array(g).shape)
"""
    ) == ["(5, 4) RGB [139 183 153] [139 182 153]", "(5, 4) L [137 136 104  88 143] (4, 5, 1)"]


def test_patches_of_pictures_stand_in_one_axis() -> None:
    assert printed(
        """
x = tf.Variable(tf.reshape(tf.range(32.), (1, 4, 4, 2)))
def patches(size, stride, rate, padding):
    sizes, strides, rates = ([1, one, one, 1] for one in (size, stride, rate))
    return tf.image.extract_patches(x, sizes, strides, rates, padding)
print(patches(3, 2, 1, "SAME").shape, patches(3, 2, 1, "SAME")[0, 1, 1].numpy().astype(int).tolist())
print(patches(2, 1, 2, "VALID").shape, patches(2, 1, 2, "VALID")[0, 0, 0].numpy().tolist())
with tf.GradientTape() as tape:
    y = tf.reduce_sum(patches(3, 1, 1, "SAME") ** 2)
print(tape.gradient(y, x)[0, 1, :, 0].numpy())
"""
    ) == [
        "(1, 2, 2, 18) [20, 21, 22, 23, 0, 0, 28, 29, 30, 31, 0, 0, 0, 0, 0, 0, 0, 0]",
        "(1, 2, 2, 8) [0.0, 1.0, 4.0, 5.0, 16.0, 17.0, 20.0, 21.0]",
        "[ 96. 180. 216. 168.]",
    ]
