"""The table of partners on a written page: rows in order, and forms that the treebank lacks."""

import pytest

from generator.errors import SiteError
from generator.topics.tokens.page.partners import partner_table
from tests.pages.written.contexts import context


def test_rows_go_from_the_most_constant_to_the_least_and_say_on_which_side_partners_stand():
    lines = partner_table(context(), ".", "the").splitlines()
    assert len(lines) == 4
    assert lines[2].startswith("| the | ")
    assert "1 word after it, " in lines[2]
    assert "words before it, " in lines[3]


def test_a_form_that_is_not_there_is_refused():
    with pytest.raises(SiteError, match="found 'The'; correct the page"):
        partner_table(context(), "the", "The")
