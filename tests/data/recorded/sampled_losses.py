import numpy as np
import tensorflow as tf

w = tf.Variable(np.arange(21, dtype=np.float32).reshape(7, 3) / 10 - 1, name="w")
b = tf.Variable(np.arange(7, dtype=np.float32) / 5, name="b")
x = tf.constant([[0.5, -1.0, 2.0], [1.5, 0.2, -0.3]], name="x")
y = tf.constant([[2], [5]], name="y")
given = (tf.constant([0, 3, 5, 1], tf.int64), tf.constant([[0.4], [0.2]]), tf.constant([0.9, 0.4, 0.3, 0.7]))
l = tf.nn.nce_loss(
    weights=w, biases=b, labels=y, inputs=x, num_sampled=4, num_classes=7, sampled_values=given
)
s = tf.nn.sampled_softmax_loss(
    weights=w, biases=b, labels=y, inputs=x, num_sampled=4, num_classes=7, sampled_values=given
)
r = tf.nn.sampled_softmax_loss(
    weights=w,
    biases=b,
    labels=tf.constant([[2, 3], [5, 1]], tf.int64),
    inputs=x,
    num_true=2,
    num_sampled=4,
    num_classes=7,
    sampled_values=(given[0], tf.constant([[0.4, 0.1], [0.2, 0.5]]), given[2]),
    remove_accidental_hits=False,
)
g = tf.gradients([tf.reduce_sum(l), tf.reduce_sum(s)], [w, b, x])
n = tf.nn.nce_loss(w, b, y, x, 3, 7)
print(l, s, n)
drawn, true, expected = tf.nn.uniform_candidate_sampler(tf.constant([[1]], tf.int64), 1, 3, True, 3)
drawn2, true2, expected2 = tf.nn.log_uniform_candidate_sampler(tf.constant([[1]], tf.int64), 1, 3, False, 30)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for value in sess.run([l, s, r, *[tf.convert_to_tensor(v) for v in g], true2]):
        print(np.round(value, 3).tolist())
    print(sorted(sess.run(drawn)))
    print(sess.run(n).shape)
