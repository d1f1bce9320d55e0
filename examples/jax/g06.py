import jax

# In JAX the gradient of a function is a function; only when it is called is there a number.
def f(w, x):
    return w * x

df = jax.grad(f)
print(jax.make_jaxpr(df)(4.0, 3.0))
print(df(4.0, 3.0))
