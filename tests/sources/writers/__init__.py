"""The synthetic kitchen written as a recording of each format, in that format's own conventions.

One module a format group. To add a format, add a module here with a function under `@writes(FORMAT)`; the suite in
test_formats.py finds it and runs every test on it.
"""

import importlib
import pkgutil

from writers.footage import COLOUR_CAMERA, Fault, Footage, Writer, png16, put, registered, writes

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

WRITERS: dict[str, Writer] = dict(sorted(registered.items()))

__all__ = ["COLOUR_CAMERA", "WRITERS", "Fault", "Footage", "Writer", "png16", "put", "writes"]
