"""Through what window a head looks, in words: a few tokens before the query, after it, or around it."""

from generator.claims.cutoffs import MAINLY
from generator.claims.gate.maps import WINDOW, Measured, columns_of, window_of_uniform
from generator.claims.gate.statement import Statement
from generator.numbers.number import alone
from generator.numbers.writing import in_letters, percent
from generator.pages.heads.naming.trait import SUPPORTED, Trait


def window_trait(statement: Statement, of: Measured) -> Trait:
    """What names a head that is said to look through a window."""
    title, words = words_of(statement.about)
    share, uniform = statement.number, percent(alone(window_of_uniform(of, statement.about)))
    goes = f"of its attention goes to {words}; uniform attention would give {uniform}."
    return Trait(
        WINDOW,
        title=f"looks at {title}",
        text=f"{percent(share, against=(MAINLY,))} {goes}",
        trust=f"{SUPPORTED}: counted on {share.n} documents, none held out; an interval that allows for all "
        f"{of.heads} heads and all windows lies above one half and above uniform attention.",
        share=share.value,
        counted=f"{share.n} documents",
        looks=tuple(columns_of(statement.about)),
        sure=f"{SUPPORTED}: surely over half, {share.n} documents",
        number=share,
        columns=tuple(columns_of(statement.about)),
        short=f"{percent(share, ends=False, against=(MAINLY,))} {goes}",
    )


def words_of(about: str) -> tuple[str, str]:
    """The tokens of a window in a title, and in a sentence.

    >>> words_of("before.4"), words_of("around.1")
    (('the four tokens before', 'the four tokens before'), ('the tokens beside it', 'the token itself and those beside \
it'))
    """
    side, _, reach = about.partition(".")
    if side != "around":
        return (f"the {in_letters(int(reach))} tokens {side}",) * 2
    where = "beside it" if reach == "1" else f"up to {in_letters(int(reach))} places away"
    return f"the tokens {where}", f"the token itself and those {where}"
