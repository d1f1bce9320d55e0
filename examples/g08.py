import tensorflow as tf

# One gradient, (6, 8), clipped in three ways.
v = tf.Variable([3., 4.], name="v")
loss = tf.reduce_sum(tf.square(v))
gradient = tf.gradients(loss, v)[0]

by_norm = tf.clip_by_norm(gradient, 5)
by_value = tf.clip_by_value(gradient, -5, 5)
by_global_norm, norm = tf.clip_by_global_norm([gradient], 5)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print("gradient", sess.run(gradient))
    print("by norm", sess.run(by_norm))
    print("by value", sess.run(by_value))
    print("by global norm", sess.run(by_global_norm[0]), "of norm", sess.run(norm))
