"""The executor: a plan over the columns of a snapshot."""

from __future__ import annotations

from recall4d.memory.snapshot import Snapshot
from recall4d.query.plan import Plan
from recall4d.query.reference import execute_reference
from recall4d.query.result import Result


def execute(plan: Plan, snapshot: Snapshot, asking_agent: str | None = None) -> Result:
    """Run `plan` on `snapshot`.

    Args:
        plan: validated steps.
        snapshot: what is known.
        asking_agent: who "I" is; None takes the first agent.

    Raises:
        UsageError: the plan names an agent, a frame number or an entry that this memory does not hold.
    """
    return execute_reference(plan, snapshot, asking_agent)
