"""The records of numbers about labelled tasks: scores by way of training, disabled heads and layers, pruned heads."""

from generator.numbers.quantity import AXIS, Maker, Placeholder, Quantity, Study, count, nats, place, score, share

METRICS = {
    "accuracy": "Accuracy",
    "f1": "F1",
    "matthews": "Matthews' correlation",
    "pearson": "Pearson's correlation",
    "spearman": "Spearman's correlation",
}
METRIC = Placeholder("metric", METRICS)
WAYS = {
    "pretrained.fine-tuned": "pre-trained and fine-tuned",
    "pretrained.frozen": "pre-trained and frozen",
    "random.fine-tuned": "random and fine-tuned",
    "random.frozen": "random and frozen",
}
WAY = Placeholder("way", WAYS)
GLUE = "GLUE's own scores (Wang et al. 2018, table 1)"
SCORES = Study(
    name="scores",
    title="Scores of labelled tasks",
    about=(
        "Scores on the dev examples of a task, of models trained from pre-trained or random weights, with the encoder "
        "fine-tuned or frozen. Intervals resample examples and, where there are several, seeds; n counts examples."
    ),
    made=Maker.EXPERIMENT,
    source=f"Kovaleva et al. 2019, section 4.3 and Table 1; {GLUE}",
    command="fieldguide finetune MODEL --task TASK --data DIR",
    quantities=(
        score(
            name="{metric}.majority",
            title="{metric} of the majority class",
            range="-1 to 1",
            definition="{metric} of always answering the commonest class or, in a regression, the mean.",
            caveats=("Undefined for the correlations of a regression.",),
            placeholders=(METRIC,),
        ),
        score(
            name="{metric}.{way}",
            title="{metric}, {way}",
            range="-1 to 1",
            definition="{metric} of the model, {way}, mean over seeds.",
            reference="the majority class",
            placeholders=(METRIC, WAY),
        ),
        score(
            name="{metric}.{way}.seed{seed}",
            title="{metric}, {way}, seed {seed}",
            range="-1 to 1",
            definition="{metric} of the model, {way}, with one seed.",
            placeholders=(METRIC, WAY, Placeholder.any("seed", r"\d+")),
        ),
        score(
            name="{metric}.{way}.lead",
            title="{metric}, {way}, above the majority class",
            range="-2 to 2",
            definition=(
                "{metric} of the model minus that of the majority class, which counts as 0 where it is a correlation."
            ),
            reference="0 for a model that learned nothing",
            placeholders=(METRIC, WAY),
        ),
        score(
            name="{metric}.pretrained.fine-tuned.minus.{way}",
            where="trainings of both kinds",
            title="{metric}, pre-trained and fine-tuned minus {way}",
            range="-2 to 2",
            definition="What fine-tuning from pre-trained weights gains over the model {way}, on the same examples.",
            reference="0",
            placeholders=(
                METRIC,
                Placeholder("way", {name: WAYS[name] for name in ("random.fine-tuned", "pretrained.frozen")}),
            ),
        ),
    ),
)

