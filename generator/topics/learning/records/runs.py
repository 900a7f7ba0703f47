"""The records of a training run's numbers beside the analyses: losses, distances of weights, fine-tuned scores."""

from generator.numbers.quantity import Maker, Study, nats, ratio, score, share
from generator.topics.inputs.records.inputs import HYPOTHESIS
from generator.topics.learning.records.curves import TASK_SCORE

HELD_OUT_TEXT = "held-out"
"""The name that stands in the column `corpus` for numbers from a run's log."""
HELD_OUT = "on held-out text, read from the log of the run. The log keeps only means, so there is no interval."
TRAINING = Study(
    name="training",
    title="Losses of pre-training",
    about=f"How well the model in training does both tasks {HELD_OUT}",
    made=Maker.CURVE,
    source="Devlin et al. 2019 for both tasks",
    quantities=(
        nats(
            name="masked_loss",
            title="Loss on hidden tokens",
            range="0 and more",
            definition="Mean negative log-likelihood of the hidden tokens; n counts these.",
            reference="unigram_loss and bigram_loss, study training.baseline",
        ),
        share(
            name="masked_accuracy",
            title="Accuracy on hidden tokens",
            definition="Share of hidden tokens that the model finds likeliest; n counts these.",
        ),
        nats(
            name="next_loss",
            title="Loss of next sentence prediction",
            range="0 and more",
            definition=(
                "Mean negative log-likelihood of the right answer to whether the second part follows the first; n "
                "counts inputs."
            ),
        ),
        share(
            name="next_accuracy",
            title="Accuracy of next sentence prediction",
            definition=(
                "Share of inputs for which the model predicts correctly whether the second part follows the first; n "
                "counts inputs."
            ),
            reference="the commoner answer, study training.baseline",
        ),
    ),
)
TRAINING_BASELINE = Study(
    name="training.baseline",
    title="Baselines of the losses of pre-training",
    about=f"What simple guesses score {HELD_OUT}",
    made=Maker.CURVE,
    source="Ours",
    quantities=(
        nats(
            name="unigram_loss",
            title="Loss by the frequency of each token",
            range="0 and more",
            definition="Loss on the hidden tokens when they are predicted by the frequency of tokens alone.",
        ),
        nats(
            name="bigram_loss",
            title="Loss by the token before",
            range="0 and more",
            definition="Loss on the hidden tokens when each is predicted by the token before it.",
        ),
        share(
            name="follows",
            title="Inputs whose second part follows the first",
            definition=(
                "Share of inputs whose second part follows the first; always giving the commoner answer is right for "
                "this share or for one minus it."
            ),
        ),
    ),
)
WEIGHTS = Study(
    name="weights",
    title="How far the weights have moved",
    about=(
        "How far every checkpoint that still has its weights lies from the first one. A distance is exact and has no "
        "interval; n is 1."
    ),
    made=Maker.CURVE,
    source="Ours",
    quantities=(
        ratio(
            name="distance",
            title="Distance of the weights from the first checkpoint",
            definition=(
                "Euclidean distance of the encoder's weights from the first checkpoint's, as a ratio to their length."
            ),
            formula="||W - W0|| / ||W0||",
            reference="0 at the first checkpoint",
        ),
    ),
)
TUNING = Study(
    name="tuning",
    title="Scores of fine-tuned checkpoints",
    about="Checkpoints are fine-tuned on a task and scored on its dev examples, which intervals resample and n counts.",
    made=Maker.CURVE,
    source="Ours",
    quantities=(
        score(
            name="{task}.{metric}",
            title="{metric} on {task} after fine-tuning",
            range="-1 to 1",
            definition="{metric} of the fine-tuned checkpoint, mean over seeds.",
            reference="the majority class, study tuning.baseline",
            placeholders=TASK_SCORE,
        ),
    ),
)
TUNING_BASELINE = Study(
    name="tuning.baseline",
    title="Scores of the majority class beside fine-tuned checkpoints",
    about="Scores of an answer that is the same for every input, on the dev examples that all checkpoints get.",
    made=Maker.CURVE,
    source="Ours",
    quantities=(
        score(
            name="{task}.{metric}",
            title="{metric} on {task} of the majority class",
            range="-1 to 1",
            definition="{metric} of always answering the commonest class or, in a regression, the mean.",
            placeholders=TASK_SCORE,
        ),
    ),
)
LEAD = "begin.lead"
WITHOUT = Study(
    name="without next sentence",
    title="A training with and without next-sentence prediction",
    about=(
        "Two trainings that differ in next-sentence prediction alone, at the steps that both have. There is one "
        "training of each kind, so that an interval, over documents, says nothing about other seeds."
    ),
    made=Maker.CURVE,
    source=f"Ours, for {HYPOTHESIS}",
    quantities=(
        nats(
            name=LEAD,
            title="How much broader [CLS] attends with next-sentence prediction",
            definition=(
                "The mean entropy of the row of [CLS] minus that of all rows, in the last layer: this difference in "
                "the training with next-sentence prediction, minus that in the training without it."
            ),
            reference="0",
        ),
    ),
)
STUDIES = (TRAINING, TRAINING_BASELINE, WEIGHTS, TUNING, TUNING_BASELINE, WITHOUT)
