"""The versions that a reader of a result may want to know."""

ENGINE_VERSION = "0.1.0"  # part of every stored result's id
TENSORFLOW_VERSION = "1.15.5"  # the one whose graphs the engine builds
