"""Runs a test's script in place of the real package, which this one stands for."""

import runpy
import sys

sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
