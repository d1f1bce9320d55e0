import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
w = tf.placeholder(tf.float32, [None, 1])
row = tf.placeholder(tf.float32)
rows = {x: [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], w: [[1.0], [0.0], [2.0]]}
losses = [
    tf.losses.absolute_difference(tf.zeros([3, 2]), x, weights=w),
    tf.losses.mean_squared_error(tf.constant([1.0, 2.0]), row),
    tf.losses.compute_weighted_loss(row, weights=tf.constant([1.0, 0.5])),
]
slopes = tf.gradients(losses, [x, row])
with tf.Session() as s:
    for value in losses + slopes:
        print(s.run(value, {**rows, row: [3.0, 4.0]}))
