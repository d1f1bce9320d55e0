"""What every transformation works on: types of arrays, primitives, traces and jaxprs."""
