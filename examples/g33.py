import tensorflow as tf

# Doubled until it is long enough: the number of turns jumps where a passes 1000/2048.
def slope(start):
    a = tf.Variable(start)
    with tf.GradientTape() as tape:
        b = a * 2
        while tf.norm(b) < 1000:
            b = b * 2
    return tape.gradient(b, a)

print("at 0.489", slope(0.489).numpy())
print("at 0.488", slope(0.488).numpy())
