"""What a model is called in folders and addresses."""

import re


def slug(model_id: str) -> str:
    """The id as a folder and address: lower case, `/` as `--`, whatever an address cannot hold as `_`.

    >>> slug("sentence-transformers/all-MiniLM-L6-v2")
    'sentence-transformers--all-minilm-l6-v2'
    """
    return re.sub(r"[^\w.-]|^\.", "_", model_id.lower().replace("/", "--"))
