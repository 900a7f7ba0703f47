"""What pattern the maps of a head have, in words (Kovaleva et al. 2019)."""

from collections.abc import Mapping, Sequence

import numpy as np

from generator.claims.cutoffs import MAINLY
from generator.claims.gate.maps import LOOKS_AT, PATTERN, SPECIAL, Measured, preferred
from generator.claims.gate.statement import Statement
from generator.measures.patterns import CUTOFFS
from generator.numbers.number import alone
from generator.numbers.writing import listed, percent
from generator.pages.heads.naming.trait import SUPPORTED, Trait, goes_to

NEIGHBOURS, BESIDE = "neighbouring tokens", {"attention.previous", "attention.next"}
"""What a head looks at that looks at both of these."""
HALF, NEAR, EACH, WITHIN = (
    percent(alone(value)) for value in (CUTOFFS.special, CUTOFFS.near, CUTOFFS.second, CUTOFFS.within)
)
STAYS = "Where an input holds two texts (segments), its attention stays in the one that it comes from"
MEANS = {
    "vertical": f"{HALF} or more goes to {{special}}",
    "diagonal": f"{NEAR} or more goes to the token itself and its neighbours",
    "mixed": f"at least {EACH} goes to {{special}} and at least {EACH} to the token itself and its neighbours",
    "block": f"{WITHIN} or more of it does, spread widely",
}
"""Pattern -> what is true of an input whose map has it."""


def pattern_trait(statement: Statement, of: Measured, words: Mapping[str, str]) -> Trait:
    """What names a head that is said to have a pattern; `words` are those of tokens by the measure of attention to
    them.
    """
    pattern = statement.about.removeprefix("pattern.")
    groups = [preferred(of, group) for group in LOOKS_AT.get(pattern, ())]
    groups.sort(key=lambda names: -sum(of.values[name].value for name in names))
    looks = [name for names in groups for name in names]
    special = listed([words[name] for name in SPECIAL if not np.isnan(of.values[name].value)])
    share, uniform = of.values[statement.about], of.uniform[statement.about]
    goes = goes_to((percent(of.values[name], ends=False), words[name]) for name in looks)
    begins = f"{goes}. In " if goes else f"{STAYS}: in "
    others = f"in {percent(alone(uniform))}" if uniform else "in none"
    means = f"of inputs {MEANS[pattern].format(special=special)}; with uniform attention, {others}."
    return Trait(
        PATTERN,
        title=f"looks at {listed(_in_words(looks, words))}" if looks else "looks widely within its own text",
        text=f"{begins}{percent(share, against=(MAINLY,))} {means}",
        trust=f"{SUPPORTED}: counted on {share.n} documents, none held out; an interval that allows for all "
        f"{of.heads} heads lies above one half and above uniform attention.",
        share=share.value,
        counted=f"{share.n} documents",
        looks=tuple(looks),
        sure=f"{SUPPORTED}: surely in most inputs, {share.n} documents",
        number=share,
        columns=(statement.about,),
        short=f"{begins}{percent(share, ends=False, against=(MAINLY,))} {means}",
    )


def _in_words(columns: Sequence[str], words: Mapping[str, str]) -> list[str]:
    if {*columns} >= BESIDE:
        return [*(words[name] for name in columns if name in SPECIAL), NEIGHBOURS]
    return [words[name] for name in columns]
