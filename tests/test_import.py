"""`import recall4d` is quick: what only some calls need is loaded by those calls."""

import subprocess
import sys

HEAVY = ("scipy", "wordllama", "onnxruntime", "recall4d.query.english")


def test_a_program_that_holds_a_memory_has_not_loaded_what_it_may_never_need():
    script = f"import sys; from recall4d import Memory; print([m for m in {HEAVY} if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "[]"
