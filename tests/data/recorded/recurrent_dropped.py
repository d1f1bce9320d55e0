import tensorflow as tf

x = tf.placeholder(tf.float32, [4, 3])
share = tf.placeholder(tf.float32)
plain = tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.BasicRNNCell(2), output_keep_prob=0.5)
outputs, state = tf.nn.static_rnn(plain, [x], dtype=tf.float32)
lstm = tf.contrib.rnn.DropoutWrapper(tf.nn.rnn_cell.BasicLSTMCell(2), share, 0.25, 0.5)
y, after = lstm(x, lstm.zero_state(4, tf.float32))
whole = tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(3), 1, 1.0)
stack = tf.nn.rnn_cell.MultiRNNCell([whole, tf.nn.rnn_cell.GRUCell(2)])
with tf.variable_scope("loop", initializer=tf.constant_initializer(0.25)):
    found, last = tf.nn.dynamic_rnn(stack, tf.stack([x, -x], 1), dtype=tf.float32)
print(plain.state_size, plain.output_size, lstm.state_size, len(lstm.variables))
print(outputs, state)
print(y, after)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    feed = {x: [[1, 2, 3]] * 4, share: 1.0}
    print(sess.run(found, feed).round(5))
    print(sess.run(y, feed).shape)
