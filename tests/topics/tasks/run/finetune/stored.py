"""What a run of fine-tuning leaves in its folder."""

from safetensors.torch import load_file

from generator.topics.tasks.run.finetune.train import seed_folder


def weights(runs, seed=0):
    return load_file(seed_folder(runs, seed) / "model.safetensors")
