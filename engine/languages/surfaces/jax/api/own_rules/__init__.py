"""Derivatives that a program writes itself: custom_jvp and custom_vjp."""
