"""The versions that a reader of a result may want to know."""

ENGINE_VERSION = "0.1.0"  # the package's own
ANSWERS_REVISION = 25  # to be raised with every change that lets an answer come out otherwise
ANSWERS_VERSION = f"{ENGINE_VERSION}+{ANSWERS_REVISION}"  # part of every stored result's id
TENSORFLOW_VERSION = "1.15.5"  # the one whose graphs the engine builds
