import tensorflow as tf

x = tf.Variable([2.0, 1.0], name="x")
w = tf.constant(3.0, name="w")
y = tf.reduce_sum(tf.cond(x[0] > 1.0, lambda: x * x * x * w, lambda: tf.sin(x)))
slope = tf.gradients(y, x)[0]
curve = tf.gradients(slope, x)[0]
third = tf.gradients(curve, x)[0]
mixed = tf.gradients(slope, w)[0]
square = tf.cond(x[0] < 3.0, lambda: x**2, lambda: x)
matrix = tf.hessians(tf.reduce_sum(square), x)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([y, slope, curve, third, mixed]))
    print(sess.run(matrix))
