"""Numbers of a sentence without exponents, which tables keep."""

import re
from decimal import Decimal

_EXPONENT = re.compile(r"\b\d(?:\.\d+)?e-[5-7]\b")
"""As `writing` has them; what is smaller still would be longer than its sentence bears."""


def plainly(text: str) -> str:
    """The same text with small numbers written out.

    >>> plainly("9e-5 (-3.1e-5 to 0.00023), 24 documents")
    '0.00009 (-0.000031 to 0.00023), 24 documents'
    >>> plainly("1.5e-9")
    '1.5e-9'
    """
    return _EXPONENT.sub(lambda found: f"{Decimal(found[0]):f}", text)
