"""Every plan in docs/plan-language.md reads, prints the same plan, and runs."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from worlds import kitchen

from recall4d.clock import Clock
from recall4d.query.execute import execute
from recall4d.query.keys_form import keys_of_json, plan_of_form
from recall4d.query.plan_text import plan_of_text, text_of_plan

PAGE = (Path(__file__).parents[2] / "docs" / "plan-language.md").read_text(encoding="utf-8")
PLANS = re.findall(r"```plan\n(.*?)```", PAGE, re.DOTALL)
FORMS = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
KITCHEN = replace(kitchen(), clock=Clock(is_wall=True))


@pytest.mark.parametrize("text", PLANS)
def test_an_example_of_the_page(text: str) -> None:
    plan = plan_of_text(text)
    assert plan_of_text(text_of_plan(plan)) == plan
    assert execute(plan, KITCHEN).explain


@pytest.mark.parametrize("form", FORMS)
def test_a_keys_form_of_the_page(form: str) -> None:
    assert execute(plan_of_form(keys_of_json(form)), KITCHEN).explain


def test_the_page_has_examples() -> None:
    assert len(PLANS) >= 10
    assert len(FORMS) >= 2
