"""One program: asked for, read, run, and written as the API's answer."""
