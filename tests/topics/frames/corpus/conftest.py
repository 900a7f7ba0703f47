"""A made-up release of FrameNet."""

import pytest

from tests.topics.frames.corpus.framenet import DOCUMENT, SPACE

LENDING = f"""<?xml version="1.0" encoding="UTF-8"?>
<frame name="Lending" ID="1" {SPACE}>
  <FE coreType="Core" name="Lender"/><FE coreType="Core-Unexpressed" name="Term"/>
  <FE coreType="Peripheral" name="Time"/>
</frame>"""
EXAMPLES = DOCUMENT.replace("fullTextAnnotation", "lexUnit").replace("<lexUnit ", '<lexUnit frame="Lending" ', 1)
EXAMPLES = EXAMPLES.replace(' frameName="Lending"', "").replace('ID="70"', 'ID="69"')


@pytest.fixture
def release(tmp_path):
    """A release with one frame, one text and one lexical unit."""
    for folder, file, text in (("frame", "Lending", LENDING), ("fulltext", "bike", DOCUMENT), ("lu", "lu1", EXAMPLES)):
        (tmp_path / "fn" / folder).mkdir(parents=True)
        (tmp_path / "fn" / folder / f"{file}.xml").write_text(text, encoding="utf-8")
    return tmp_path / "fn"
