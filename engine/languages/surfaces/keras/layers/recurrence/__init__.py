"""Layers that go through a sequence turn by turn."""
