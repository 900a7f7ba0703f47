"""The server of a draft answers this machine by its own names, with files of the site alone."""

import pytest

from generator.site.served import at_home


def opened(environ, start):
    """An application that answers everything."""
    start("200 OK", [])
    return [b"read"]


@pytest.fixture
def ask(tmp_path):
    """A function from host and path to the status of the answer."""
    site, outside = tmp_path / "site", tmp_path / "outside"
    site.mkdir()
    outside.mkdir()
    (outside / "key").write_text("secret")
    (site / "index.html").write_text("home")
    (site / "out").symlink_to(outside)
    (site / "key").symlink_to(outside / "key")
    (site / "home.html").symlink_to(site / "index.html")

    def answer(host, path="/index.html"):
        told = []
        body = at_home(opened, str(site))({"HTTP_HOST": host, "PATH_INFO": path}, lambda *said: told.append(said[0]))
        assert (b"".join(body) == b"read") == told[0].startswith("200")
        return told[0][:3]

    return answer


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "LOCALHOST:8000", "[::1]:8000"])
def test_this_machine_is_answered(ask, host):
    assert ask(host) == "200"


@pytest.mark.parametrize(
    "host",
    [
        "example.org",
        "example.org:8000",
        "localhost.example.org",
        "127.0.0.1.example.org",
        "192.168.0.1",
        "",
        "[",
        "[::1",
    ],
)
def test_another_host_is_refused(ask, host):
    assert ask(host) == "421"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        *(("/", "200"), ("/missing/", "200"), ("/home.html", "200"), ("/livereload/1/2", "200")),
        *(("/key", "404"), ("/out/key", "404"), ("/../outside/key", "404"), ("/a\0b", "404")),
    ],
)
def test_no_link_leads_out_of_the_site(ask, path, status):
    assert ask("localhost", path) == status
