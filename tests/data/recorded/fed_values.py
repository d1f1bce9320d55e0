import tensorflow as tf

a = tf.placeholder(tf.float32, name="a")
b = tf.constant(2.0, name="b")
y = a * b
with tf.Session() as sess:
    print([sess.run(a, {a: 1.5}), sess.run(y, {a: 1.5})])
    print(sess.run({"a": a, "b": b, "y": y}, feed_dict={a: 1.0, b: 4.0}))
    print(sess.run([a, y], feed_dict={a: [1.0, 2.0]}))
