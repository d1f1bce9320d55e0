import tensorflow as tf

x = tf.Variable(2.0)
ta = tf.TensorArray(tf.float32, size=4)
def body(i, a, ta): return i + 1, a * x, ta.write(i, a)
_, last, ta = tf.while_loop(lambda i, a, ta: i < 4, body, (0, x, ta))
s = ta.stack(); g = tf.gradients(s, x); r = ta.read(1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer()); print(sess.run([s, g, last])); print(sess.run(ta.size()))
