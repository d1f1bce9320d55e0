import tensorflow as tf

x = tf.placeholder(tf.float32, [None], name="x")
n = tf.placeholder(tf.int32, [], name="n")
any_shape = tf.placeholder(tf.float32, name="any_shape")
w = tf.Variable([1.0, 2.0], name="w")
checks = [
    tf.assert_equal(x, w),
    tf.assert_equal(x, x),
    tf.assert_none_equal(x, 3.0),
    tf.assert_less(x, 10.0, message="too large", summarize=7),
    tf.assert_greater_equal(n, 3, data=[n, x, "told"]),
    tf.assert_positive(n),
    tf.assert_non_negative(x, name="above"),
    tf.assert_non_positive(-x, message="signs"),
    tf.assert_near(x, w, rtol=1e-3),
    tf.assert_rank(x, 1),
    tf.assert_rank_at_least(any_shape, 1),
    tf.assert_type(x, tf.float32),
    tf.Assert(n > 1, [n, "only", 2]),
    tf.Assert(tf.reduce_all(x > 0.0), [x, 2.5], name="own"),
]
with tf.control_dependencies(checks):
    y = tf.check_numerics(tf.log(x), "bad logarithm")
finite = tf.verify_tensor_all_finite(y, "bad")
gradient = tf.gradients(y, x)
print([check.name for check in checks])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([finite, gradient], {x: [1.0, 2.0], n: 5, any_shape: [1.0]}))
