from __future__ import annotations

import os
import subprocess
import sys

import pytest

from recall4d.errors import ModelError, RealCallError, UsageError
from recall4d.models.real_calls import VARIABLE, check_real_call, real_calls


def test_the_suite_switches_real_calls_off():
    with pytest.raises(RealCallError, match="scripted or a replayed model"):
        check_real_call("openai:gpt", "http://127.0.0.1:8000/v1")


def test_what_lives_with_failing_models_does_not_live_with_a_forbidden_call():
    assert not issubclass(RealCallError, ModelError)


@pytest.mark.parametrize("url", [None, "http://localhost:1/v1", "http://127.0.0.1:8000", "http://[::1]:80/v1"])
def test_local_calls_stay_on_this_machine(url):
    with real_calls("local"):
        check_real_call("a model", url)


@pytest.mark.parametrize(
    "url", ["https://api.example.com/v1", "http://10.0.0.1/v1", "http://localhost.example.com/"]
)
def test_local_calls_do_not_leave_this_machine(url):
    with real_calls("local"), pytest.raises(RealCallError):
        check_real_call("a model", url)
    with real_calls("any"):
        check_real_call("a model", url)


def test_the_switch_is_set_back_also_after_an_error():
    before = os.environ[VARIABLE]
    with pytest.raises(ZeroDivisionError), real_calls("any"):
        raise ZeroDivisionError
    assert os.environ[VARIABLE] == before


def test_processes_started_inside_inherit_the_switch():
    code = "from recall4d.models.real_calls import allowed; print(allowed())"
    with real_calls("local"):
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "local"


def test_an_unknown_word_in_the_environment_is_refused(monkeypatch):
    monkeypatch.setenv(VARIABLE, "sometimes")
    with pytest.raises(UsageError, match="one of any, local, none, got 'sometimes'"):
        check_real_call("a model")
