"""`tf.image`, as TensorFlow 2.21 computes it."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.keras.test_fitting import printed, run

BEGIN = """
img = tf.reshape(tf.range(48, dtype=tf.float32), (1, 4, 4, 3)) / 48
u = tf.constant(np.arange(48).reshape(4, 4, 3) * 5, tf.uint8)
"""


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("tf.image.resize(img, (2, 2))[0, :, :, 0]", "[[0.1562, 0.2812], [0.6562, 0.7812]]"),
        (
            "tf.image.resize(img, [3, 2])[0, :, :, 1]",
            "[[0.0938, 0.2188], [0.4271, 0.5521], [0.7604, 0.8854]]",
        ),
        ('tf.image.resize(u, (2, 2), "nearest")[..., 0]', "[[75.0, 105.0], [195.0, 225.0]]"),
        ("tf.image.flip_left_right(u)[0, :, 0]", "[45.0, 30.0, 15.0, 0.0]"),
        ("tf.image.flip_up_down(u)[:, 0, 0]", "[180.0, 120.0, 60.0, 0.0]"),
        ("tf.image.rot90(u)[0, :, 0]", "[45.0, 105.0, 165.0, 225.0]"),
        ("tf.image.rgb_to_grayscale(u)[0, :, 0]", "[4.0, 19.0, 34.0, 49.0]"),
        ("tf.image.adjust_brightness(u, 0.1)[0, 0]", "[25.0, 30.0, 35.0]"),
        ("tf.image.adjust_contrast(img, 2.0)[0, 0, 0]", "[-0.4688, -0.4479, -0.4271]"),
        ("tf.image.adjust_gamma(img, 2.0)[0, 1, 1]", "[0.0977, 0.1111, 0.1254]"),
        ("tf.image.central_crop(u, 0.5)[..., 0]", "[[75.0, 90.0], [135.0, 150.0]]"),
        ("tf.image.pad_to_bounding_box(u, 1, 1, 6, 6)[1, :, 0]", "[0.0, 0.0, 15.0, 30.0, 45.0, 0.0]"),
        ("tf.image.per_image_standardization(u)[0, 0]", "[-1.6963, -1.6242, -1.552]"),
        ("tf.image.convert_image_dtype(u, tf.float32)[1, 0]", "[0.2353, 0.2549, 0.2745]"),
        ("tf.image.total_variation(img)", "[11.25]"),
    ],
)
def test_pictures_are_changed(asked: str, expected: str) -> None:
    assert printed(BEGIN + f"print(np.asarray({asked}).astype(float).round(4).tolist())") == [expected]


def test_what_is_no_picture_is_refused() -> None:
    refused = run("tf.image.flip_left_right(tf.ones((2, 2)))")["diagnostics"][0]["message"]
    assert refused == "'image' (shape (2, 2)) must have either 3 or 4 dimensions."


def test_ragged_tensors_are_refused_with_what_to_do() -> None:
    refused = run("tf.ragged.constant([[1], [2, 3]])")["diagnostics"][0]
    assert "pad_sequences" in str(refused)
