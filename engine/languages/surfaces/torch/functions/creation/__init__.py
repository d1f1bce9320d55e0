"""Making tensors: of numbers and arrays, filled with one number, like another one."""
