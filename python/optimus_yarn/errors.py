"""The one error that this package raises for wrong uses."""


class OptimusError(RuntimeError):
    """Says what is wrong, with its value, and what to do instead."""
