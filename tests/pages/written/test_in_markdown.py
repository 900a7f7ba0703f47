"""Tables and figures that do not pass through Markdown stand on the page as if they had, and sentences keep links."""

import markdown

from generator.pages.inline import Link, Name
from generator.pages.written.in_markdown import one_block, sentence, with_blocks, without_blocks

DETAILS = one_block('<details class="fg-block">\n<summary>C04</summary>\n  <p>a *b* [c](d)</p>\n</details>')
FIGURE = one_block('<figure class="fg-figure" id="one">\n<p>1 < 2 &amp; 3</p>\n</figure>')
PAGE = f"# One\n\nText.{DETAILS}{FIGURE}Text between <br> and more.{DETAILS}\n- a list\n"


def test_the_page_is_that_of_all_blocks_in_markdown():
    short, blocks = without_blocks(PAGE)
    assert len(blocks) == 3
    assert "fg-figure" not in short
    assert with_blocks(markdown.markdown(short), blocks) == markdown.markdown(PAGE)


def test_a_page_without_blocks_is_as_it_was():
    assert without_blocks("# One\n\nText.\n") == ("# One\n\nText.\n", [])
    assert with_blocks("<p>Text.</p>", []) == "<p>Text.</p>"


def test_a_sentence_keeps_its_links_and_all_else_is_text():
    told = sentence(("Head ", Link("1-4", "../heads/1-4/"), " of ", Name("<b>"), ": 96 %."))
    assert told == 'Head <a href="../heads/1-4/">1-4</a> of &#60;b&#62;&#58; 96 &#37;.'
    assert sentence("a * b") == "a &#42; b"
