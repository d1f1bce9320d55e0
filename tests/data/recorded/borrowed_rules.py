import tensorflow as tf

x = tf.Variable([-2.0, -0.5, 0.25, 1.75], name="x")
with tf.get_default_graph().gradient_override_map({"Sign": "Identity"}):
    straight_through = tf.sign(x)
safe = tf.where(x > 0, tf.sqrt(x), tf.zeros_like(x))
inverse = tf.where(x > 0, tf.rsqrt(x), tf.zeros_like(x))
found = [tf.gradients(y, x)[0] for y in (straight_through, safe, inverse)]
written = tf.scatter_add(x, [1, 1], [1.0, 1.0])
with tf.device("/cpu:0"):
    halved = x.assign(x.read_value() / 2.0)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(found))
    print(sess.run(written))
    print(sess.run(halved))
