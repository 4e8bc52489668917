"""kill -9 while embeddings move from the database into their file: every text that was committed has its own."""

import os
import random
import subprocess
import sys

import numpy as np

from recall4d.store.sqlite import SqliteStore

KILLS = int(os.environ.get("RECALL4D_KILLS", "10"))

WRITER = """
import sys, itertools
from pathlib import Path
import numpy as np
from recall4d.store import sqlite
sqlite.FOLD_AT = 3
store = sqlite.SqliteStore.open(Path(sys.argv[1]), create=True)
for n in itertools.count(int(sys.argv[2])):
    with store.writing() as writer:
        writer.add_texts({f"{n} {part}": np.full(64, 10 * n + part, dtype=np.float32) for part in range(2)})
    print(n, flush=True)
"""


def test_no_text_ever_gets_the_vector_of_another(tmp_path):
    moments, first = random.Random(7), 0
    for _ in range(KILLS):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), str(first)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        said = [int(writer.stdout.readline()) for _ in range(moments.randint(1, 12))]
        writer.kill()
        said += [int(line) for line in writer.stdout.read().splitlines()]
        writer.wait()
        writer.stdout.close()
        store = SqliteStore.open(tmp_path)
        texts = {f"{n} {part}": 10 * n + part for n in range(said[-1] + 1) for part in range(2)}
        found = store.vectors(texts)
        assert found.keys() == texts.keys(), "a committed embedding is lost"
        assert all(np.all(found[text] == value) for text, value in texts.items())
        vectors, slots = store.vector_slots(list(texts))
        assert vectors[slots, 0].tolist() == list(texts.values())
        store.close()
        first = said[-1] + 1
