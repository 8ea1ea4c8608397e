"""Runs an owner's program for a worker: ``python -m optimus_yarn SCRIPT ARGS...`` or ``... -m MODULE ARGS...``."""

from .program import main

main()
