"""A chart parser for weighted grammars whose rules build values.

Rules are context-free, ``"place -> ON the? np"``, with a function that turns the values of their parts into the
value of the whole, or refuses. Edges leave the agenda cheapest first (Knuth's generalisation of Dijkstra's
algorithm, 1977), so that the first few values of a symbol over a span are its best, and the rest need never be
built. Whatever the grammar cannot join is still in the chart: `Chart.cover` lays the cheapest chain of pieces over
a sentence and names the words that are left.
"""

from __future__ import annotations

import heapq
import itertools
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

BEST = 3
"""Values kept of a symbol over a span."""

Build = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Rule:
    """`left` may be made of `right`; `keep` marks the parts whose values `build` takes, None where left out."""

    left: str
    right: tuple[str, ...]
    keep: tuple[int | None, ...]
    build: Build
    cost: float


@dataclass(frozen=True, slots=True)
class Edge:
    """A symbol over tokens `start`..`end` (exclusive), and what it means."""

    symbol: str
    start: int
    end: int
    value: Any
    cost: float = 0.0


@dataclass
class Grammar:
    """Rules by the first symbol of their right side.

    In the text of a rule words in quotes stand for themselves and have no value, ``?`` marks a part that may be
    missing, ``|`` separates alternatives.
    """

    by_first: dict[str, list[Rule]] = field(default_factory=lambda: defaultdict(list))

    def rule(self, text: str, cost: float = 0.0) -> Callable[[Build], Build]:
        """Decorate the function that builds the left side; it returns None to refuse."""

        def add(build: Build) -> Build:
            for rule in _expand(text, build, cost):
                self.by_first[rule.right[0]].append(rule)
            return build

        return add


def _expand(text: str, build: Build, cost: float) -> Iterable[Rule]:
    """Every rule that a text with ``?`` and ``|`` stands for."""
    left, _, right = text.partition("->")
    parts = right.split()
    choices = [[*_alternatives(part.removesuffix("?")), *([""] if part.endswith("?") else [])] for part in parts]
    valued = [not part.startswith("'") for part in parts]
    for chosen in itertools.product(*choices):
        present = [index for index, symbol in enumerate(chosen) if symbol]
        keep = tuple(present.index(i) if i in present else None for i in range(len(parts)) if valued[i])
        yield Rule(left.strip(), tuple(chosen[index] for index in present), keep, build, cost)


def _alternatives(part: str) -> list[str]:
    """The symbols in ``a|b`` or the quoted words in ``'a|b'``."""
    if part.startswith("'"):
        return [f"'{word}'" for word in part[1:-1].split("|")]
    return part.split("|")


@dataclass(frozen=True)
class Chart:
    """All edges found over a sentence of `n_tokens`, cheapest first for each symbol and start."""

    n_tokens: int
    starting: Mapping[tuple[str, int], list[Edge]]

    def cover(self, piece_costs: Mapping[str, float], skip_costs: list[float]) -> list[Edge]:
        """The cheapest chain of pieces and skipped tokens from the first token to the last.

        Args:
            piece_costs: symbols that may stand alone, and what each costs beyond its own edge.
            skip_costs: what leaving out each token costs.

        Returns:
            The pieces in order; tokens under none of them were skipped.
        """
        unreached: tuple[float, int, Edge | None] = (float("inf"), 0, None)
        best = [unreached] * (self.n_tokens + 1)
        best[0] = (0.0, 0, None)
        for start in range(self.n_tokens):
            so_far = best[start][0]
            if so_far + skip_costs[start] < best[start + 1][0]:
                best[start + 1] = (so_far + skip_costs[start], start, None)
            for symbol, extra in piece_costs.items():
                for edge in self.starting.get((symbol, start), ()):
                    total = so_far + edge.cost + extra
                    if total < best[edge.end][0]:
                        best[edge.end] = (total, start, edge)
        pieces: list[Edge] = []
        at = self.n_tokens
        while at > 0:
            _, at, edge_before = best[at]
            if edge_before is not None:
                pieces.append(edge_before)
        return pieces[::-1]


def parse(grammar: Grammar, n_tokens: int, words: Iterable[Edge], max_edges: int = 40_000) -> Chart:
    """Every symbol the grammar finds over a sentence, given the edges of its words."""
    starting: dict[tuple[str, int], list[Edge]] = defaultdict(list)
    waiting: dict[tuple[str, int], list[_Partial]] = defaultdict(list)
    kept: dict[tuple[str, int, int], list[Hashable]] = defaultdict(list)
    agenda: list[tuple[float, int, Edge]] = []
    order = itertools.count()

    def push(edge: Edge) -> None:
        heapq.heappush(agenda, (edge.cost, next(order), edge))

    def advance(partial: _Partial, edge: Edge) -> None:
        parts = (*partial.parts, edge)
        if len(parts) < len(partial.rule.right):
            extended = _Partial(partial.rule, parts, partial.cost + edge.cost)
            symbol = partial.rule.right[len(parts)]
            waiting[symbol, edge.end].append(extended)
            for following in starting.get((symbol, edge.end), ()):
                advance(extended, following)
            return
        values = (None if index is None else parts[index].value for index in partial.rule.keep)
        value = partial.rule.build(*values)
        if value is not None:
            push(Edge(partial.rule.left, parts[0].start, edge.end, value, partial.cost + edge.cost))

    for word in words:
        push(word)
    for _ in range(max_edges):
        if not agenda:
            break
        _, _, edge = heapq.heappop(agenda)
        values = kept[edge.symbol, edge.start, edge.end]
        if len(values) >= BEST or edge.value in values:
            continue
        values.append(edge.value)
        starting[edge.symbol, edge.start].append(edge)
        for rule in grammar.by_first.get(edge.symbol, ()):
            advance(_Partial(rule, (), rule.cost), edge)
        for partial in tuple(waiting.get((edge.symbol, edge.start), ())):
            advance(partial, edge)
    return Chart(n_tokens, starting)


@dataclass(frozen=True, slots=True)
class _Partial:
    """A rule of which some parts are found."""

    rule: Rule
    parts: tuple[Edge, ...]
    cost: float
