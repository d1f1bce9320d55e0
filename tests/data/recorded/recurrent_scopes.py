import tensorflow as tf

x = tf.placeholder(tf.float32, [4, 3])
with tf.name_scope("part"), tf.variable_scope(""):
    print(tf.constant(1).name)
a = tf.nn.rnn_cell.BasicRNNCell(2)
b = tf.nn.rnn_cell.BasicRNNCell(2)
zero = a.zero_state(4, tf.float32)
for cell in (a, b, a):
    print(cell(x, zero)[0].name)
with tf.variable_scope("shared"):
    c = tf.nn.rnn_cell.BasicRNNCell(2, name="own")
    print(c(x, zero)[0].name)
with tf.variable_scope("shared", reuse=True):
    d = tf.nn.rnn_cell.BasicRNNCell(2, name="own")
    print(d(x, zero)[0].name)
print(d.weights[0] is c.weights[0])
with tf.variable_scope("all", reuse=tf.AUTO_REUSE):
    one = tf.nn.static_rnn(tf.nn.rnn_cell.GRUCell(2), [x, x], dtype=tf.float32)
    two = tf.nn.static_rnn(tf.nn.rnn_cell.GRUCell(2), [x], dtype=tf.float32, scope="rnn")
print(one[1].name, two[1].name)
print([v.name for v in tf.global_variables()])
try:
    tf.nn.static_rnn(tf.nn.rnn_cell.GRUCell(2), [x])
except ValueError as e:
    print(e)
try:
    tf.nn.static_rnn(a, x, dtype=tf.float32)
except TypeError as e:
    print(e)
