"""Every call is counted, bounded and written down."""

import pytest

from recall4d.config import BudgetSettings
from recall4d.errors import ModelError
from recall4d.models.scripted import ScriptedModel
from recall4d.reasoning.skeleton.budget import Meter
from recall4d.reasoning.skeleton.stops import BudgetSpentError
from recall4d.reasoning.skeleton.trace import Trace
from recall4d.reasoning.skeleton.watched import WatchedModel
from recall4d.records import ChatRequest, Message, Reply

REQUEST = ChatRequest((Message("user", "hello"),))


def watched(*replies, **budget):
    return WatchedModel(ScriptedModel(replies), Meter(BudgetSettings(**budget)), Trace(secrets=()))


def test_calls_are_counted_and_traced():
    model = watched(Reply("a", tokens_in=5, tokens_out=2, seconds=1.5), ModelError("server gone"))
    model.to("planning", 1).complete(REQUEST)
    with pytest.raises(ModelError, match="server gone"):
        model.complete(REQUEST)
    usage = model.meter.usage()
    assert (usage.calls, usage.tokens_in, usage.tokens_out, usage.seconds) == (2, 5, 2, 1.5)
    assert [line.get("error") for line in model.trace.lines] == [None, "server gone"]
    assert model.trace.lines[0]["doing"] == "planning"


@pytest.mark.parametrize(
    ("budget", "reason"),
    [
        ({"calls": 1}, "budget of calls spent"),
        ({"tokens": 7}, "budget of tokens spent"),
        ({"seconds": 1.0}, "budget of seconds spent"),
    ],
)
def test_a_call_beyond_the_budget_is_refused(budget, reason):
    model = watched(Reply("a", tokens_in=5, tokens_out=2, seconds=1.5), "never asked", **budget)
    model.complete(REQUEST)
    with pytest.raises(BudgetSpentError) as spent:
        model.complete_all([REQUEST])
    assert spent.value.reason == reason
