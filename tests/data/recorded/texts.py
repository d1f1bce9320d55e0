import tensorflow as tf

hello = tf.constant("Hello, TensorFlow!")
names = tf.constant(["x", "y"])
same = tf.constant([["same", "same"]])
p = tf.placeholder(tf.string, [None], name="p")
v = tf.Variable(["a"], name="v")
joined = tf.strings.join([names, "z"], separator="-")
lengths = tf.strings.length(joined, unit="UTF8_CHAR")
written = tf.as_string(tf.constant([1.5, 2.0]), precision=2)
numbers = tf.string_to_number(["1", "2.5"])
part = tf.substr("Hello", 1, 3)
replaced = tf.regex_replace(names, "x", "w", replace_global=False)
fits = tf.strings.regex_full_match(names, "x")
rows = tf.reduce_join(same, 1, keep_dims=True)
whole = tf.reduce_join(same)
template = tf.strings.format("{} and {}", (names, lengths))
longer = p + "!"
chosen = tf.where(tf.equal(p, "q"), p, tf.strings.upper(p))
table = tf.reshape(tf.concat([names, p], 0), [2, -1])
first = p[0]
stacked = tf.stack([names, tf.fill([2], "u")])
x = tf.Variable(2.0, name="x")
y = x * x * tf.cast(tf.strings.length(hello), tf.float32)
slopes = tf.gradients(y, [x, names])
print(hello, slopes[1])

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(hello), sess.run(names), sess.run(v))
    print(sess.run([joined, lengths, written, numbers, part, replaced, fits, rows, whole, template]))
    print(sess.run([longer, chosen, table, first, stacked], {p: ["a", "q"]}))
    print(sess.run(slopes[0]))
