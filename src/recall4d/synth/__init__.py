"""Small exact worlds by code, for tests, benchmarks and demonstrations: what is true is known to the last digit.

A `World` is a room and things in it, each with its worldline; `render` sees it through a camera at an instant;
`frames` films a `Take`, a camera's way through it, as any source would deliver it.
"""

from recall4d.synth.film import Take, frames, look_along
from recall4d.synth.render import View, render
from recall4d.synth.rooms import kitchen, tour
from recall4d.synth.world import Stay, Thing, World

__all__ = ["Stay", "Take", "Thing", "View", "World", "frames", "kitchen", "look_along", "render", "tour"]
