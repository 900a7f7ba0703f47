"""A checksum of code follows what is computed: not where it lies, what it is called, or what only people read."""

import re
import shutil
from pathlib import Path

import pytest

from generator.experiments.code import MADE_BY
from generator.home import PACKAGE
from generator.studies.all import PROCEDURES
from generator.survey.code import FLAG, Code
from generator.survey.stale import roots

LOW = {"low": 'TWO = 2\n\n\ndef half(x):\n    """Half."""\n    return x / TWO\n', "other": "TWO = 2.0\n"}
HIGH = '''"""What it is for."""

from made.low import half

THREE = 3
"""Of something."""


def start(x):
    return half(x) + THREE
'''
SAME = {
    "another docstring": {"high": HIGH.replace("What it is for.", "Something else.")},
    "another text below a constant": {"high": HIGH.replace("Of something.", "Of another.")},
    "a comment": {"high": HIGH.replace("+ THREE", "+ THREE  # why")},
    "space": {"high": HIGH.replace("half(x) + THREE", "(half(x)\n            + THREE)")},
    "no docstring": {"high": HIGH.partition("\n\n")[2]},
    "a constant that nothing uses": {"high": HIGH + "FOUR = 4\n"},
    "a module that nothing uses": {"other": "TWO = 7\n"},
    "another name of a constant": {"high": HIGH.replace("THREE", "FOUR")},
    "another name of a function": {"high": HIGH.replace("half", "part"), "low": LOW["low"].replace("half", "part")},
    "named with its module": {
        "high": HIGH.replace("made.low import half", "made import low").replace("half(", "low.half(")
    },
    "imported in the function": {
        "high": HIGH.replace("from made.low import half\n\n", "").replace(
            "    return", "    from made.low import half\n\n    return"
        )
    },
    "under another name": {"high": HIGH.replace("import half", "import half as part").replace("half(", "part(")},
    "in another module": {"high": HIGH.replace("made.low", "made.far"), "far": LOW["low"], "low": ""},
    "in the same module": {"high": HIGH.replace("from made.low import half\n", LOW["low"]), "low": ""},
    "handed on by another module": {"high": HIGH.replace("made.low", "made.far"), "far": "from made.low import half\n"},
    "another order of definitions": {"low": "def half(x):\n    return x / TWO\n\n\nTWO = 2\n"},
    "for type checkers alone": {
        "high": HIGH.replace("THREE =", "if TYPE_CHECKING:\n    from made import other\n\nTHREE =")
    },
    "a local value of the same name": {"low": LOW["low"] + "\n\ndef other(TWO):\n    return TWO\n"},
}
OTHER = {
    "a number": {"high": HIGH.replace("= 3", "= 4")},
    "a number far away": {"low": LOW["low"].replace("= 2", "= 3")},
    "the kind of a number": {"low": LOW["low"].replace("= 2", "= 2.0")},
    "what a function does": {"low": LOW["low"].replace("/", "//")},
    "a text that is used": {"high": HIGH.replace("+ THREE", '+ len("a")')},
    "which of two is used": {"low": "from made.other import TWO\n\n\ndef half(x):\n    return x / TWO\n"},
    "the order of operands": {"high": HIGH.replace("half(x) + THREE", "THREE + half(x)")},
    "another library": {"low": LOW["low"].replace("x / TWO", "sqrt(x) / TWO") + "\n\nfrom math import sqrt\n"},
    "what is run when a module is loaded": {"low": LOW["low"] + "\n\nprint(TWO)\n"},
    "what is added to a constant": {"high": HIGH + "\n\nTHREE += 1\n"},
    "a parameter's standard value": {"high": HIGH.replace("start(x)", "start(x, y=THREE)")},
    "a decorator": {"high": HIGH.replace("def start", "@half\ndef start")},
}

LOCALS = """
def half(x):
    first, second = x, TWO
    def both(y):
        third = first + y
        return [first / third * one for one in (second, third)]
    try:
        return both(x) + [last := first]
    except ValueError as wrong:
        match wrong:
            case [ZERO, *more]:
                return more
    return last


TWO = 2
ZERO = 0
"""


@pytest.fixture
def made(tmp_path):
    """How to write a package of few modules and take the checksum of `made.high.start`."""
    package = tmp_path / "made"
    package.mkdir()

    def checksum(**files: str) -> str:
        for name, text in {"__init__": "", **LOW, "high": HIGH, **files}.items():
            (package / f"{name}.py").write_text(text)
        return Code(package).checksum(["made.high.start"])

    return checksum


@pytest.mark.parametrize("change", SAME)
def test_what_computes_the_same_has_the_same_checksum(made, change):
    assert made() == made(**SAME[change])


@pytest.mark.parametrize("change", OTHER)
def test_what_is_computed_is_seen(made, change):
    assert made() != made(**OTHER[change])


