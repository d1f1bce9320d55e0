import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3])
a = tf.contrib.layers.fully_connected(x, 2)
b = tf.contrib.layers.fully_connected(a, 2, activation_fn=None, scope="out", weights_initializer=tf.ones_initializer())
c = tf.contrib.layers.fully_connected(
    inputs=b, num_outputs=2, activation_fn=tf.nn.tanh, biases_initializer=None, weights_initializer=tf.ones_initializer()
)
d = tf.contrib.layers.fully_connected(a, 2, activation_fn=None, scope="out", reuse=True)
e = tf.contrib.layers.fully_connected(x, 2, None, biases_initializer=tf.constant_initializer(0.5), trainable=False)
grads = tf.gradients(c, [b])
print([v.name for v in tf.global_variables()], len(tf.trainable_variables()))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print([value.round(5) for value in sess.run([c, grads[0]], {b: [[1.0, -0.5]]})])
    print(sess.run(d, {a: [[1.0, -0.5]]}))
