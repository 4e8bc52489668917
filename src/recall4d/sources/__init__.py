"""Recordings in, frames out: one module a format, each a `FORMAT` found through the entry points
`recall4d.sources`.

`open_recording` is the door. A format of your own is a class with `name`, `recognises` and `open` (see
`recall4d.ports.SourceFormat`); `common` and `image_folder` hold what the formats here share.
"""

from recall4d.sources.opening import open_recording

__all__ = ["open_recording"]
