"""The version of the engine; part of every stored result's id."""

ENGINE_VERSION = "0.1.0"
