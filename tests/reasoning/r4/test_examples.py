"""Which examples are shown with a question."""

from recall4d.query.keys_form import Known
from recall4d.reasoning.r4.examples import all_examples, examples_like
from recall4d.reasoning.r4.question_form import FlatForm


def test_the_likest_example_asks_the_same_of_another_thing_and_stands_last():
    alike = examples_like("Which did the camera see first, the floral mug or the left TV?", 4)
    assert alike[-1].question == "Which did I see first, the harp or the drum?"


def test_numbers_are_alike():
    alike = examples_like("At frame 1234, was the toaster left or right of the kettle?", 3)
    assert alike[-1].form["ask"] == "left_or_right"


def test_no_more_than_two_ask_in_the_same_way_with_the_same_keys():
    alike = examples_like("Where is the white coffee mug?", 5)
    shapes = [each.shape for each in alike]
    assert len(alike) == 5
    assert max(map(shapes.count, shapes)) == 2


def test_a_question_without_a_known_word_has_no_examples():
    assert examples_like("Wo liegt meine Brille?", 5) == ()


def test_none_are_shown_where_none_are_wanted():
    assert examples_like("Where is the white coffee mug?", 0) == ()


def test_fields_stand_in_the_order_of_the_schema():
    # Decoding that is held to the schema can write them in no other.
    order = list(FlatForm(Known()).schema["$defs"]["KeysStep"]["properties"])
    for example in all_examples():
        for step in example.form["steps"]:
            assert list(step) == sorted(step, key=order.index), example.question


def test_all_are_about_different_questions():
    questions = [each.question for each in all_examples()]
    assert len(set(questions)) == len(questions)


def test_a_step_that_names_itself_in_its_time_means_what_it_looks_for():
    form = {"ask": "where", "steps": [{"name": "vase", "what": "green vase", "when": {"at": "vase first seen"}}]}
    plan = FlatForm(Known()).plan(form)
    assert [(step.name, step.semantic.texts) for step in plan.steps] == [
        ("green_vase", ("green vase",)),
        ("vase", ("green vase",)),
    ]
