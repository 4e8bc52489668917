"""The chart parser on a grammar of sums."""

from recall4d.query.english.chart import Edge, Grammar, parse

SUMS = Grammar()


@SUMS.rule("sum -> NUMBER")
def _number(value):
    return value


@SUMS.rule("sum -> sum PLUS? sum", cost=1.0)
def _add(left, _plus, right):
    return left + right


@SUMS.rule("sum -> 'minus' sum", cost=0.5)
def _negative(value):
    return -value if value > 0 else None


def chart(text):
    edges = []
    for index, word in enumerate(text.split()):
        edges.append(Edge(f"'{word}'", index, index + 1, word))
        if word.isdigit():
            edges.append(Edge("NUMBER", index, index + 1, int(word)))
        if word == "plus":
            edges.append(Edge("PLUS", index, index + 1, word))
    return parse(SUMS, len(text.split()), edges)


def whole(text):
    return chart(text).cover({"sum": 2.0}, [5.0] * len(text.split()))


def test_parts_may_be_missing_or_stand_for_themselves():
    assert [edge.value for edge in whole("1 plus 2 3")] == [6]
    assert [edge.value for edge in whole("minus 4")] == [-4]


def test_a_rule_may_refuse():
    (edge,) = whole("minus 0")
    assert (edge.start, edge.value) == (1, 0), "the word before it stays out"


def test_what_cannot_be_joined_is_left_out_at_its_cost():
    pieces = whole("1 plus apples 2")
    covered = {index for edge in pieces for index in range(edge.start, edge.end)}
    assert covered == {0, 3}


def test_cheaper_readings_come_first():
    starting = chart("1 2").starting["sum", 0]
    assert [edge.cost for edge in starting] == sorted(edge.cost for edge in starting)


def test_a_long_sentence_stops_at_its_budget():
    words = [Edge("NUMBER", index, index + 1, 1) for index in range(40)]
    assert parse(SUMS, 40, words, max_edges=100).cover({"sum": 0.0}, [1.0] * 40)
