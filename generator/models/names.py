"""What a model is called in folders and addresses."""

import re


def slug(model_id: str) -> str:
    """The id as the name of a folder and an address: in lower case, with `--` for `/` and `_` for forbidden characters.

    >>> slug("sentence-transformers/all-MiniLM-L6-v2")
    'sentence-transformers--all-minilm-l6-v2'
    """
    return re.sub(r"[^\w.-]|^\.", "_", model_id.lower().replace("/", "--"))
