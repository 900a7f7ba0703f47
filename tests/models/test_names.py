"""What a model is called in folders and addresses is hidden nowhere and leads nowhere else."""

import pytest

from generator.models.names import slug


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        *((".hidden", "_hidden"), ("..", "_."), ("../up", "_.--up"), ("a.b", "a.b"), ("a/.b", "a--.b")),
        *(("A b", "a_b"), ("a@b", "a_b"), ("a\\b", "a_b"), ("a:b?c*", "a_b_c_"), ("", "")),
    ],
)
def test_a_name_is_a_folder_of_its_own(name, folder):
    assert slug(name) == folder
