"""Pictures of a memory: a page to explore and a plan to glance at. Both draw a snapshot and nothing else."""

from recall4d.viewer.page import write_page
from recall4d.viewer.plan_image import write_plan

__all__ = ["write_page", "write_plan"]