DONE = Placeholder("how", {"uniform": "made uniform", "zero": "set to zero"})
BEST = "The best is chosen on one half of the examples; the change is that on the other half."
NEEDED = "0 where nothing is lost; below it, what was disabled was of use"
DISABLING = Study(
    name="disabling",
    title="Disabled heads and layers",
    about=(
        "Every head, and every layer as a whole, is made uniform or set to zero, and in every layer all "
        "heads but one are set to zero; the model is not trained again. A change is the score without the "
        "heads minus that of the whole model on the same examples. The score is the task's headline metric or, "
        "without a task, the masked-LM loss in nats with a minus sign. Intervals resample examples, which n counts."
    ),
    made=Maker.EXPERIMENT,
    source="Kovaleva et al. 2019, section 4.6 (uniform); Michel et al. 2019 (zero, importance)",
    command="fieldguide disable CHECKPOINT --task TASK --data DIR",
    quantities=(
        score(
            name="{how}",
            title="Change of the score, {how}",
            definition="Change of the score with the head, or all heads of the layer, {how}.",
            reference=NEEDED,
            of=("layer", "head"),
            placeholders=(DONE,),
        ),
        score(
            name="{how}.family",
            title="Change of the score with a simultaneous interval, {how}",
            definition=(
                "The same change with an interval that holds for all heads and layers disabled in this way at once."
            ),
            reference=NEEDED,
            of=("layer", "head"),
            placeholders=(DONE,),
        ),
        score(
            name="{how}.mean",
            title="Mean change of the score over heads, {how}",
            definition="What a head drawn at random changes: the mean over all heads, each {how} alone.",
            reference=NEEDED,
            placeholders=(DONE,),
        ),
        nats(
            name="importance",
            title="Gradient importance",
            range="0 and more",
            definition="Mean of |dL/dxi|, xi being a factor on the head's output and L the loss of an example.",
            of=("head",),
        ),
        score(
            name="base",
            title="Score of the whole model",
            definition="The score with every head.",
            reference="the majority class",
        ),
        score(
            name="base.majority",
            where="a labelled task",
            title="Score of the majority class",
            definition="The score of always answering with the commonest class.",
        ),
        score(
            name="base.lead",
            where="a labelled task",
            title="Score above the majority class",
            definition="The score of the whole model minus that of the majority class.",
            reference="0 for a model that learned nothing",
        ),
        score(
            name="uniform.best_{what}",
            title="Change by the best {what} to disable, held-out",
            definition=f"Change of the score when the {{what}} that helps most is made uniform. {BEST}",
            reference="0; above it, the model is better without it",
            placeholders=(Placeholder("what", {"head": "head", "layer": "layer"}),),
        ),
        place(
            name="uniform.best_head.{axis}",
            title="{axis} of the best head to disable",
            definition="The {axis} of the head that helps most when it is made uniform, on one half of the examples.",
            placeholders=(AXIS,),
            where="sweeps made since 26 November 2026",
        ),
        score(
            name="zero.best_left",
            title="Change when the layer's best head alone stays, held-out",
            definition=f"Change of the score with all heads of the layer but one set to zero. {BEST}",
            reference=NEEDED,
            of=("layer",),
        ),
        score(
            name="zero.best_left.lowest",
            title="The least change when a layer's best head alone stays",
            definition="The least of these changes over layers, with an interval that allows for all of them.",
            reference=NEEDED,
        ),
    ),
)

GONE = Placeholder.any("count", r"\d+")
PRUNING = Study(
    name="pruning",
    title="How many heads can go at once",
    about=(
        "Heads are set to zero one after the other, the least important by gradient first; importance is "
        "measured once, on other examples. Intervals resample examples, which n counts."
    ),
    made=Maker.EXPERIMENT,
    source="Michel et al. 2019, section 4",
    command="fieldguide disable CHECKPOINT --task TASK --data DIR",
    quantities=(
        SCORE_WITHOUT := score(
            name="score.{count}",
            title="Score with {count} heads gone",
            definition="The score with the {count} least important heads set to zero.",
            reference="the score of the whole model",
            placeholders=(GONE,),
        ),
        CHANGE_WITHOUT := score(
            name="change.{count}",
            title="Change with {count} heads gone",
            definition=(
                "The score with the {count} least important heads set to zero minus that of the whole model, with an "
                "interval that holds for all numbers of heads tried at once."
            ),
            reference="0",
            placeholders=(GONE,),
        ),
        share(
            name="removable",
            title="Heads that can go",
            definition="Share of heads that can go while the score loses at most a point, or a hundredth of a nat.",
        ),
        GONE_AS := Quantity(
            name="order",
            title="When the head goes",
            unit="number",
            range="1 and up",
            definition="The head's place in the order in which heads are set to zero; 1 goes first.",
            of=("head",),
            where="sweeps made since 26 November 2026",
        ),
    ),
)
VERDICT = Placeholder("verdict", {"needed": "needed", "unseen": "no change seen", "better": "better without it"})


OF_TASKS = Study(
    name="of disabled heads",
    title="What pages say of disabled heads over all heads",
    about="Computed from how a task's score changes when a head is disabled, stored with a simultaneous interval.",
    made=Maker.PAGES,
    source="Ours",
    quantities=(
        count(
            name="heads.{verdict}",
            title="Heads with the verdict {verdict}",
            range="0 to the number of heads",
            definition=(
                "How many heads have the verdict {verdict}. A head is needed if the simultaneous interval of its "
                "change lies below 0; the model is better without it if the interval lies above 0; else no change is "
                "seen."
            ),
            reference="0 heads needed, and 0 that the model is better without, where disabling changes nothing",
            placeholders=(VERDICT,),
        ),
    ),
)


STUDIES = (SCORES, DISABLING, PRUNING, OF_TASKS)
