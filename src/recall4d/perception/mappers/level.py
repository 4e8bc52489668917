"""Where a map begins when nothing says where the world is."""

from __future__ import annotations

import numpy as np

from recall4d.geometry.pose import look_at

START = look_at(np.zeros(3), [0.0, 1.0, 0.0])
"""`world_from_camera` of the first frame of a map of its own: at the origin, looking along y, level. Without an
accelerometer there is no way to know that the camera was held level; `recall4d reanchor` mends it."""
