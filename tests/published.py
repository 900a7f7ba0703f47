"""A hub that has published one model, and commands run in a fresh process that reaches no other."""

from pathlib import Path

from safetensors.numpy import load, save

from tests.encoders import write as write_encoder
from tests.hub import NEVER, Hub

FOREIGN = ("HF_", "HUGGINGFACE_", "TRANSFORMERS_", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
"""Beginnings of variables that would lead elsewhere."""
RUN_ALL = """
import json, sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from generator.cli.app import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["fieldguide", *words]
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
        except Exception as error:
            code = repr(error)
    print(json.dumps([code, out.getvalue(), err.getvalue()]))
"""


def published(place: Path) -> Hub:
    """A hub with one model, whose weights are longer at a later commit."""
    folder = write_encoder("bert", place / "bert")
    files = {path.name: path.read_bytes() for path in folder.iterdir()} | NEVER
    longer = {name: 2 * weight for name, weight in load(files["model.safetensors"]).items()}
    return Hub(files, files | {"model.safetensors": save(longer, {"format": "pt"})})
