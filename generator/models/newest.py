"""The newest commit of a model on the hub."""

from huggingface_hub import HfApi

from generator.errors import ModelError, reason


def newest(model_id: str) -> str:
    """The commit of the main branch; no file is fetched. Raises ModelError where the hub does not say."""
    try:
        return HfApi().model_info(model_id, revision="main").sha or ""
    except Exception as error:  # noqa: BLE001 - the hub's client lets through whatever its transport raises
        raise ModelError(
            f"Expected the hub to say which commit of {model_id!r} is its newest, found: {reason(error)}; try again."
        ) from None
