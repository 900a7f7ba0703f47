"""The records of numbers of tokens that pages compute from stored tables."""

from generator.numbers.quantity import Maker, Quantity, Study, nats, ratio, share

OVER_LAYERS = Study(
    name="roles over layers",
    title="Frequent tokens over all layers",
    about="Plain means over layers of the columns of the table roles; they come from sums and have no interval.",
    made=Maker.PAGES,
    source="A Hypothesis about Learning Curve of BERT (2021), which gives no definitions; these are ours",
    quantities=(
        ratio(
            name="received",
            title="Attention received, over all layers",
            definition="Mean over layers of what an occurrence receives, as a multiple of uniform attention.",
            reference="1",
        ),
        share(
            name="breadth",
            title="Breadth of its rows, over all layers",
            definition="Mean over layers of the entropy of its rows, divided by that of uniform attention.",
            reference="1",
        ),
        nats(
            name="attended_by_entropy",
            title="Entropy of who attends to it, over all layers",
            range="0 and more",
            definition="Mean over layers of the entropy of the types that attend to it.",
        ),
        nats(
            name="attends_to_entropy",
            title="Entropy of what it attends to, over all layers",
            range="0 and more",
            definition="Mean over layers of the entropy of the types that it attends to.",
        ),
        Quantity(
            name="end_deviation",
            title="Spread of its distance to the next [SEP]",
            unit="tokens",
            range="0 and more",
            definition="Standard deviation of the distance to the next separator, which does not depend on the layer.",
            reference="0 for the separator itself",
        ),
        nats(
            name="beside",
            title="Entropy of its neighbours in the text",
            range="0 and more",
            definition="Mean of the entropies of the tokens before and after it, which do not depend on the layer.",
            reference="0 where the same types always stand beside it",
        ),
    ),
)
OF_PARTNERS = Study(
    name="partners",
    title="Where a word's partner stands",
    about=(
        "Of a word form of a treebank: how far away the word stands that it depends on. Computed from the trees alone, "
        "so that it is the same for every model; [CLS] and [SEP] are in no tree."
    ),
    made=Maker.PAGES,
    source='After "A Hypothesis about Learning Curve of BERT" (2021), which gives no definition; this one is ours',
    quantities=(
        nats(
            name="offset_entropy",
            title="Entropy of the offset to the word that it depends on",
            range="0 and more",
            definition="Expected entropy of the offset, in words, of 50 occurrences drawn without replacement.",
            reference="0 where the partner always stands in the same place; at most ln 50",
        ),
        share(
            name="commonest_offset",
            title="Occurrences with the commonest offset",
            definition="Share of the occurrences whose partner stands at the offset that is commonest for the form.",
        ),
    ),
)
STUDIES = (OVER_LAYERS, OF_PARTNERS)
