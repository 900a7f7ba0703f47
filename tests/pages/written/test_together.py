"""Hand-written pages say for which models several claims hold together."""

from tests.pages.claims.judged import crossing, meeting
from tests.pages.written.test_knowledge import models, rendered

CALL = '{{ together("C04", "C10", holds="Both in {models}.", fails="In none.") }}'


def test_models_for_which_all_hold_are_named_and_others_are_not():
    assert ">m0</a>." in rendered(CALL, models(meeting, crossing))
    assert "m1" not in rendered(CALL, models(meeting, crossing))


def test_if_there_are_none_the_other_sentence_is_told():
    assert "In none." in rendered(CALL, models(crossing, crossing))