def test_the_library_from_which_a_name_comes_counts(made):
    one, other = (
        f"from {library} import sqrt\n\n\ndef half(x):\n    return sqrt(x)\n" for library in ("math", "cmath")
    )
    assert made(low=one) != made(low=other)


def test_each_of_several_names_that_a_statement_binds_has_its_own_meaning(made):
    low = "ONE, TWO, THREE = range(3)\n\n\ndef half(x):\n    return x / {}\n"
    assert len({made(low=low.format(name)) for name in ("ONE", "TWO", "THREE")}) == 3


def test_a_local_value_hides_what_the_module_calls_so_and_a_default_does_not(made):
    hidden = "from made.other import TWO\n\n\ndef half(TWO):\n    return [TWO for TWO in range(TWO)]\n"
    assert made(low=hidden) == made(low=hidden, other="TWO = 7\n")
    for seen in ("def half(TWO=TWO):\n    return 1\n", "def half(x):\n    return [TWO for x in range(TWO)]\n"):
        before = made(low=f"from made.other import TWO\n\n\n{seen}")
        assert made(low=f"from made.other import TWO\n\n\n{seen}", other="TWO = 7\n") != before


@pytest.mark.parametrize("name", ["first", "second", "both", "third", "one", "last", "wrong", "more", "ZERO"])
def test_the_name_of_a_local_value_counts_for_nothing(made, name):
    assert made(low=LOCALS) == made(low=re.sub(rf"\b{name}\b", "any", LOCALS))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("first / third", "third / first"),
        ("for one in (second, third)", "for one in (third, second)"),
        ("* one", "* second"),
        ("* one", "* TWO"),
        ("+ [last := first]", "+ [last := second]"),
        ("return last", "return second"),
        ("first, second = x, TWO", "second, first = x, TWO"),
        ("both(y)", "both(z)"),  # which a call may give by its name
        ("return more", "return wrong"),
    ],
)
def test_which_local_value_is_meant_counts(made, old, new):
    assert LOCALS.count(old) == 1
    assert made(low=LOCALS) != made(low=LOCALS.replace(old, new))


def test_methods_do_not_see_the_names_of_their_class(made):
    low = "from made.other import TWO\n\n\nclass half:\n    TWO = 1\n\n    def of(self):\n        return TWO\n"
    assert made(low=low) != made(low=low, other="TWO = 7\n")


def test_functions_that_call_each_other_end(made):
    low = "def half(x):\n    return other(x)\n\n\ndef other(x):\n    return half(x) + {}\n"
    assert made(low=low.format(1)) == made(low=low.format(1))
    assert made(low=low.format(1)) != made(low=low.format(2))


def test_a_module_that_decides_no_number_is_not_followed_nor_what_it_makes(made):
    free = 'NO_NUMBER = "It writes."\n\n\ndef half(x):\n    return x / 2\n'
    assert made(low=free) == made(low=free.replace("/ 2", "/ 3"))
    record = HIGH.replace("THREE = 3", 'THREE = half("{}")')
    assert made(low=free, high=record.format("a")) == made(low=free, high=record.format("b"))
    called = HIGH.replace("+ THREE", '+ half("{}")')
    assert made(low=free, high=called.format("a")) != made(low=free, high=called.format("b"))


def test_the_message_of_an_error_decides_no_number(made):
    low = 'def half(x):\n    if x {} 2:\n        raise ValueError(f"Expected {}.")\n    return x\n'
    assert made(low=low.format("<", "more")) == made(low=low.format("<", "less"))
    assert made(low=low.format("<", "more")) != made(low=low.format(">", "more"))


def test_an_unknown_name_is_refused(made):
    made()
    with pytest.raises(KeyError):
        Code(made.__closure__[0].cell_contents).checksum(["made.high.stop"])


def test_every_study_and_experiment_reaches_its_own_code_and_no_study_that_it_does_not_use():
    code = Code()
    reached = {procedure.study: code.closure(roots(procedure, code)) for procedure in PROCEDURES}
    assert all("generator.survey.engine.Surveyor" in names for names in reached.values())
    assert not any("generator.studies.all.PROCEDURES" in names for names in reached.values())
    assert not reached["maxima"] & {name for name in reached["sinks"] if ".studies.tokens.sinks." in name}
    for experiment, made_by in MADE_BY.items():
        assert made_by in code.closure([made_by]), experiment


def test_a_module_that_decides_no_number_says_why():
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert text.count(f"\n{FLAG} = ") == text.count(f'\n{FLAG} = "') <= 1, path


def test_code_lies_where_the_package_does(tmp_path):
    copy = Path(shutil.copytree(PACKAGE, tmp_path / "generator", ignore=shutil.ignore_patterns("__pycache__", "_home")))
    engine = ["generator.survey.engine.Surveyor"]
    assert Code(copy).checksum(engine) == Code().checksum(engine)
    file = copy / "survey" / "engine.py"
    file.write_text(file.read_text().replace("keep_weights=True", "keep_weights=False"))
    assert Code(copy).checksum(engine) != Code().checksum(engine)
