"""Which listed models have to be analysed; if stored results are enough to tell, a model's files are not downloaded."""

from functools import cache

from generator.analysis import due
from generator.config import ModelChoice, Project
from generator.errors import FieldguideError, ResultsError
from generator.models.source import Identity, locate
from generator.project.models import address, at_commit
from generator.results.manifest import Manifest
from generator.survey.wanted import readable


class Due:
    """What is to be analysed in a project; its corpora are opened once, however many models read them."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._readable = cache(readable)

    def why(self, choice: ModelChoice) -> tuple[Identity, str]:
        """Which checkpoint a model is now, and why it is to be analysed; "" if its stored results are up to date.

        Its files are downloaded only if `_stored` does not know it. Raises FieldguideError.
        """
        identity = self._stored(choice) or locate(choice.id, choice.revision, choice.name or "").identity
        return identity, self._why(identity, choice)

    def current(self) -> tuple[ModelChoice, ...]:
        """The models whose files are not needed: results of the listed commit are stored and up to date."""
        return tuple(choice for choice in self._project.models if self._is_current(choice))

    def _is_current(self, choice: ModelChoice) -> bool:
        identity = self._stored(choice)
        try:
            return identity is not None and not self._why(identity, choice)
        except FieldguideError:  # the analysis will report it
            return False

    def _why(self, identity: Identity, choice: ModelChoice) -> str:
        return due(identity, self._project.analysis(choice), self._project.results, corpora=self._readable)

    def _stored(self, choice: ModelChoice) -> Identity | None:
        """The identity of a model from stored results of the listed commit, which cannot change."""
        if not at_commit(choice):
            return None
        try:
            stored = Manifest.read(self._project.results / address(choice))
        except ResultsError:
            return None
        if stored.revision != choice.revision or not stored.setup_sha256:
            return None
        return Identity(stored.model, stored.revision, stored.weights_sha256, stored.setup_sha256)
