import numpy as np
import tensorflow as tf

w = tf.Variable([1.0, 2.0], name="w")
b = tf.Variable(3.0, name="b")
loss = tf.reduce_sum(tf.square(w)) + tf.square(b)
step = tf.train.get_or_create_global_step()
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
slow = tf.train.ExponentialMovingAverage(0.9, num_updates=step)
fair = tf.train.ExponentialMovingAverage(0.5, zero_debias=True, name="fair")
with tf.control_dependencies([train]):
    follow = slow.apply()
follow_loss = fair.apply([loss, b])
shown = [slow.average(w), slow.average(b), fair.average(loss), fair.average(b)]
print(slow.average_name(w), fair.average(w), sorted(slow.variables_to_restore()))
print([variable.name for variable in tf.moving_average_variables()])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        sess.run(follow)
        sess.run(follow_loss)
        print([np.round(value, 3) for value in sess.run(shown)])
