"""How good and how fast recall4d is, measured on recordings with ground truth: `python -m benchmarks [name ...]`.

Every module with a `run()` is one benchmark; it returns the sections of its report and asserts nothing.
"""
