"""What a model on the hub says of its size, looked at before anything of it is fetched."""

from collections.abc import Collection
from fnmatch import fnmatch
from itertools import islice

from generator.errors import ModelError
from generator.limits import MOST_FILES, MOST_SETUP, MOST_WEIGHTS

NO_NUMBER = "It refuses what is far too large for an encoder."

WEIGHTS = ".safetensors"


def check_sizes(model_id: str, revision: str | None, wanted: Collection[str], below: str = "") -> tuple[str, ...]:
    """The paths of all files that the hub announces; sizes are looked at in the folder `below`, or at the top.

    Raises ModelError if it announces far more than any encoder has of the files `wanted`, given as patterns. Nothing is
    said, and no path given, where the hub cannot be asked, or where the files of a commit have been fetched before.
    """
    from huggingface_hub import HfApi, try_to_load_from_cache  # noqa: PLC0415 - most builds fetch nothing
    from huggingface_hub.hf_api import RepoFile  # noqa: PLC0415 - as above

    try:
        # It was fetched before, and its sizes were looked at then.
        config = f"{below}/config.json" if below else "config.json"
        if revision and isinstance(try_to_load_from_cache(model_id, config, revision=revision), str):
            return ()
        hub = HfApi()
        about = hub.model_info(model_id, revision=revision)  # fails at once, where a listing is asked for again
        tree = hub.list_repo_tree(model_id, path_in_repo=below or None, revision=about.sha)
        listed = list(islice(tree, MOST_FILES + 1))
    except Exception:  # noqa: BLE001 - the download that follows says what is wrong
        return ()
    if len(listed) > MOST_FILES:
        raise ModelError(f"Expected at most {MOST_FILES:,} files of {model_id}, found more; fetch it into a folder.")
    files = [file for file in listed if isinstance(file, RepoFile) and any(fnmatch(file.path, name) for name in wanted)]
    weights = sum(file.size for file in files if file.path.endswith(WEIGHTS))
    if weights > MOST_WEIGHTS:
        raise ModelError(
            f"Expected at most {MOST_WEIGHTS >> 30} GiB of weights of {model_id}, found {weights >> 30} GiB; choose an "
            "encoder."
        )
    setup = [file for file in files if not file.path.endswith(WEIGHTS)]
    size = sum(file.size for file in setup)
    if size > MOST_SETUP:
        largest = max(setup, key=lambda file: file.size).path
        raise ModelError(
            f"Expected at most {MOST_SETUP >> 20} MiB of files beside the weights of {model_id}, found {size >> 20} "
            f"MiB, such as {largest}; choose an encoder with a configuration and a tokenizer."
        )
    return tuple(repo_sibling.rfilename for repo_sibling in about.siblings or ())
