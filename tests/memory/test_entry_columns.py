"""Entries laid out as columns are the same entries."""

from dataclasses import replace

import pytest

from recall4d.memory.entry_columns import EntryColumns
from recall4d.records import Claim, View
from recall4d.store.conformance import entry as whole_entry

ENTRIES = [
    whole_entry("cup-ö"),
    whole_entry("cup-1", n_observations=7),
    replace(whole_entry("z"), best_view=None, category="cup", states=whole_entry("z").states[:1]),
    replace(whole_entry("a"), sightings=3 * whole_entry("a").sightings, possibly_same_as=(), claims=()),
]


def test_entries_come_back_equal():
    columns = EntryColumns.of(ENTRIES, ("alpha", "bravo"))
    again = EntryColumns.from_arrays(columns.to_arrays())
    for each in (columns, again):
        assert list(each) == ENTRIES
        assert [each[row] for row in range(len(ENTRIES))] == ENTRIES
        assert each[1:3] == tuple(ENTRIES[1:3])
        assert each[-1] == ENTRIES[-1]
        assert [each.row_of(entry.entry_id) for entry in ENTRIES] == list(range(len(ENTRIES)))
        assert each.row_of("nothing of that name") is None


def test_every_field_of_an_entry_has_its_column():
    entry = replace(
        whole_entry("cup-1"),
        kind="surface",
        motion="moving",
        map_frame="bravo",
        best_view=View("bravo", 9, (1, 2, 3, 4), "crops/ö.jpg"),
        claims=(Claim("alpha", "a", 1, 0, 0.5, 3), Claim("bravo", "b", 2, 2, 1.5, 4)),
        attributes={},
    )
    columns = EntryColumns.of([entry], ("alpha",))
    assert columns[0] == entry
    assert columns.agents == ("alpha", "bravo")


def test_a_row_that_is_not_there_is_an_error():
    columns = EntryColumns.of([], ())
    assert list(columns) == []
    with pytest.raises(IndexError, match="row 0 of 0 entries"):
        columns[0]
