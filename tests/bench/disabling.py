"""How much cheaper it is to disable every head by reading again than by a full forward pass each."""

from functools import partial

from generator.attention.anatomy import examine
from generator.attention.batches import collate
from generator.attention.changed.disable import Disabled
from generator.attention.changed.replay import Reading, Replayer
from generator.corpora.opening import open_corpora
from generator.corpora.pairs import PairMaker
from tests.bench.record import cpu
from tests.encoders import loaded

INPUTS = 8


def sweep_ratios(rounds: int = 2) -> list[float]:
    """CPU time of a sweep over all heads and layers of the embedded encoder, over that of the naive sweep, per round.

    Both make every head, then every layer, uniform, on one batch of inputs of the embedded text, and take turns. A
    round takes about half a minute.
    """
    encoder = loaded("all-MiniLM-L6-v2")
    anatomy = examine(encoder)
    maker = PairMaker(encoder.tokenizer, 128)
    documents = open_corpora(["articles"]).all[0].items
    inputs = [item for document in documents for item in maker.inputs(document)][:INPUTS]
    batch = collate(inputs, encoder.pad)
    places = [[(layer, head)] for layer in range(anatomy.layers) for head in range(anatomy.heads)]
    places += [[(layer, head) for head in range(anatomy.heads)] for layer in range(anatomy.layers)]
    tried = [Disabled.of("uniform", place) for place in places]
    replayer = Replayer(encoder, anatomy)

    def round_of() -> float:
        readings: list[Reading] = []
        ours = cpu(lambda: readings.append(replayer.read(batch)))
        naive = cpu(lambda: replayer.full(batch))
        for disabled in tried:
            ours += cpu(partial(readings[0].without, disabled))
            naive += cpu(partial(replayer.full, batch, disabled))
        return ours / naive

    replayer.full(batch)  # the first pass of a process is slower
    return [round_of() for _ in range(rounds)]
