"""The claims of the literature, in the order of the ledger. To add one, write its record in a file here and its name
below.
"""

from generator.claims.claim import Claim
from generator.claims.clark.beyond import C21, C22, C23, C24
from generator.claims.clark.breadth import C10, C11, C12
from generator.claims.clark.position import C01, C02, C03
from generator.claims.clark.special import C04, C05, C06, C07, C08, C09
from generator.claims.kovaleva.attention import K03, K10, K11, K13, K18
from generator.claims.others.introductions import Q01, Q02, Q03, Q04, Q05, Q06, Q07
from generator.claims.others.related import R01, R03, R04, R05, R06, R07
from generator.topics.frames.claims import K04, K09, K12, K14
from generator.topics.layers.claims.patterns import K01, K02
from generator.topics.layers.claims.phases import H01, H02, H03, H04, H11
from generator.topics.learning.claims import H05, H09, H10, H12
from generator.topics.relations.claims.relations import C14, C15, C16, C17, C18
from generator.topics.relations.claims.syntax import C13, C19, C20
from generator.topics.tasks.claims.disabling import K05, K15, K16, K17, R02
from generator.topics.tasks.claims.tuning import K06, K07, K08
from generator.topics.tokens.claims.roles import H06, H07, H08
from generator.topics.tokens.claims.sinks import H13, H14, H15

# fmt: off
CLAIMS: tuple[Claim, ...] = (
    C01, C02, C03, C04, C05, C06, C07, C08, C09, C10, C11, C12,
    C13, C14, C15, C16, C17, C18, C19, C20, C21, C22, C23, C24,
    K01, K02, K03, K04, K05, K06, K07, K08, K09, K10, K11, K12, K13, K14, K15, K16, K17, K18,
    H01, H02, H03, H04, H05, H06, H07, H08, H09, H10, H11, H12, H13, H14, H15,
    R01, R02, R03, R04, R05, R06, R07,
    Q01, Q02, Q03, Q04, Q05, Q06, Q07,
)
# fmt: on
