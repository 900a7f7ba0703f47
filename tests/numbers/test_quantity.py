"""A name is declared, or it is an error; families match their placeholders and nothing else."""

import subprocess
import sys

import pytest

from generator.numbers.quantity import Placeholder, Quantity, Study, Undeclared
from generator.studies.declared import STUDIES, quantity_of, study_of

SIZE = Placeholder("size", {"small": "little words", "large": "long words"})
FAMILY = Quantity(
    name="drop.{size}.{start}",
    title="Drop of {size} from {start} on",
    unit="nats",
    definition="What {size} lose.",
    of=("layer",),
    placeholders=(SIZE, Placeholder.any("start", r"\d+")),
)
PLAIN = Quantity(name="a.b", title="Plain", unit="share", range="0 to 1", definition="A share.")
STUDY = Study(name="made", title="Made", about="Nothing.", source="Ours", quantities=(FAMILY, PLAIN))
EACH = [(study, quantity) for study in STUDIES for quantity in study.quantities]


def test_a_family_has_the_names_that_its_placeholders_allow():
    assert FAMILY.values_in("drop.large.17") == {"size": "large", "start": "17"}
    for name in ("drop.huge.17", "drop.large.", "drop.large.x", "drop.large.17.", "xdrop.large.17", "drop_large.17"):
        assert FAMILY.values_in(name) is None
    assert PLAIN.values_in("a.b") == {}
    assert PLAIN.values_in("axb") is None


def test_one_of_a_family_is_named_and_read_by_its_parts():
    assert FAMILY.called(size="small", start=3) == "drop.small.3"
    with pytest.raises(Undeclared):
        FAMILY.called(size="tiny", start=3)
    found = STUDY.quantity("drop.small.3")
    assert (found.name, found.title, found.definition) == (
        "drop.small.3",
        "Drop of little words from 3 on",
        "What little words lose.",
    )


def test_a_name_without_a_record_says_which_ones_there_are():
    with pytest.raises(Undeclared, match=r'study "made", found "a.c"; .* such as a.b'):
        STUDY.quantity("a.c")
    with pytest.raises(Undeclared, match=r'"a.b" .* of model, found one of a head'):
        STUDY.check(["a.b"], "head")
    STUDY.check(["a.b"], "model")


def test_a_study_for_each_model_owns_what_begins_with_its_name():
    kind = Study(name="beside", title="", about="", source="", quantities=(PLAIN,), family="model")
    assert [kind.owns(name) for name in ("beside:a--b", "beside", "besides:a")] == [True, False, False]
    assert kind.of("a--b").name == "beside:a--b"
    assert kind.of("a--b").owns("beside:a--b")


def test_the_unit_stands_with_the_range():
    assert (PLAIN.unit_text, FAMILY.unit_text) == ("share, 0 to 1", "nats")


def test_undeclared_is_no_reason_why_a_number_is_missing():
    for study, name in (("occlusion", "drop.distnace.3"), ("oclusion", "slope"), ("occlusion:x", "slope")):
        with pytest.raises(Undeclared):
            quantity_of(study, name)
    assert study_of("occlusion").quantity("slope") is quantity_of("occlusion", "slope")


@pytest.mark.parametrize(("study", "one"), EACH, ids=[f"{study.name}: {one.name}" for study, one in EACH])
def test_every_record_says_what_its_number_is(study, one):
    for text in (one.title, one.definition, study.about, study.source):
        assert text
        assert not text.endswith(" ")
    assert one.definition.endswith(".")
    assert not one.title.endswith(".")
    assert not one.title[0].islower()
    fields = {field for field in ("name", "title", "definition") for part in (getattr(one, field),) if "{" in part}
    assert bool(one.placeholders) == ("name" in fields), "a title names placeholders of the name alone"
    first = one.name
    for part in one.placeholders:
        assert f"{{{part.name}}}" in one.name
        first = first.replace(f"{{{part.name}}}", next(iter(part.values), "1"))
    if all(part.values for part in one.placeholders):
        assert [other.name for other in study.quantities if other.values_in(first) is not None] == [one.name]
        told = one.one(first)
        assert "{" not in " ".join((told.title, told.definition, told.reference, *told.caveats))


def test_names_of_studies_differ():
    assert len({study.name for study in STUDIES}) == len(STUDIES)


def test_the_records_need_no_heavy_library():
    code = "import sys; import generator.studies.declared; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"torch", "transformers", "pandas", "scipy", "numba", "sklearn"}.isdisjoint(loaded)
